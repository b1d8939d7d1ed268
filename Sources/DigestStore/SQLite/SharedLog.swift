/// The state of a write-ahead log in the memory that its connections share (SQLite, "WAL-mode File
/// Format", section 2.1).
///
/// Reading it needs no system call. Without a lock, it may be changing.
struct SharedLog {
  private enum Offset {
    static let pageSize = 14
    static let frames = 16
    static let salt = 32
    static let copiedFrames = 96
    static let attemptedFrames = 128
  }

  private let memory: UnsafeMutableRawPointer

  /// Nil if the connection has no log.
  init?(of connection: Connection) {
    guard let memory = VFSFile.database(of: connection)?.sharedMemory else { return nil }
    self.memory = memory
  }

  /// The salt of the log, which changes when the log restarts.
  var salt: UInt64 { memory.load(fromByteOffset: Offset.salt, as: UInt64.self) }

  /// The number of committed frames, each of which has the contents of a page.
  var frames: UInt32 { memory.load(fromByteOffset: Offset.frames, as: UInt32.self) }

  /// The number of frames that are copied into the file.
  var copiedFrames: UInt32 {
    get { memory.load(fromByteOffset: Offset.copiedFrames, as: UInt32.self) }
    nonmutating set {
      for offset in [Offset.attemptedFrames, Offset.copiedFrames] {
        memory.storeBytes(of: newValue, toByteOffset: offset, as: UInt32.self)
      }
    }
  }

  /// Whether all of the log is copied into the file, so that the next commit may restart it.
  var isCopied: Bool { copiedFrames == frames }

  /// The size of a page in bytes.
  var pageSize: Int {
    let size = memory.load(fromByteOffset: Offset.pageSize, as: UInt16.self)
    // The largest size does not fit (SQLite, "Database File Format", section 1.3.2).
    return size == 1 ? 65_536 : Int(size)
  }
}

extension Connection {
  /// Copies the rest of the log into the file, also past the snapshots of readers.
  ///
  /// SQLite copies no more than the oldest snapshot needs, and a process that is stopped while it
  /// reads keeps its snapshot. What is read through such a snapshot afterwards may be inconsistent,
  /// so use this only for a log that is about to be deleted.
  ///
  /// - Returns: whether all of the log is copied. If not, for example because another process is
  ///   copying it, the log is still needed.
  @discardableResult
  func copyLogPastReaders() -> Bool {
    guard let file = VFSFile.database(of: self), let log = VFSFile.log(of: self),
      let shared = SharedLog(of: self)
    else { return false }
    return file.withCheckpointLock(patience) {
      // No other connection can copy the log now, so it does not restart either.
      let frames = shared.frames
      let pageSize = shared.pageSize
      var size: Int?
      for frame in shared.copiedFrames..<max(frames, shared.copiedFrames) {
        // A header of 32 bytes, then frames, each with a header of 24 bytes (SQLite, "WAL-mode File
        // Format", section 1).
        let start = 32 + Int(frame) * (24 + pageSize)
        guard let bytes = log.read(24 + pageSize, at: start),
          file.write(bytes[24...], at: (bytes[..<4].bigEndianInteger - 1) * pageSize)
        else { return false }
        // Only the last frame of a commit has the length of the database, in pages.
        size = bytes[4..<8].bigEndianInteger
      }
      if let size {
        guard file.finish(size * pageSize) else { return false }
        shared.copiedFrames = frames
      }
      return true
    } ?? false
  }
}

extension ArraySlice<UInt8> {
  /// The bytes as a number, the most significant byte first.
  var bigEndianInteger: Int { reduce(0) { $0 << 8 | Int($1) } }
}
