#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Which file it is, whatever its name is.
struct FileIdentity: Hashable {
  private let device: UInt64
  private let number: UInt64

  /// The length in bytes, which is no part of the identity.
  let size: Int64

  /// Who may read, write and run it, as in `chmod`; no part of the identity either.
  let permissions: Int

  /// Reads what is at a path; nil where there is nothing that can be read.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
    size = Int64(status.st_size)
    permissions = Int(status.st_mode) & 0o7777
  }

  /// Whether there is nothing at a path; what one may not look for may be there.
  static func isMissing(_ path: String) -> Bool {
    access(path, F_OK) != 0 && errno != EACCES
  }

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.device == rhs.device && lhs.number == rhs.number
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(device)
    hasher.combine(number)
  }
}
