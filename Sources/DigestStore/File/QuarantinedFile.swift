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
    let aside = freeName("\(path).broken", at: date)
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

  /// Returns the sorted names of the quarantined databases of a path that are still in its
  /// directory; nil if the directory cannot be listed.
  static func names(of path: String) -> [String]? {
    let prefix = "\(path.fileName).broken-"
    // A file can be readable in an unreadable directory. The caller reports that.
    let names = try? FileManager.default.contentsOfDirectory(atPath: path.directory)
    return names?.filter { name in
      name.hasPrefix(prefix) && !companions.contains { name.hasSuffix($0) }
    }.sorted()
  }

  /// Renames the log of a database and its shared memory, to `<path>-wal.left-<time>` and the like.
  ///
  /// The database at the path, or the next one there, starts without them.
  ///
  /// - Returns: the new paths.
  static func renameCompanions(of path: String, at date: Date) -> [String] {
    companions.filter { FileIdentity(path: path + $0) != nil }.compactMap { companion in
      let left = freeName("\(path)\(companion).left", at: date)
      return move(path + companion, to: left) ? left : nil
    }
  }

  /// Deletes the empty log and the shared memory of a store that was closed and then moved away. The
  /// directory must be locked.
  ///
  /// - Returns: whether the path has no companions now.
  static func removeNeedlessCompanions(of path: String) -> Bool {
    guard FileIdentity.size(of: path + "-wal") == 0 else { return false }
    delete(companions.map { path + $0 })
    return companions.allSatisfy { FileIdentity.isMissing(path + $0) }
  }

  static func delete(_ paths: [String]) {
    for path in paths { unlink(path) }
  }

  /// Returns a name with a time that neither a file nor a companion file has.
  private static func freeName(_ name: String, at date: Date) -> String {
    let time = date.formatted(
      Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted, timeZone: .gmt))
    var free = "\(name)-\(time)"
    var attempt = 1
    while ([""] + companions).contains(where: { FileIdentity(path: free + $0) != nil }) {
      attempt += 1
      free = "\(name)-\(time)-\(attempt)"
    }
    return free
  }

  private static func move(_ old: String, to new: String) -> Bool {
    ResilientPlatform.rename(old, new) == 0
  }
}
