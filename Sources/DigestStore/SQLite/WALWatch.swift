import CSQLite

/// Remembers the length of the write-ahead log, and keeps SQLite from emptying it within a commit.
///
/// SQLite's own automatic checkpoint is such a hook too, and gives way to this one (SQLite,
/// "sqlite3_wal_hook").
final class WALWatch {
  private(set) var pages: Int32 = 0

  /// Watches a connection, which keeps this object alive.
  init(_ handle: OpaquePointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        guard let context else { return SQLITE_OK }
        Unmanaged<WALWatch>.fromOpaque(context).takeUnretainedValue().pages = pages
        return SQLITE_OK
      }, context)
  }
}
