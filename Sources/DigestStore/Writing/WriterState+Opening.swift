import ResilientPlatform

extension WriterState {
  /// Opens the file at the path, creates it if there is none, and replaces it if it is damaged.
  ///
  /// The directory is locked while files are opened and renamed, but not during a check, which may
  /// take long. The check therefore records which file it has examined.
  mutating func open() throws -> Writer {
    var damage: FileDamage?
    for _ in 1...Self.maximumAttempts {
      do {
        let writer = try withDirectoryLock { slot, isLocked in
          if let damage { try slot.setAside(damage, isLocked: isLocked) }
          return try slot.makeWriter(isLocked: isLocked)
        }
        self.writer = writer
        // Records the replacement in the new file at once. If that fails, the next write tries
        // again.
        if !pendingLosses.pending.isEmpty { try? writer.append([]) }
        return writer
      } catch let error as FileDamage {
        guard damage == nil else { throw DigestStoreError(error.error, path: path) }
        damage = try confirmed(error)
      } catch is Connection.FilesMoved {}
    }
    throw Connection.FilesMoved()
  }

  private func makeWriter(isLocked: Bool) throws -> Writer {
    try leaveForeignLog(isLocked: isLocked)
    let file = FileIdentity(path: path)
    do {
      return try Writer(
        path: path, configuration: configuration, pendingLosses: pendingLosses,
        pendingDecodes: pendingDecodes, process: process)
    } catch let error as SQLiteError where error.isDamage || error.mayBeDamage {
      throw FileDamage(error: error, file: file)
    }
  }

  /// Renames a log that no database at the path has written, because SQLite would read or delete
  /// it.
  ///
  /// - Throws: ``DigestStoreError`` with code `busy` if there is such a log and another process
  ///   keeps the directory locked, because that process may be renaming the log.
  private func leaveForeignLog(isLocked: Bool) throws {
    let log = FileIdentity(path: path + "-wal")
    switch FileIdentity.lookUp(path) {
    case .unknown: return
    case .missing: break
    case .file(let file) where file.size == 0:
      // The log is all that is left of a store whose file was emptied. Without a log, the shared
      // memory is that of a moved file, at whose path another program has made an empty one.
      guard (log?.size ?? 0) == 0 else {
        throw FileDamage(error: .emptied, file: file, isCertain: true)
      }
    case .file: guard ForeignLog.stands(beside: path) else { return }
    }
    guard isLocked else {
      // The shared memory alone may still be in use by processes that have the moved file open.
      guard log != nil || FileIdentity(path: path + "-shm") != nil else { return }
      throw DigestStoreError(
        .busy,
        "\(path): another file's log is beside it, and its directory stays locked; try again")
    }
    let now = configuration.clock()
    let left = QuarantinedFile.renameCompanions(of: path, at: now)
    guard let name = left.first, let log, log.size > 0 else {
      // A store that was closed and then moved leaves an empty log.
      return QuarantinedFile.delete(left)
    }
    pendingLosses.add(
      .none,
      to: PendingLosses.Key(reason: .movedAway, hour: Moment(now).hour, note: name.fileNameText))
  }

  /// Checks that a file that could not be opened is a store, and is damaged.
  ///
  /// - Throws: ``DigestStoreError`` if it is not. The file of another program is left in place.
  private func confirmed(_ damage: FileDamage) throws -> FileDamage {
    if damage.isCertain { return damage }
    var damage = damage
    // Another process may have replaced the file; then the new one is opened.
    func isReplaced() -> Bool { FileIdentity(path: path) != damage.file }
    if isReplaced() { return damage }
    guard let header = StoreHeader(path: path), header.isOurs,
      damage.error.isDamage || !header.isSound
        || (damage.file != nil && IntegrityCheck.brokenFile(at: path) == damage.file)
    else {
      if isReplaced() { return damage }
      throw DigestStoreError(damage.error, path: path)
    }
    damage.isOfLogAlone = ForeignLog.breaks(path)
    return damage
  }
}

extension WriterState {
  /// Sets a damaged file aside, unless another file has replaced it.
  mutating func setAside(_ damage: FileDamage) throws {
    // Without a writer, it is not known that the file is a store.
    guard access == .open, writer != nil else { return }
    try withDirectoryLock { slot, isLocked in try slot.setAside(damage, isLocked: isLocked) }
  }

  /// Sets the writer's file aside, unless the error came from files that were moved.
  mutating func replaceDamagedFile(after error: SQLiteError) throws {
    guard let connection = writer?.connection else { throw error }
    switch connection.place() {
    case .unchanged, .emptied:
      // Including its log: the other connections of this process share the memory of that log.
      try setAside(FileDamage(error: error, file: connection.files?.database))
    case .databaseMoved, .logMissing, .logReplaced:
      throw Connection.FilesMoved(isCommitted: true)
    }
  }

  private mutating func setAside(_ damage: FileDamage, isLocked: Bool) throws {
    // Without the lock, another process may be replacing the file right now.
    guard isLocked else {
      throw DigestStoreError(
        .busy, "\(path): the file is damaged, and its directory stays locked; try again")
    }
    // A reader may have read the log of another database as its own; the writer can tell.
    let isWriters =
      writer.map { writer in
        writer.connection.files?.database == damage.file
          && [.unchanged, .emptied].contains(writer.connection.place())
      } ?? true
    guard isWriters, let file = damage.file, FileIdentity(path: path) == file else {
      // Another process was faster; the path has a new file.
      writer = nil
      return
    }
    let now = configuration.clock()
    let lost = writer?.totals ?? .none
    let losses = LossTable.entries(ofFileAt: path)
    writer = nil
    let aside: String
    if damage.isOfLogAlone {
      guard let left = QuarantinedFile.renameCompanions(of: path, at: now).first else { return }
      aside = left
    } else {
      aside = try QuarantinedFile.rename(path, at: now)
      for (key, count) in losses { pendingLosses.add(count, to: key) }
    }
    pendingLosses.add(
      lost,
      to: PendingLosses.Key(reason: .quarantined, hour: Moment(now).hour, note: aside.fileNameText))
    let error = DigestStoreError(damage.error, path: path)
    pendingLosses.add(DigestStore.Quarantine(path: aside, error: error))
  }

  /// Closes files that someone has moved, deleted or replaced, when no other connection of this
  /// process has them open.
  ///
  /// Copies the log into its database, wherever that is now, and frees the log's name for the next
  /// file (SQLite, "How To Corrupt An SQLite Database File", section 2.4).
  ///
  /// Other processes may still have the files open. If one of them commits after the log was
  /// renamed, it does not acknowledge the digest, but writes it to the file at the path. So the log
  /// can be deleted once all commits in it are copied.
  ///
  /// - Parameter copyingLog: false after a commit that is repeated in another file.
  /// - Throws: ``SQLiteError`` with code `SQLITE_BUSY` while another process copies the log, and
  ///   ``DigestStoreError`` with code `busy` while another process keeps the directory locked.
  mutating func leaveMovedFiles(copyingLog: Bool) throws {
    try withDirectoryLock { slot, isLocked in
      guard let writer = slot.writer else { return }
      let connection = writer.connection
      connection.patience = .afterVainWait
      defer { connection.patience = .default }
      let now = Moment(slot.configuration.clock())
      let place = connection.place()
      switch place {
      // Someone has moved the files back.
      case .unchanged, .emptied: return
      case .databaseMoved(let isLogInPlace):
        // Without the lock, another process may be replacing the log, so the one at the path may be
        // the next file's by now.
        guard isLocked || !isLogInPlace else {
          throw DigestStoreError(
            .busy, "\(slot.path): the file was moved, and its directory stays locked; try again")
        }
        // Fails while another process copies the log, before anything is renamed.
        let isCopyable = try copyingLog && connection.checkpointWhole()
        let left =
          isLogInPlace ? QuarantinedFile.renameCompanions(of: slot.path, at: now.date) : []
        // Includes commits made before the log was renamed.
        if isLocked, isCopyable, case .databaseMoved = connection.place(),
          connection.copyLogPastReaders()
        {
          QuarantinedFile.delete(left)
        }
        slot.pendingLosses.add(
          writer.totals, to: PendingLosses.Key(reason: .movedAway, hour: now.hour))
      case .logMissing:
        // No connection has opened the file since, so the log open here is its only one.
        if copyingLog, try connection.checkpointWhole(), isLocked, connection.place() == place {
          connection.copyLogPastReaders()
        }
      // The process that removed the log has already copied it. A second copy would undo later
      // writes.
      case .logReplaced: break
      }
      slot.writer = nil
    }
  }
}
