import CSQLite
import ResilientPlatform

/// A lock that keeps other programs from deleting the log of an open database.
///
/// The last connection that closes a database deletes its log. SQLite detects other connections by
/// a shared lock on the file. A process loses its locks when it closes any descriptor of the file,
/// as after `Data(contentsOf:)` (SQLite, "How To Corrupt An SQLite Database File", section 2.2).
/// This lock is on the same bytes, but belongs to its descriptor (Linux, fcntl(2), "Open file
/// description locks"). Other systems do not have such locks; on Apple's, SQLite keeps the log by
/// default.
struct DescriptorLock: ~Copyable {
  private let descriptor: Int32

  /// Locks the file at a path. Nil if there is none, or if the system has no such locks.
  ///
  /// - Parameter milliseconds: how long to wait for a program that is deleting the log.
  /// - Throws: ``SQLiteError`` with code `SQLITE_BUSY` after that time, or if the file cannot be
  ///   opened.
  init?(path: String, waiting milliseconds: Int) throws {
    #if os(Linux)
      descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        let code = errno
        if code == ENOENT { return nil }
        throw SQLiteError.system(code)
      }
      for _ in 0..<max(1, milliseconds) {
        switch shim_lock_descriptor(descriptor) {
        case 0: return
        case EAGAIN, EACCES: usleep(1_000)
        default: return nil
        }
      }
      throw SQLiteError(code: SQLITE_BUSY, message: "database is locked", sql: nil)
    #else
      return nil
    #endif
  }

  deinit {
    close(descriptor)
  }
}
