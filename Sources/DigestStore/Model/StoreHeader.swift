import CSQLite
import ResilientPlatform

/// The first bytes of a database file (SQLite, "Database File Format", section 1.3).
enum StoreHeader {
  /// Whether a file has the application id of a store, although SQLite may take it for no database.
  static func isMarked(_ path: String) -> Bool {
    // The text of the id, which the migrator writes as a number.
    bytes(at: 68, count: 4, of: path)?.elementsEqual("DGSQ".utf8) ?? false
  }

  /// Whether a damaged file may be a store. A file that SQLite does not recognize as a database is
  /// one only if it is marked.
  static func mayBeStore(_ path: String, _ error: SQLiteError) -> Bool {
    error.primaryCode != SQLITE_NOTADB || isMarked(path)
  }

  /// Whether SQLite can write the version of the file format: 1, or 2 with a log. It only reads
  /// files of other versions.
  static func isWritable(_ path: String) -> Bool {
    bytes(at: 18, count: 1, of: path).map { 1...2 ~= $0[0] } ?? true
  }

  private static func bytes(at offset: Int, count: Int, of path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: count)
    return pread(descriptor, &bytes, count, off_t(offset)) == count ? bytes : nil
  }
}
