/// The lines of an import, each read once and checked.
///
/// They wait in a temporary database, which SQLite keeps on the disk when it is large, until all
/// are known to be good. So nobody who writes to the store waits for the input.
final class CheckedImport {
  /// The number of digests.
  private(set) var digests = 0

  /// The number of decodes without errors.
  private(set) var decodes = 0

  /// The number of lines that are neither digests nor decodes.
  private(set) var invalid = 0

  /// The problems of the first ten invalid lines.
  private(set) var problems: [String] = []

  private let connection: Connection
  private let addLine: Statement
  private let findLines: Statement

  /// The number of the last line that ``next(_:)`` has returned.
  private var last: Int64 = 0

  /// Reads all lines.
  ///
  /// - Throws: ``DigestStoreError`` when they cannot be read or kept; with code `invalidInput` for
  ///   input of another format, and for a bad line, unless bad lines are skipped.
  init(_ lines: LineReader, skippingInvalid: Bool) throws {
    do {
      connection = try Connection(path: "", mode: .temporary)
      // After an error nothing of it is used.
      try connection.execute(
        """
        PRAGMA journal_mode = OFF;
        CREATE TABLE line (number INTEGER PRIMARY KEY, text BLOB NOT NULL) STRICT;
        BEGIN;
        """)
      addLine = try Statement(connection, "INSERT INTO line (text) VALUES (?)")
      findLines = try Statement(
        connection, "SELECT number, text FROM line WHERE number > ? ORDER BY number")
      try read(lines, skippingInvalid)
      try connection.execute("COMMIT")
    } catch let error as SQLiteError {
      throw DigestStoreError(ofTemporaryFile: error)
    }
  }

  private func read(_ lines: LineReader, _ skippingInvalid: Bool) throws {
    var lines = lines
    if let problem = try lines.peek(ForeignFormat.prefix, ForeignFormat.problem) {
      throw DigestStoreError(.invalidInput, problem)
    }
    var number = 0
    while let problem = try lines.next(add) {
      number += 1
      guard let problem else { continue }
      let message = "line \(number): \(problem.description)"
      guard skippingInvalid else { throw DigestStoreError(.invalidInput, message, line: number) }
      invalid += 1
      if problems.count < 10 { problems.append(message) }
    }
  }

  /// Checks and keeps a line.
  ///
  /// - Parameter line: the bytes of the line, or nil if it is too long.
  /// - Returns: the problem of a bad line.
  private func add(_ line: UnsafeRawBufferPointer?) throws -> DigestLine.Problem? {
    guard let line else { return .tooLong }
    guard !line.allSatisfy(\.isWhitespace) else { return nil }
    do {
      switch try DigestLine.imported(line) {
      case .digest: digests += 1
      case .decodes(let record):
        decodes = decodes.adding(count: Int(clamping: record.decodes))
      }
    } catch let problem as DigestLine.Problem {
      return problem
    }
    try addLine.run([.blob(Array(line))])
    return nil
  }

  /// Returns the next digests and decodes, up to a number of errors and digests; none at the end.
  ///
  /// - Throws: ``DigestStoreError`` when they cannot be read back.
  func next(_ size: Int) throws -> [ImportedRecord] {
    var records: [ImportedRecord] = []
    var left = size
    do {
      try findLines.bind([.integer(last)])
      defer { findLines.reset() }
      while left > 0, try findLines.step() {
        let record = try findLines.withBytes(at: 1, DigestLine.imported)
        records.append(record)
        left -= record.size
        last = findLines.integer(at: 0)
      }
    } catch let error as SQLiteError {
      throw DigestStoreError(ofTemporaryFile: error)
    }
    return records
  }
}

extension DigestStoreError {
  fileprivate init(ofTemporaryFile error: SQLiteError) {
    self.init(
      .inputOutput,
      "the input cannot be kept in a temporary file: \(error.message); free space, or set TMPDIR "
        + "to another folder")
  }
}

extension UInt8 {
  fileprivate var isWhitespace: Bool {
    self == 0x20 || self == 0x09 || self == 0x0d
  }
}
