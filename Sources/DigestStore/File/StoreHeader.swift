import CSQLite
import ResilientPlatform

/// The first bytes of a database file (SQLite, "Database File Format", section 1.3).
enum StoreHeader {
  /// Whether a damaged file may be a store. A file that SQLite does not recognize as a database is
  /// one only if it has the application id of a store.
  static func mayBeStore(_ path: String, _ error: SQLiteError) -> Bool {
    guard error.primaryCode == SQLITE_NOTADB else { return true }
    var id = [UInt8](repeating: 0, count: 4)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let count = pread(descriptor, &id, 4, 68)
    return count == 4 && id.reduce(0) { $0 << 8 | Int64($1) } == Migrator.applicationID
  }
}
