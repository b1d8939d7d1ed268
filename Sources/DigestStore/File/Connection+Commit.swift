extension Connection {
  /// Checks that the transaction that was just committed is in a database.
  ///
  /// It is if its log is still at the path. Otherwise another program has renamed or deleted the log.
  /// Then this method copies it into its database, unless another log has taken its place: copying
  /// would undo what was written since.
  ///
  /// - Throws: ``FilesMoved`` if the transaction is lost, so that it has to be repeated;
  ///   ``DigestStoreError`` with code `busy` if its log cannot be copied now.
  func confirmCommit() throws {
    let commit = SharedLog(of: self).map { ($0.salt, UInt32(clamping: wal.pages)) }
    guard logPlace() != .unchanged else { return }
    // No process opens the file meanwhile.
    let isCopied = try lockingDirectory(of: path, waiting: patience.rawValue) { isLocked in
      switch place() {
      // Someone has moved the files back.
      case .unchanged, .emptied: true
      case .databaseMoved, .logMissing: isLocked && copyLogPastReaders()
      case .logReplaced:
        // The log begins anew only when all of it is copied.
        if let commit, let log = SharedLog(of: self), log.salt == commit.0,
          log.copiedFrames < commit.1
        {
          throw FilesMoved(isCommitted: true)
        } else {
          true
        }
      }
    }
    guard isCopied else {
      throw DigestStoreError(
        .busy, "\(path): the log was moved, and cannot be copied into the file now; try again")
    }
  }
}
