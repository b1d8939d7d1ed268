import ResilientPlatform

/// Identifies a file by device and inode, independent of its name.
struct FileIdentity: Hashable {
  /// The result of a lookup.
  enum Lookup: Equatable {
    case file(FileIdentity)
    case missing
    /// The path could not be examined, because of permissions, an I/O error or an unmounted file
    /// system.
    case unknown
  }

  private let device: UInt64
  private let number: UInt64

  /// The length in bytes. Not part of the identity.
  let size: Int64

  /// The number of names. Not part of the identity.
  let links: Int

  /// The permission bits, as in `chmod`. Not part of the identity.
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
    links = Int(status.st_nlink)
    permissions = Int(status.st_mode) & 0o7777
  }

  /// Looks up a path. Only `ENOENT` and `ENOTDIR` mean that the file is missing.
  static func lookUp(_ path: String) -> Lookup {
    var status = stat()
    if stat(path, &status) == 0 { return .file(FileIdentity(status)) }
    return errno == ENOENT || errno == ENOTDIR ? .missing : .unknown
  }

  /// The length of a file in bytes; 0 if there is none, or if it cannot be examined.
  static func size(of path: String) -> Int { FileIdentity(path: path).map { Int($0.size) } ?? 0 }

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
