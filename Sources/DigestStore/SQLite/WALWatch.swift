import CSQLite

/// Remembers the length of the write-ahead log, and keeps SQLite from emptying it within a commit.
///
/// SQLite's own automatic checkpoint is such a hook too, and gives way to this one (SQLite,
/// "sqlite3_wal_hook").
final class WALWatch {
  /// How many pages it had after the last commit of this connection.
  private(set) var pages = 0

  /// How often it has begun anew, once all of it had been copied into the file.
  private(set) var beginnings = 0

  /// Watches a connection, which keeps this object alive.
  init(_ handle: OpaquePointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        guard let context else { return SQLITE_OK }
        let watch = Unmanaged<WALWatch>.fromOpaque(context).takeUnretainedValue()
        // Every commit adds to it.
        if pages <= watch.pages { watch.beginnings += 1 }
        watch.pages = Int(pages)
        return SQLITE_OK
      }, context)
  }
}
