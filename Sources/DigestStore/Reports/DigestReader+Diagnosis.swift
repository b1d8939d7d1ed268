extension DigestReader {
  /// Describes the state of the store, without changing anything.
  ///
  /// To check the contents of the file, use ``verify(progress:)``. This method counts the digests,
  /// and reads the whole file to find damaged pages.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func diagnose() throws -> DigestStore.Diagnosis {
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
          path: name,
          permissions: file?.permissions ?? 0,
          schemaVersion: Int(try connection.schemaVersion()),
          autoVacuum: try connection.autoVacuum(),
          fileBytes: Int(file?.size ?? 0),
          logBytes: try FileIdentity.size(of: path + "-wal"),
          freePages: size.freePages,
          freeBytes: size.freePages * size.pageSize,
          digests: Int(try connection.integer("SELECT count(*) FROM digest") ?? 0),
          occurrences: max(0, Int(clamping: counted) - evicted),
          tailDigests: Int(try connection.integer(Self.countTail) ?? 0),
          newestError: newest,
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
