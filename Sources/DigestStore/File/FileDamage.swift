import CSQLite
import ResilientPlatform

/// The error for a damaged file.
struct FileDamage: Error {
  /// The error of SQLite.
  let error: SQLiteError

  /// The file that was examined. No other file is set aside for this damage.
  let file: FileIdentity?

  /// Whether it cannot be a failed read, which SQLite reports as damage, too: the file is empty.
  var isCertain = false

  /// Whether a new connection has found damage again where an earlier one did.
  func confirms(_ earlier: FileDamage?) -> Bool {
    isCertain || earlier.map { $0.file == file } ?? false
  }

  /// Runs `body`, and adds the identity of the file to an error about damage.
  ///
  /// Ignores files that were moved: they may only look damaged, because other processes write
  /// them.
  static func catching<Value>(
    on connection: Connection, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch let error as SQLiteError where error.isDamage {
      let place = connection.place()
      guard place != .moved else { throw error }
      throw FileDamage(
        error: error, file: connection.files?.database, isCertain: place == .emptied)
    }
  }
}

/// The first bytes of a database file (SQLite, "Database File Format", section 1.3).
enum StoreHeader {
  /// Whether a damaged file may be a store. A file that SQLite does not recognize as a database is
  /// one only if it has the application id of a store.
  static func mayBeStore(_ path: String, _ error: SQLiteError) -> Bool {
    guard error.primaryCode == SQLITE_NOTADB else { return true }
    let id = bytes(at: 68, count: 4, of: path)
    return id?.reduce(0) { $0 << 8 | Int64($1) } == Migrator.applicationID
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
