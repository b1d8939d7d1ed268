/// Detects a write-ahead log that was written for another database.
///
/// SQLite cannot detect it: if a database is moved to the path of another one that is in use,
/// SQLite uses the log of that one for it (SQLite, "How To Corrupt An SQLite Database File",
/// section 2.4).
enum ForeignLog {
  /// Whether the log changes the identity of a store, which never changes.
  static func stands(beside path: String) -> Bool {
    guard hasLog(path), let alone = identity(at: path, .immutable),
      let together = identity(at: path, .readWrite)
    else { return false }
    return alone != together
  }

  /// Whether a store is damaged with its log, but sound without it.
  ///
  /// Reads the whole file.
  static func breaks(_ path: String) -> Bool {
    hasLog(path) && identity(at: path, .immutable) != nil
      && IntegrityCheck.brokenFile(at: path, .immutable) == nil
      && IntegrityCheck.brokenFile(at: path) != nil
  }

  private static func hasLog(_ path: String) -> Bool {
    (FileIdentity(path: path + "-wal")?.size ?? 0) > 0
  }

  private static func identity(at path: String, _ mode: Connection.Mode) -> String? {
    // An unreadable file has no identity here. Opening it as a store reports the error.
    guard let connection = try? Connection(path: path, mode: mode) else { return nil }
    if mode == .readWrite { connection.leaveLogOnClose() }
    guard (try? connection.distrustSchema()) != nil else { return nil }
    return (try? connection.text("SELECT identity FROM store")) ?? nil
  }
}
