import CSQLite

/// Tracks the length of the write-ahead log, and prevents SQLite from checkpointing within a
/// commit.
///
/// SQLite's automatic checkpoint uses the same hook, and this one replaces it (SQLite,
/// "sqlite3_wal_hook").
final class WALWatch {
  /// The number of pages in the log after this connection's last commit.
  private(set) var pages = 0

  /// Watches a connection. The connection must keep this object alive.
  init(_ handle: OpaquePointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        guard let context else { return SQLITE_OK }
        let watch = Unmanaged<WALWatch>.fromOpaque(context).takeUnretainedValue()
        watch.pages = Int(pages)
        return SQLITE_OK
      }, context)
  }
}
