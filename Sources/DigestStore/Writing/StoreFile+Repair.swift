import ResilientPlatform

/// A file that was moved, deleted or damaged while it is open.
extension StoreFile {
  /// Runs `body`, which uses ``readers``. Sets the file aside if it is damaged.
  func reading<Value>(_ body: () throws -> Value) throws -> Value {
    // A reader opened beside a writer of moved files would get the memory of the writer's log.
    if readers.mustReopen, writing.withLock({ $0.writer?.connection.place() == .moved }) {
      try leaveMovedFiles()
    }
    do {
      return try body()
    } catch let damage as FileDamage {
      guard readers.confirm(damage) else { throw SQLiteError.failedRead }
      // The next report finds a new file.
      try setAside(damage)
      reportQuarantines()
      throw damage.error
    }
  }

  /// Closes all connections to files that were moved, deleted or replaced.
  ///
  /// It has to close all of them: the connections of a process to one database share the memory of
  /// its log, and a new connection would get the memory of the abandoned log.
  func leaveMovedFiles() throws {
    // Does not wait for a long read, because a closure that it calls may be what is writing here.
    let hasLeft: Void? = try readers.closeWithoutLongRead {
      try copying.withLock { copier in
        copier = nil
        try writing.withLock { state in
          state.suspect = nil
          guard let connection = state.writer?.connection else { return }
          if connection.place() == .moved {
            let hour = Moment(configuration.clock()).hour
            pendingLosses.add(.none, to: PendingLosses.LossKey(reason: .movedAway, hour: hour))
          }
          do {
            try MovedFile.leave(connection, at: configuration.clock())
          } catch let error as SQLiteError where error.isDamage {
            // What is left of a damaged file stays with it.
          }
          state.writer = nil
        }
      }
    }
    guard hasLeft != nil else {
      throw DigestStoreError(
        .busy, "\(path): the file was moved while verify was running; try again when it ends")
    }
  }

  /// Renames what belongs to a database that was moved away: SQLite would use it for a new one.
  func leaveCompanions() throws {
    let date = configuration.clock()
    let log = try QuarantinedFile.renameCompanions(of: path, at: date) { _, _ in true }
    guard let log else { return }
    let key = PendingLosses.LossKey(reason: .movedAway, hour: Moment(date).hour, note: log)
    pendingLosses.add(.none, to: key)
  }

  /// Lets a new writer look at the file in which one has met damage.
  func replaceWriter() {
    writing.withLock { state in
      state.suspect = state.writer
      state.writer = nil
    }
  }

  /// Renames a damaged file, unless another file has replaced it.
  ///
  /// - Throws: the error of the damage, if damaged files stay where they are.
  func setAside(_ damage: FileDamage) throws {
    guard configuration.setsDamagedFilesAside else { throw damage.error }
    try writing.withLock { state in
      try lockingDirectory(of: path, waiting: configuration.patience) { lock in
        try lock.check(path)
        (state.writer, state.suspect) = (nil, nil)
        guard let file = damage.file, try FileIdentity.find(path) == file else { return }
        let date = configuration.clock()
        let aside = try QuarantinedFile.rename(path, at: date)
        pendingLosses.add(
          .none,
          to: PendingLosses.LossKey(
            reason: .quarantined, hour: Moment(date).hour, note: String(aside.fileName)))
        pendingLosses.add(
          DigestStore.Quarantine(path: aside, error: DigestStoreError(damage.error, path: path)))
      }
    }
  }
}
