#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The first bytes of a database file (SQLite, "Database File Format", section 1.3).
enum StoreHeader {
  private static let applicationIDOffset = 68

  /// Whether a file that SQLite cannot read was made by this library, as far as its header tells.
  ///
  /// To be called only of a file that SQLite has refused: closing a file takes away the locks that
  /// this process has on it (SQLite, "How To Corrupt An SQLite Database File", section 2.2).
  static func isStore(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4)
    guard pread(descriptor, &bytes, bytes.count, off_t(applicationIDOffset)) == bytes.count
    else { return false }
    return bytes.reduce(0) { $0 << 8 | Int64($1) } == Migrator.applicationID
  }
}
