import CSQLite

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
      let (code, remedy) = Self.codeAndRemedy(error)
      self.init(code, "\(path): \(error.description); \(remedy)")
    case is Connection.FilesMoved:
      self.init(.busy, "\(path): the file keeps being moved or replaced; try again")
    case let error as UnreadableRow:
      self.init(.damaged, "\(path): \(error.description); run digest-query verify")
    default:
      self.init(.inputOutput, "\(path): \(error)")
    }
  }

  private static func codeAndRemedy(_ error: SQLiteError) -> (Code, String) {
    switch error.primaryCode {
    case SQLITE_NOTADB: (.notAStore, "this is no store; choose another path")
    case SQLITE_CORRUPT: (.damaged, "the file is damaged; the app sets it aside when it writes")
    case SQLITE_BUSY, SQLITE_LOCKED: (.busy, "another process keeps it locked; try again")
    case _ where error.isOverflow: (.damaged, "counts are too large; run digest-query verify")
    case _ where error.isDiskFull: (.diskFull, "free some space on the disk")
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
      (.readOnly, "check the permissions of file and directory")
    case SQLITE_CANTOPEN:
      (.inputOutput, "check the path, and the permissions of file and directory")
    default: (.inputOutput, "check the disk and the file")
    }
  }
}
