import ResilientPlatform

/// Leaves a database that was moved or deleted while it was open.
///
/// Transactions that are only in its log would belong to no file. So the log is copied into the
/// database first, wherever that is now, and taken away from the path.
enum MovedFile {
  /// How often to try to copy the log while other processes copy it, too.
  private static let attempts = 50

  /// Prepares a connection whose files were moved for closing, with the directory of its path
  /// locked, so that no other process opens the path meanwhile.
  ///
  /// - Throws: ``DigestStoreError`` with code `busy` if the directory stays locked, or the log
  ///   cannot be copied; ``SQLiteError`` if the directory is gone. The connection stays as it is.
  static func leave(_ connection: Connection, at date: Date) throws {
    let path = connection.path
    try lockingDirectory(of: path, waiting: connection.patience.rawValue) { lock in
      try lock.check(path)
      guard try copyLog(of: connection) else {
        throw DigestStoreError(
          .busy, "\(path): the log was moved, and cannot be copied into the file now; try again")
      }
      guard let files = connection.files, connection.place() == .moved else { return }
      try QuarantinedFile.renameCompanions(of: path, at: date) { companion, file in
        file == (companion == "-wal" ? files.log : files.sharedMemory)
      }
    }
  }

  /// Copies the log into the open database, unless another log has taken its place: copying would
  /// undo what was written since.
  private static func copyLog(of connection: Connection) throws -> Bool {
    if connection.place() == .unchanged, case .file = connection.logReplacement() { return true }
    return try connection.emptyLog(attempts: attempts)
  }
}
