/// Detects a write-ahead log that was written for another database.
///
/// SQLite cannot detect it: if a database is moved to the path of another one that is in use,
/// SQLite uses the log of that one for it (SQLite, "How To Corrupt An SQLite Database File",
/// section 2.4).
enum ForeignLog {
  /// Whether the log was written for another store than the one at the path.
  ///
  /// A store marks its logs: it writes the page with its identity, which never changes. This method
  /// reads the log's own frames: SQLite ignores a log once it is copied, even if it was copied into
  /// another database.
  static func stands(beside path: String) -> Bool {
    // A store that is unreadable without its log has no identity here. Opening it reports errors.
    guard let log = LogContents(ofFileAt: path), let store = try? StorePage(ofFileAt: path) else {
      return false
    }
    // The page size of a store never changes.
    guard log.pageSize == store.size else { return true }
    let page = log.firstPage { number, _ in number == store.number }
    guard let identity = page.flatMap(StorePage.identity), identity != store.identity else {
      return false
    }
    // VACUUM may have given the page another number.
    return log.firstPage { StorePage.identity(in: $1) == store.identity } == nil
  }

  /// Whether a store is damaged with its log, but sound without it.
  ///
  /// Reads the whole file.
  static func breaks(_ path: String) -> Bool {
    // A file that cannot be read without its log is not sound without it.
    FileIdentity.size(of: path + "-wal") > 0 && (try? StorePage(ofFileAt: path)) != nil
      && IntegrityCheck.brokenFile(at: path, .immutable) == nil
      && IntegrityCheck.brokenFile(at: path) != nil
  }
}

/// The page of a database that has the identity of its store.
private struct StorePage {
  let number: Int
  let size: Int
  let identity: [UInt8]

  /// Reads a database without its log.
  init?(ofFileAt path: String) throws {
    let connection = try Connection(path: path, mode: .immutable)
    try connection.distrustSchema()
    // The table has a single row, so its root page has that row.
    guard
      let number = try connection.integer(
        "SELECT rootpage FROM sqlite_schema WHERE name = 'store'"),
      let size = try connection.integer("PRAGMA page_size"),
      let identity = try connection.text("SELECT identity FROM store")
    else { return nil }
    self.number = Int(clamping: number)
    self.size = Int(clamping: size)
    self.identity = Array(identity.utf8)
  }

  /// Finds the identity in a page; nil if it is not the page of a table with a single row, or if a
  /// power cut has left other bytes there.
  static func identity(in page: [UInt8]) -> [UInt8]? {
    // A leaf of a table, and the number of its cells (SQLite, "Database File Format", section 1.6).
    guard page.starts(with: [13]), page[3...4].elementsEqual([0, 1]) else { return nil }
    let digits = Set("0123456789abcdef".utf8)
    return page.split { !digits.contains($0) }.first { $0.count >= 32 }.map { Array($0.prefix(32)) }
  }
}
