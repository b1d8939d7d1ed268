extension DigestReader {
  /// Describes the state of the store, without changing anything.
  ///
  /// To check the contents of the file, use ``verify(progress:)``. This method counts the digests,
  /// and reads the whole file to find damaged pages.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func diagnose() throws -> DigestStore.Diagnosis {
    let library = SQLiteLibrary.current
    let now = clock()
    let losses = try losses()
    let reachedLimits = try reachedLimits()
    let newest = try newestError()
    let interruptedPushes = try interruptedPushes()
    let evicted = losses.sum { $0.reason == .evicted ? $0.occurrences : 0 }
    let (name, path) = (path, try fileConnections.path)
    return try readFile { connection in
      let file = try FileIdentity.find(path)
      return try connection.inSnapshot {
        let size = try connection.fileSize()
        let totals = try Totals(connection, DigestFilter())
        let counted =
          try connection.rows(
            """
            SELECT coalesce(sum(occurrences), 0) FROM (\(totals.sql())) AS t
            """
          ) { $0.count(at: 0) }.first ?? 0
        return DigestStore.Diagnosis(
          sqliteVersion: library.version,
          hasWALResetBug: library.hasWALResetBug,
          path: name,
          permissions: file?.permissions ?? 0,
          schemaVersion: Int(try connection.schemaVersion()),
          pageSize: size.pageSize,
          // For a file read without locks, SQLite always returns `delete`.
          journalMode: connection.mode == .immutable
            ? nil : try connection.text("PRAGMA journal_mode"),
          autoVacuum: try connection.autoVacuum(),
          fileBytes: Int(file?.size ?? 0),
          logBytes: try FileIdentity.size(of: path + "-wal"),
          freePages: size.freePages,
          digests: Int(try connection.integer("SELECT count(*) FROM digest") ?? 0),
          occurrences: max(0, Int(clamping: counted) - evicted),
          tailDigests: Int(try connection.integer(Self.countTail) ?? 0),
          newestError: newest,
          growingPaths: try connection.growingPaths(),
          interruptedPushes: interruptedPushes,
          reachedLimits: reachedLimits,
          losses: losses,
          setAside: QuarantinedFile.names(of: path),
          problem: try connection.problems(.quick).first,
          date: now
        )
      }
    }
  }

  private static let countTail =
    "SELECT count(*) FROM digest WHERE id > (SELECT folded FROM store)"
}

extension Connection {
  /// The models with many paths, and how many each has: keys that are ids make paths of their own.
  fileprivate func growingPaths() throws -> [DigestStore.Diagnosis.GrowingPath] {
    try rows(
      """
      SELECT m.name, count(DISTINCT f.coding_path) AS paths
      FROM failure AS f JOIN model AS m ON m.id = f.model
      GROUP BY m.id HAVING paths >= \(DigestStore.Diagnosis.GrowingPath.minimum)
      ORDER BY paths DESC, m.name LIMIT 10
      """
    ) { row in
      DigestStore.Diagnosis.GrowingPath(
        model: row.text(at: 0) ?? "", paths: Int(clamping: row.integer(at: 1)))
    }
  }

  /// The auto-vacuum mode of the file by name (SQLite, "PRAGMA auto_vacuum").
  fileprivate func autoVacuum() throws -> String {
    switch try integer("PRAGMA auto_vacuum") {
    case 0: "none"
    case 1: "full"
    case 2: "incremental"
    case let other: "\(other ?? 0)"
    }
  }
}
