import CSQLite
import ResilientPlatform

extension DigestStoreError {
  /// Describes an error of a store with the path that the app passed instead of the resolved one.
  init(_ error: any Error, path: String, insteadOf resolvedPath: String) {
    let resolved = DigestStoreError(error, path: resolvedPath)
    self.init(resolved.code, resolved.description.replacing(resolvedPath, with: path))
  }

  /// Describes an error with its file and a remedy.
  init(_ error: any Error, path: String) {
    switch error {
    case let error as DigestStoreError: self = error
    case let error as SQLiteError:
      if let refusal = OpeningRefusal(error, path: path) {
        self.init(refusal.code, "\(path): \(refusal.description)")
        return
      }
      let (code, description) =
        error.primaryCode == SQLITE_NOTADB && Self.isMarkedAsStore(path)
        ? (.damaged, Self.damage("its header is not SQLite's")) : Self.codeAndDescription(error)
      self.init(code, "\(path): \(description)")
    case is Connection.FilesMoved:
      self.init(.busy, "\(path): the file keeps being moved or replaced; try again")
    case is Connection.SchemaChanged:
      self.init(.busy, "\(path): other programs keep changing the schema; try again")
    case let error as UnreadableRow:
      self.init(.damaged, "\(path): \(error.description); run digest-query verify")
    default:
      self.init(.inputOutput, "\(path): \(error)")
    }
  }

  /// Says what happened and what to do, without the statement, which a user knows nothing of.
  private static func codeAndDescription(_ error: SQLiteError) -> (Code, String) {
    switch error.primaryCode {
    case SQLITE_NOTADB: (.notAStore, "this isn't a store; choose another path")
    case _ where error.isDamage:
      (.damaged, damage(error.message))
    case SQLITE_BUSY, SQLITE_LOCKED: (.busy, "another process keeps it locked; try again")
    case _ where error.isOverflow: (.damaged, "counts are too large; run digest-query verify")
    case _ where error.isDiskFull: (.diskFull, "the disk is full; free some space")
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
      (.readOnly, "the file may not be written; check the permissions of file and directory")
    case SQLITE_CANTOPEN:
      (
        .inputOutput,
        "the file cannot be opened (\(error.reason)); check the path, and the permissions of file and "
          + "directory"
      )
    case SQLITE_IOERR:
      (
        .inputOutput,
        "the file cannot be read or written (\(error.reason)); check the disk and the file"
      )
    default: (.inputOutput, "SQLite reports: \(error.message); run digest-query doctor")
    }
  }

  private static func damage(_ reason: String) -> String {
    "the file is damaged (\(reason)), and an app that writes to it sets it aside; \(damageRemedy)"
  }

  /// Whether a file has the application id of a store, at offset 68 (SQLite, "Database File
  /// Format", section 1.3), although SQLite takes it for no database.
  private static func isMarkedAsStore(_ path: String) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var mark = [UInt8](repeating: 0, count: 4)
    // The text of the id, which the migrator writes as a number.
    return pread(file, &mark, mark.count, 68) == mark.count && mark.elementsEqual("DGSQ".utf8)
  }

  /// How the contents of a damaged file are saved.
  static let damageRemedy =
    "save what .recover or .dump of sqlite3 can read, or import the last export into a new store"
}

extension SQLiteError {
  /// The system's message, or SQLite's if no system call failed.
  fileprivate var reason: String {
    systemCode == 0 ? message : String(cString: strerror(systemCode))
  }
}
