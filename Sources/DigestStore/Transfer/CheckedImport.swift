import ResilientPlatform

/// The lines of an import, each checked before the first is added.
///
/// A file is read a second time to add them. A pipe cannot be read again, so its lines are kept in
/// a temporary file until all are known to be good. Nobody who writes to the store waits for the
/// input.
final class CheckedImport {
  /// The number of digests.
  private(set) var digests = 0

  /// The number of decodes without errors.
  private(set) var decodes = 0

  /// The number of lines that are neither digests nor decodes.
  private(set) var invalid = 0

  /// The problems of the first ten invalid lines.
  private(set) var problems: [String] = []

  /// Reads the lines to add.
  private var lines: LineReader

  /// The number of records that are still to be added.
  private var left = 0

  private let skippingInvalid: Bool

  /// What ``lines`` reads if it is not the input itself.
  private let copy: TemporaryFile?

  /// Reads all lines.
  ///
  /// - Throws: ``DigestStoreError`` when they cannot be read or kept; with code `invalidInput` for
  ///   input of another format, and for a bad line, unless bad lines are skipped.
  init(_ input: LineReader, skippingInvalid: Bool) throws {
    lines = input
    lines.beforeReading = nil  // Progress counts digests from then on.
    self.skippingInvalid = skippingInvalid
    copy = input.canBeReadAgain ? nil : try TemporaryFile()
    try read(input)
    guard let copy else { return }
    lines = try copy.lines()
  }

  private func read(_ input: LineReader) throws {
    var lines = input
    if let problem = try lines.peek(ForeignFormat.prefix, ForeignFormat.problem) {
      throw DigestStoreError(.invalidInput, problem)
    }
    var number = 0
    while let problem = try lines.next(check) {
      number += 1
      guard let problem else { continue }
      let message = "line \(number): \(problem.description)"
      guard skippingInvalid else { throw DigestStoreError(.invalidInput, message, line: number) }
      invalid += 1
      if problems.count < 10 { problems.append(message) }
    }
  }

  /// Checks a line.
  ///
  /// - Parameter line: the bytes of the line, or nil if it is too long.
  /// - Returns: the problem of a bad line.
  private func check(_ line: UnsafeRawBufferPointer?) throws -> DigestLine.LineProblem? {
    do {
      guard let line else { return .tooLong }
      guard let record = try Self.record(in: line) else { return nil }
      left += 1
      switch record {
      case .digest: digests += 1
      case .decodes(let record):
        decodes = decodes.adding(count: Int(clamping: record.decodes))
      }
      try copy?.append(line)
      return nil
    } catch let problem as DigestLine.LineProblem {
      return problem
    }
  }

  /// Returns the record of a line, or nil if the line is empty.
  private static func record(in line: UnsafeRawBufferPointer) throws -> ImportedRecord? {
    line.allSatisfy(\.isWhitespace) ? nil : try DigestLine.imported(line)
  }

  /// Returns the next digests and decodes, up to a number of errors and digests; none at the end.
  ///
  /// - Throws: ``DigestStoreError`` when they cannot be read again or have changed.
  func next(_ size: Int) throws -> [ImportedRecord] {
    var records: [ImportedRecord] = []
    var size = size
    while size > 0, left > 0 {
      let line: Void? = try lines.next { line in
        do {
          guard let record = try line.flatMap(Self.record) else { return }
          records.append(record)
          size -= record.size
          left -= 1
        } catch is DigestLine.LineProblem {
          if !skippingInvalid { throw Self.changed }
        }
      }
      if line == nil { throw Self.changed }
    }
    return records
  }

  private static let changed = DigestStoreError(
    .invalidInput, "the input was changed while it was imported; import it again")
}

extension UInt8 {
  fileprivate var isWhitespace: Bool {
    self == 0x20 || self == 0x09 || self == 0x0d
  }
}

/// Keeps lines in a file without a name, which is gone once it is closed.
private final class TemporaryFile {
  private let descriptor: Int32
  private var buffer: [UInt8] = []

  init() throws {
    var path = Array(
      FileManager.default.temporaryDirectory.appendingPathComponent("digests.XXXXXX").path
        .utf8CString)
    descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw Self.unwritable }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(path)
  }

  deinit {
    close(descriptor)
  }

  func append(_ line: UnsafeRawBufferPointer) throws {
    buffer += line
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count >= 1 << 16 { try write() }
  }

  /// Returns a reader of the lines so far.
  func lines() throws -> LineReader {
    try write()
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw Self.unwritable }
    return try LineReader(descriptor: descriptor)
  }

  private func write() throws {
    try buffer.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let count = ResilientPlatform.write(
          descriptor, bytes.baseAddress! + written, bytes.count - written)
        guard count > 0 || errno == EINTR else { throw Self.unwritable }
        written += max(0, count)
      }
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// The error of the last call that failed.
  private static var unwritable: DigestStoreError {
    DigestStoreError(
      .inputOutput,
      "the input cannot be kept in a temporary file: \(String(cString: strerror(errno))); free space, "
        + "or set TMPDIR to another folder")
  }
}
