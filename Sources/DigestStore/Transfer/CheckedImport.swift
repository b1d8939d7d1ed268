package import ResilientPlatform

/// The lines of an import, all of which are known to be good before the first is added.
///
/// Those of a file are read once, and kept in a temporary database: nobody who writes to the store
/// waits for the input. Those in memory are read twice.
// Sendable: one thread at a time uses it.
package final class CheckedImport: @unchecked Sendable {
  /// The number of digests.
  private(set) var digests = 0

  /// The number of decodes without errors.
  private(set) var decodes = 0

  /// The number of lines that are neither digests nor decodes.
  private(set) var invalid = 0

  /// The problems of the first ten invalid lines.
  private(set) var problems: [String] = []

  /// The lines of a file; nil for those in memory.
  private let kept: KeptLines?

  /// The lines in memory.
  private var lines: LineReader

  /// What is in memory.
  private let data: Data

  /// Whether each digest needs an id, without which a second import would count it again.
  private let requiresIDs: Bool

  /// Whether all lines were returned. The statement would begin again.
  private var isAtEnd = false

  /// Reads all lines of a file.
  ///
  /// - Throws: ``DigestStoreError`` when they cannot be read or kept; with code `invalidInput` for
  ///   input of another format, and for a bad line, unless bad lines are skipped.
  init(_ input: LineReader, skippingInvalid: Bool) throws {
    var input = input
    (lines, data, requiresIDs) = (input, Data(), false)
    do {
      kept = try KeptLines()
      try check(&input, skippingInvalid: skippingInvalid)
    } catch let error as SQLiteError {
      throw DigestStoreError(
        .inputOutput,
        "the input cannot be kept in a temporary file: \(error.message); free space, or set TMPDIR to "
          + "another folder")
    }
  }

  /// Reads lines in memory.
  ///
  /// - Parameter requiringIDs: whether a digest without an id is a bad line: repeating the import
  ///   would count it again.
  /// - Throws: ``DigestStoreError`` with code `invalidInput` for another format, and for a bad line,
  ///   unless bad lines are skipped.
  package init(_ data: Data, skippingInvalid: Bool = false, requiringIDs: Bool = false) throws {
    kept = nil
    (lines, self.data, requiresIDs) = (LineReader(data), data, requiringIDs)
    var input = lines
    try check(&input, skippingInvalid: skippingInvalid)
  }

  private func check(_ input: inout LineReader, skippingInvalid: Bool) throws {
    if let problem = try input.peek(ForeignFormat.prefix, ForeignFormat.problem) {
      throw DigestStoreError(.invalidInput, problem)
    }
    var number = 0
    while let problem = try input.next(check) {
      number += 1
      guard let problem else { continue }
      let message = "line \(number): \(problem.description)"
      guard skippingInvalid else { throw DigestStoreError(.invalidInput, message, line: number) }
      invalid += 1
      if problems.count < 10 { problems.append(message) }
    }
  }

  /// Checks a line, and keeps it if it is good.
  ///
  /// - Parameter line: the bytes of the line, or nil if it is too long.
  /// - Returns: the problem of a bad line.
  private func check(_ line: UnsafeRawBufferPointer?) throws -> LineProblem? {
    guard let line else { return .tooLong }
    guard !line.allSatisfy(\.isWhitespace) else { return nil }
    do {
      switch try ImportedRecord(line) {
      case .digest(let record):
        guard !requiresIDs || record.id != nil else {
          throw LineProblem(
            description: "id is missing: without it, a repeated line would count again")
        }
        digests += 1
      case .loss: break
      case .decodes(let record):
        decodes = decodes.adding(count: Int(clamping: record.decodes))
      }
    } catch let problem as LineProblem {
      return problem
    }
    try kept?.add.run([.blob(Array(line))])
    return nil
  }

  /// Returns the next digests and decodes, up to a number of errors and digests; none at the end.
  func next(_ size: Int) throws -> [ImportedRecord] {
    var records: [ImportedRecord] = []
    var size = size
    while size > 0, !isAtEnd {
      guard let record = try kept?.next() ?? nextInMemory() else {
        isAtEnd = true
        break
      }
      records.append(record)
      size -= record.size
    }
    return records
  }

  /// Begins again with the first line in memory.
  func rewind() {
    lines = LineReader(data)
    isAtEnd = false
  }

  private func nextInMemory() throws -> ImportedRecord? {
    guard kept == nil else { return nil }
    // What is bad was left out before, and so were empty lines.
    while let record = try lines.next({ line in line.flatMap { try? ImportedRecord($0) } }) {
      if let record { return record }
    }
    return nil
  }
}

/// The good lines of a file, in a temporary database.
private final class KeptLines {
  let add: Statement
  private let read: Statement

  init() throws {
    let database = try Connection(path: "", mode: .temporary)
    try database.execute("CREATE TABLE line (text BLOB); BEGIN")
    add = try Statement(database, "INSERT INTO line VALUES (?)")
    read = try Statement(database, "SELECT text FROM line ORDER BY rowid")
  }

  /// Reads the next line; nil after the last one.
  func next() throws -> ImportedRecord? {
    try read.step() ? read.withBytes(at: 0, ImportedRecord.init) : nil
  }
}

extension UInt8 {
  fileprivate var isWhitespace: Bool {
    self == 0x20 || self == 0x09 || self == 0x0d
  }
}
