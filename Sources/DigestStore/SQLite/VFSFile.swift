import CSQLite
import ResilientPlatform

/// Direct access to a file that a connection has open, without transactions (SQLite,
/// "sqlite3_io_methods").
///
/// Opening a database file again would release the locks of this process when it is closed (SQLite,
/// "How To Corrupt An SQLite Database File", section 2.2).
struct VFSFile {
  private let file: UnsafeMutablePointer<sqlite3_file>
  private let methods: UnsafePointer<sqlite3_io_methods>

  /// The database file of a connection; nil if it is in memory.
  static func database(of connection: Connection) -> VFSFile? {
    VFSFile(connection, SQLITE_FCNTL_FILE_POINTER)
  }

  /// The write-ahead log of a connection, wherever it was renamed to; nil if it uses none.
  static func log(of connection: Connection) -> VFSFile? {
    VFSFile(connection, SQLITE_FCNTL_JOURNAL_POINTER)
  }

  private init?(_ connection: Connection, _ operation: Int32) {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(connection.handle, "main", operation, &file) == SQLITE_OK,
      let file, let methods = file.pointee.pMethods
    else { return nil }
    self.file = file
    self.methods = methods
  }

  /// Reads bytes; nil if the file is shorter.
  func read(_ count: Int, at offset: Int64) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let code = methods.pointee.xRead?(file, &bytes, Int32(count), offset)
    return code == SQLITE_OK ? bytes : nil
  }

  /// Writes bytes, and returns whether that worked.
  func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) -> Bool {
    bytes.withUnsafeBytes {
      methods.pointee.xWrite?(file, $0.baseAddress, Int32($0.count), offset)
    } == SQLITE_OK
  }

  func setLength(_ length: Int64) -> Bool {
    methods.pointee.xTruncate?(file, length) == SQLITE_OK
  }

  /// Writes everything to the disk.
  func sync() -> Bool {
    methods.pointee.xSync?(file, SQLITE_SYNC_NORMAL) == SQLITE_OK
  }

  /// The first block of the memory that the connections to a database share for its log; nil if
  /// they share none (SQLite, "WAL-mode File Format", section 2).
  ///
  /// Only for a connection that uses the log: SQLite would otherwise create `-shm`.
  var sharedMemory: UnsafeMutableRawPointer? {
    var memory: UnsafeMutableRawPointer?
    guard methods.pointee.iVersion >= 2,
      // All blocks have this size. SQLite has mapped the first one already.
      methods.pointee.xShmMap?(file, 0, 32_768, 0, &memory) == SQLITE_OK
    else { return nil }
    return memory
  }

  /// Runs `body` while no connection copies the log; nil if one copies it for longer than
  /// `patience`.
  func withCheckpointLock<Result>(
    _ patience: Connection.Patience, _ body: () -> Result
  ) -> Result? {
    guard let lock = methods.pointee.xShmLock else { return nil }
    // WAL_CKPT_LOCK (SQLite, "WAL-mode File Format", section 2.3).
    for _ in 1...patience.rawValue {
      if lock(file, 1, 1, SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE) == SQLITE_OK {
        defer { _ = lock(file, 1, 1, SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE) }
        return body()
      }
      usleep(1_000)
    }
    return nil
  }
}
