#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The first bytes of a database file (SQLite, "Database File Format", section 1.3).
enum StoreHeader {
  /// Whether a file that SQLite cannot read was made by this library, as far as its header tells.
  ///
  /// To be called only of a file that SQLite has refused: closing a file takes away the locks that
  /// this process has on it (SQLite, "How To Corrupt An SQLite Database File", section 2.2).
  static func isStore(_ path: String) -> Bool {
    let applicationID = bytes(of: path)?[68..<72].reduce(0) { $0 << 8 | Int64($1) }
    return applicationID == Migrator.applicationID
  }

  /// Whether the header is one of a database with a write-ahead log.
  ///
  /// Of what it does not know SQLite takes it to be read-only or from the future. As long as the
  /// tables of a new file are in the log only, the format of its schema is 0.
  static func isSound(_ path: String) -> Bool {
    // What cannot be read tells nothing.
    guard let bytes = bytes(of: path) else { return true }
    return bytes[18...19].allSatisfy { 1...2 ~= $0 } && Array(bytes[21...23]) == [64, 32, 32]
      && bytes[44..<47].allSatisfy { $0 == 0 } && 0...4 ~= bytes[47]
  }

  private static func bytes(of path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 100)
    return pread(descriptor, &bytes, bytes.count, 0) == bytes.count ? bytes : nil
  }
}
