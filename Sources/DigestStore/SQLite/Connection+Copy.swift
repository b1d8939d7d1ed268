import CSQLite

extension Connection {
  /// Copies a snapshot of the database into another one, page by page (SQLite, "Online Backup
  /// API").
  func copy(into copy: Connection) throws {
    guard let backup = sqlite3_backup_init(copy.handle, "main", handle, "main") else {
      return try copy.check(sqlite3_errcode(copy.handle), sql: nil)
    }
    // Copies all pages in one step, because a write between two steps would restart the copy.
    let code = sqlite3_backup_step(backup, -1)
    let last = sqlite3_backup_finish(backup)
    // `sqlite3_backup_finish` does not report that another connection is busy (SQLite,
    // "sqlite3_backup_finish").
    guard code != SQLITE_DONE else { return }
    throw SQLiteError(
      code: last == SQLITE_OK ? code : last, message: String(cString: sqlite3_errstr(code)),
      sql: nil)
  }
}
