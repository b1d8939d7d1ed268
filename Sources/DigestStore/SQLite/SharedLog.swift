import CResilientAtomics
import CSQLite

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

  /// Nil if the connection uses no log, like one that regards the file as immutable.
  init?(of connection: Connection) {
    guard VFSFile.log(of: connection) != nil,
      let memory = VFSFile.database(of: connection)?.sharedMemory
    else { return nil }
    self.memory = memory
  }

  /// The salt of the log, which changes when the log restarts.
  var salt: UInt64 { resilient_load_64(memory + Offset.salt) }

  /// The number of committed frames. A frame contains a page.
  var frames: UInt32 { resilient_load_32(memory + Offset.frames) }

  /// The number of frames that are copied into the file.
  var copiedFrames: UInt32 {
    get { resilient_load_32(memory + Offset.copiedFrames) }
    nonmutating set {
      for offset in [Offset.attemptedFrames, Offset.copiedFrames] {
        resilient_store_32(memory + offset, newValue)
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
  /// reads keeps its snapshot. After this method, reads through such a snapshot may mix two states
  /// (``ReadMark``). So use it only for a log that is about to be deleted.
  ///
  /// - Returns: whether all of the log is copied. If not, for example because another process is
  ///   copying it, the log is still needed.
  @discardableResult
  func copyLogPastReaders() -> Bool {
    guard let file = VFSFile.database(of: self), let log = VFSFile.log(of: self),
      let shared = SharedLog(of: self)
    else { return false }
    return file.withCheckpointLock(patience) {
      let (salt, copied) = (shared.salt, shared.copiedFrames)
      let frames = shared.frames
      // While no other connection can copy it, only a log that is copied already can restart.
      guard copied < frames else { return true }
      guard shared.salt == salt, let frames = LogFrames(log, shared, count: frames), log.sync()
      else { return false }
      for frame in copied..<frames.count {
        guard let (page, contents) = frames.read(frame),
          file.write(contents, at: (page - 1) * frames.pageSize)
        else { return false }
      }
      guard file.setLength(frames.databasePages * frames.pageSize), file.sync() else {
        return false
      }
      shared.copiedFrames = frames.count
      return true
    } ?? false
  }
}

/// The committed frames of a log (SQLite, "WAL-mode File Format", section 1).
private struct LogFrames {
  private let log: VFSFile
  private let salt: ArraySlice<UInt8>
  let count: UInt32
  let pageSize: Int64

  /// The length of the database after the last commit, in pages.
  private(set) var databasePages: Int64 = 0

  /// Fails unless the log's own header agrees, and the last frame ends a commit.
  init?(_ log: VFSFile, _ shared: SharedLog, count: UInt32) {
    guard let header = log.read(32, at: 0),
      header[16..<24].elementsEqual(withUnsafeBytes(of: shared.salt, Array.init)),
      header[8..<12].bigEndianInteger == shared.pageSize, shared.pageSize >= 512
    else { return nil }
    self.log = log
    self.count = count
    salt = header[16..<24]
    pageSize = Int64(shared.pageSize)
    guard let last = log.read(24, at: position(of: count - 1)), last[8..<16] == salt else {
      return nil
    }
    databasePages = Int64(last[4..<8].bigEndianInteger)
    guard databasePages > 0 else { return nil }
  }

  /// Reads a frame: the number of its page, from 1 on, and the contents.
  func read(_ frame: UInt32) -> (page: Int64, contents: ArraySlice<UInt8>)? {
    guard let bytes = log.read(24 + Int(pageSize), at: position(of: frame)), bytes[8..<16] == salt,
      case let page = Int64(bytes[..<4].bigEndianInteger), page > 0
    else { return nil }
    return (page, bytes[24...])
  }

  /// A header of 32 bytes, then frames, each with a header of 24 bytes.
  private func position(of frame: UInt32) -> Int64 { 32 + Int64(frame) * (24 + pageSize) }
}

/// Detects that the log was copied past the snapshot of a read transaction.
struct ReadMark: Sendable {
  private let salt: UInt64
  private let frames: UInt32

  /// Call this after the first read of the transaction, which takes the snapshot. Nil for a
  /// database without a log.
  init?(_ connection: Connection) {
    guard let shared = SharedLog(of: connection) else { return nil }
    salt = shared.salt
    frames = shared.frames
  }

  /// Checks that the transaction has read a single state. Call this before the transaction ends.
  ///
  /// SQLite itself never copies frames that are newer than a snapshot in use, and copies no frames
  /// of a log that restarted during the transaction.
  ///
  /// - Throws: ``Connection/FilesMoved`` if it may have read more than one.
  func check(_ connection: Connection) throws {
    guard let shared = SharedLog(of: connection) else { return }
    guard shared.copiedFrames <= (shared.salt == salt ? frames : 0) else {
      throw Connection.FilesMoved()
    }
  }
}

extension ArraySlice<UInt8> {
  /// The bytes as a number, the most significant byte first.
  var bigEndianInteger: Int { reduce(0) { $0 << 8 | Int($1) } }
}
