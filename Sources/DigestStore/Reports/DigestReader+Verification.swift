extension DigestStore {
  /// The result of a check of a whole store.
  public struct Verification: Sendable, Hashable, Codable {
    /// The problems that SQLite and the recount found, one sentence each; empty in a sound store.
    public let problems: [String]

    /// The number of digests in the file.
    public let digests: Int

    /// The number of occurrences in a recount of the digests.
    public let occurrences: Int

    /// Whether there are no problems.
    public var isSound: Bool { problems.isEmpty }
  }
}

extension DigestReader {
  /// Checks the file with SQLite, and compares a recount of every digest with the stored counts.
  ///
  /// Reads the whole file, a day at a time, which takes some seconds per million occurrences.
  ///
  /// - Parameter progress: called with the number of digests recounted, once SQLite has checked the
  ///   file. It may record, flush and run reports, but must not close or suspend the store, because
  ///   both wait for the check to end.
  /// - Throws: ``DigestStoreError`` when the file cannot be read at all.
  public func verify(
    progress: (@Sendable (DigestReader.Progress) -> Void)? = nil
  ) throws -> DigestStore.Verification {
    try readAlone { connection in
      var problems = try connection.problems(.full)
      problems += try SchemaCheck.tables.flatMap { table in
        try connection.rows(
          "SELECT parent FROM pragma_foreign_key_check('\(table)') LIMIT 100"
        ) { row in
          "A row of \(table) refers to no row of \(row.text(at: 0) ?? "")"
        }
      }
      var check = TallyCheck(connection, progress)
      problems += try check.problems()
      return DigestStore.Verification(
        problems: problems, digests: check.digests, occurrences: Int(clamping: check.occurrences))
    }
  }
}
