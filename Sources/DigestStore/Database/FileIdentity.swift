import CSQLite
import ResilientPlatform

/// Identifies a file by device and inode, independent of its name.
struct FileIdentity: Hashable {
  /// The result of a lookup.
  enum Lookup: Equatable {
    case file(FileIdentity)
    case missing
    /// The path could not be examined, because of permissions, an I/O error or an unmounted file
    /// system. The value is that of `errno`.
    case unknown(Int32)
  }

  private let device: UInt64
  private let number: UInt64

  /// The length in bytes. Not part of the identity.
  let size: Int64

  /// The number of names. Not part of the identity.
  let links: Int

  /// The permission bits, as in `chmod`. Not part of the identity.
  let permissions: Int

  /// The kind of file, as in `S_IFMT`. Not part of the identity.
  let kind: mode_t

  private init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
    size = Int64(status.st_size)
    links = Int(status.st_nlink)
    permissions = Int(status.st_mode) & 0o7777
    kind = status.st_mode & S_IFMT
  }

  /// Looks up a path. Only `ENOENT` and `ENOTDIR` mean that the file is missing.
  static func lookUp(_ path: String) -> Lookup {
    var status = stat()
    if stat(path, &status) == 0 { return .file(FileIdentity(status)) }
    let code = errno
    return code == ENOENT || code == ENOTDIR ? .missing : .unknown(code)
  }

  /// Returns the file at a path; nil if there is none.
  ///
  /// - Throws: ``SQLiteError`` if the path cannot be examined: it may have a file.
  static func find(_ path: String) throws -> FileIdentity? {
    switch lookUp(path) {
    case .file(let file): return file
    case .missing: return nil
    case .unknown(let code): throw SQLiteError.system(code)
    }
  }

  /// The length of a file in bytes; 0 if there is none.
  ///
  /// - Throws: ``SQLiteError`` if the path cannot be examined.
  static func size(of path: String) throws -> Int { try find(path).map { Int($0.size) } ?? 0 }

  /// Whether a path certainly has no file.
  static func isMissing(_ path: String) -> Bool { lookUp(path) == .missing }

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.device == rhs.device && lhs.number == rhs.number
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(device)
    hasher.combine(number)
  }
}

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

extension String {
  /// The part of the path after the last slash.
  var fileName: Substring {
    lastSlash.map { self[utf8.index(after: $0)...] } ?? self[...]
  }

  /// The part of the path before the file name.
  var directory: String {
    lastSlash.map { $0 == startIndex ? "/" : String(self[..<$0]) } ?? "."
  }

  /// Searches bytes, because a slash with a combining mark is another `Character`.
  private var lastSlash: Index? { utf8.lastIndex(of: UInt8(ascii: "/")) }
}
