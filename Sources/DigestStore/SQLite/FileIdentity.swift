#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Identifies a file by device and inode, whatever its name.
struct FileIdentity: Hashable {
  /// What a look at a path found.
  enum Lookup: Equatable {
    case file(FileIdentity)
    case missing
    /// The path could not be examined: permissions, an I/O error, a file system that is away.
    case unknown
  }

  private let device: UInt64
  private let number: UInt64

  /// The length in bytes, which is no part of the identity.
  let size: Int64

  /// The permission bits, as in `chmod`; no part of the identity either.
  let permissions: Int

  /// Identifies the file at a path; nil if there is none, or if it cannot be examined.
  init?(path: String) {
    guard case .file(let identity) = Self.lookUp(path) else { return nil }
    self = identity
  }

  private init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
    size = Int64(status.st_size)
    permissions = Int(status.st_mode) & 0o7777
  }

  /// Examines a path. Only `ENOENT` and `ENOTDIR` mean that the file is gone.
  static func lookUp(_ path: String) -> Lookup {
    var status = stat()
    if stat(path, &status) == 0 { return .file(FileIdentity(status)) }
    return errno == ENOENT || errno == ENOTDIR ? .missing : .unknown
  }

  /// Whether there is certainly no file at a path.
  static func isMissing(_ path: String) -> Bool { lookUp(path) == .missing }

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.device == rhs.device && lhs.number == rhs.number
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(device)
    hasher.combine(number)
  }
}
