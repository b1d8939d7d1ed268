import CSQLite

extension Connection {
  /// Copies the database as of one moment into another one, page by page (SQLite, "Online Backup
  /// API").
  func copy(into copy: Connection) throws {
    guard let backup = sqlite3_backup_init(copy.handle, "main", handle, "main") else {
      return try copy.check(sqlite3_errcode(copy.handle), sql: nil)
    }
    // All at once: what is written between two steps would have it begin again.
    let code = sqlite3_backup_step(backup, -1)
    let last = sqlite3_backup_finish(backup)
    // That another connection is busy is no error for the latter (SQLite, "sqlite3_backup_finish").
    guard code != SQLITE_DONE else { return }
    throw SQLiteError(
      code: last == SQLITE_OK ? code : last, message: String(cString: sqlite3_errstr(code)),
      sql: nil)
  }
}
