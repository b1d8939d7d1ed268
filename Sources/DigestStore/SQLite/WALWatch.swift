import CSQLite

/// Tracks the length of the write-ahead log, and prevents SQLite from checkpointing within a
/// commit.
///
/// SQLite's automatic checkpoint uses the same hook, and this one replaces it (SQLite,
/// "sqlite3_wal_hook").
final class WALWatch {
  /// The number of pages in the log after this connection's last commit.
  private(set) var pages = 0

  /// How often the log has restarted after it was completely copied into the file.
  private(set) var beginnings = 0

  /// Watches a connection. The connection must keep this object alive.
  init(_ handle: OpaquePointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        guard let context else { return SQLITE_OK }
        let watch = Unmanaged<WALWatch>.fromOpaque(context).takeUnretainedValue()
        // Every commit appends pages, so a log that is not longer has restarted.
        if pages <= watch.pages { watch.beginnings += 1 }
        watch.pages = Int(pages)
        return SQLITE_OK
      }, context)
  }
}

/// The state of a write-ahead log in the memory that its connections share (SQLite, "WAL-mode File
/// Format", section 2.1).
struct SharedLogState {
  /// The salt of the log, which changes when the log restarts.
  let salt: UInt64

  /// Whether all of the log is copied into the file, so that the next commit may restart it.
  let isCopied: Bool
}

extension Connection {
  /// Reads the state of this connection's log; nil if nothing is in it yet.
  ///
  /// Needs no system call. Without a lock, the state may be changing.
  func logState() -> SharedLogState? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    var memory: UnsafeMutableRawPointer?
    guard
      sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
      let file, let methods = file.pointee.pMethods, methods.pointee.iVersion >= 2,
      let map = methods.pointee.xShmMap,
      // The first of its blocks, which all have this size. SQLite has mapped it already.
      map(file, 0, 32_768, 0, &memory) == SQLITE_OK, let memory
    else { return nil }
    let length = memory.load(fromByteOffset: 16, as: UInt32.self)
    let copied = memory.load(fromByteOffset: 96, as: UInt32.self)
    guard length > 0 else { return nil }
    return SharedLogState(
      salt: memory.load(fromByteOffset: 32, as: UInt64.self), isCopied: copied == length)
  }
}
