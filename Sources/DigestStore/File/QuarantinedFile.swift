import ResilientPlatform

/// Renames the files of a store to make way for a new one.
enum QuarantinedFile {
  /// The suffixes of a database's companion files (SQLite, "Temporary Files Used By SQLite").
  static let companions = ["-wal", "-shm"]

  /// Renames the files of a damaged store to `<path>.broken-<time>`. Deletes nothing.
  ///
  /// - Returns: the new path.
  /// - Throws: ``DigestStoreError`` when the directory may not be changed.
  static func rename(_ path: String, at date: Date) throws -> String {
    let aside = try freeName("\(path).broken", at: date)
    // Renames the database last. If the process dies in between, a damaged store remains, and not a
    // lone log.
    for companion in companions + [""] {
      guard move(path + companion, to: aside + companion) || errno == ENOENT else {
        let reason = String(cString: strerror(errno))
        throw DigestStoreError(
          .damaged,
          "\(path): the file is damaged and cannot be renamed (\(reason)); move it away and keep it "
            + "for repair")
      }
    }
    return aside
  }

  /// Returns the sorted names of the quarantined databases of a path, and of logs that were left
  /// behind, that are still in its directory; nil if the directory cannot be listed.
  static func names(of path: String) -> [String]? {
    let prefix = "\(path.fileName).broken-"
    // A file can be readable in an unreadable directory. The caller reports that.
    // A directory that cannot be read has none that could be found.
    let names = try? FileManager.default.contentsOfDirectory(atPath: path.directory)
    return names?.filter { name in
      // An empty log has nothing that is missing elsewhere.
      isLeftLog(name, of: path)
        ? (try? FileIdentity.size(of: "\(path.directory)/\(name)")) != 0
        : name.hasPrefix(prefix) && !companions.contains { name.hasSuffix($0) }
    }.sorted()
  }

  /// Whether a file is a log that was renamed by ``renameCompanions(of:at:where:)``.
  static func isLeftLog(_ name: String, of path: String) -> Bool {
    name.hasPrefix("\(path.fileName)-wal.left-")
  }

  /// Renames the log of a database and its shared memory, to `<path>-wal.left-<time>` and the like.
  ///
  /// The database at the path, or the next one there, starts without them.
  ///
  /// - Parameter isLeft: whether to rename a companion, given its suffix and identity.
  /// - Returns: the new name of the log, if it was renamed and is not empty.
  /// - Throws: ``SQLiteError`` if a companion cannot be examined or renamed.
  @discardableResult
  static func renameCompanions(
    of path: String, at date: Date, where isLeft: (String, FileIdentity) -> Bool
  ) throws -> String? {
    var log: String?
    for companion in companions {
      guard let file = try FileIdentity.find(path + companion), isLeft(companion, file) else {
        continue
      }
      let left = try freeName("\(path)\(companion).left", at: date)
      guard move(path + companion, to: left) || errno == ENOENT else {
        throw SQLiteError.system(errno)
      }
      if companion == "-wal", file.size > 0 { log = String(left.fileName) }
    }
    return log
  }

  /// Returns a name with a time that neither a file nor a companion file has.
  private static func freeName(_ name: String, at date: Date) throws -> String {
    let time = date.formatted(
      Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted, timeZone: .gmt))
    var free = "\(name)-\(time)"
    var attempt = 1
    while try ([""] + companions).contains(where: { try FileIdentity.find(free + $0) != nil }) {
      attempt += 1
      free = "\(name)-\(time)-\(attempt)"
    }
    return free
  }

  private static func move(_ old: String, to new: String) -> Bool {
    ResilientPlatform.rename(old, new) == 0
  }
}

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
    try lockingDirectory(of: path, waiting: connection.patience) { lock in
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
