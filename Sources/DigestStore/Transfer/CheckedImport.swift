import ResilientPlatform

/// The lines of an import. Each is read once, and kept in a temporary database until all are known to
/// be good: nobody who writes to the store waits for the input.
final class CheckedImport {
  /// The number of digests.
  private(set) var digests = 0

  /// The number of decodes without errors.
  private(set) var decodes = 0

  /// The number of lines that are neither digests nor decodes.
  private(set) var invalid = 0

  /// The problems of the first ten invalid lines.
  private(set) var problems: [String] = []

  private let database: Connection
  private let addLine: Statement
  private let readLine: Statement

  /// Whether all lines were returned. The statement would begin again.
  private var isAtEnd = false

  /// Reads all lines.
  ///
  /// - Throws: ``DigestStoreError`` when they cannot be read or kept; with code `invalidInput` for
  ///   input of another format, and for a bad line, unless bad lines are skipped.
  init(_ input: LineReader, skippingInvalid: Bool) throws {
    var input = input
    do {
      database = try Connection(path: "", mode: .temporary)
      try database.execute("CREATE TABLE line (text BLOB); BEGIN")
      addLine = try Statement(database, "INSERT INTO line VALUES (?)")
      readLine = try Statement(database, "SELECT text FROM line ORDER BY rowid")
      try check(&input, skippingInvalid: skippingInvalid)
    } catch let error as SQLiteError {
      throw DigestStoreError(
        .inputOutput,
        "the input cannot be kept in a temporary file: \(error.message); free space, or set TMPDIR to "
          + "another folder")
    }
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
      case .digest: digests += 1
      case .decodes(let record):
        decodes = decodes.adding(count: Int(clamping: record.decodes))
      }
    } catch let problem as LineProblem {
      return problem
    }
    try addLine.run([.blob(Array(line))])
    return nil
  }

  /// Returns the next digests and decodes, up to a number of errors and digests; none at the end.
  func next(_ size: Int) throws -> [ImportedRecord] {
    var records: [ImportedRecord] = []
    var size = size
    while size > 0, !isAtEnd {
      guard try readLine.step() else {
        isAtEnd = true
        break
      }
      let record = try readLine.withBytes(at: 0, ImportedRecord.init)
      records.append(record)
      size -= record.size
    }
    return records
  }
}

extension UInt8 {
  fileprivate var isWhitespace: Bool {
    self == 0x20 || self == 0x09 || self == 0x0d
  }
}
