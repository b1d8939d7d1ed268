import CSQLite

extension Connection {
  /// A check of SQLite on the structure of a file.
  enum IntegrityCheck: String {
    /// Also checks that the indexes agree with their tables.
    case full = "integrity_check"
    case quick = "quick_check"
  }

  /// The problems that SQLite finds in the pages of the file and in the rows of the store, a line
  /// each.
  ///
  /// Ignores the rows of other programs' tables, and tables that only those programs can read.
  func problems(_ check: IntegrityCheck) throws -> [String] {
    var all: [String] = []
    do {
      all = try rows("PRAGMA \(check.rawValue)") { $0.text(at: 0) ?? "" }
    } catch let error as SQLiteError where error.primaryCode == SQLITE_ERROR {
      // A table of another program uses a module, a collation or a function that this one lacks.
    }
    if all == ["ok"] { return [] }
    let own = try SchemaCheck.tables.flatMap { table in
      try rows("PRAGMA \(check.rawValue)(\(table))") { $0.text(at: 0) ?? "" }
    }
    // Begins a list of damaged pages, which a check of one table repeats.
    let pages = "*** in database main ***"
    let damaged = (all.isEmpty ? own : all).filter { $0.hasPrefix(pages) }
    let ofRows = own.filter { $0 != "ok" && !$0.hasPrefix(pages) }
    return (damaged + ofRows).flatMap { $0.split(separator: "\n").map(String.init) }
      .filter { $0 != pages }
  }

  /// Reads all of the file.
  ///
  /// - Throws: ``SQLiteError`` with code `SQLITE_CORRUPT` if it is damaged.
  func checkIntegrity() throws {
    guard let problem = try problems(.full).first else { return }
    throw SQLiteError(code: SQLITE_CORRUPT, message: problem, sql: nil)
  }
}
