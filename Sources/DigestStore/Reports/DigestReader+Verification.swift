extension DigestStore {
  /// The result of a check of a whole store.
  public struct Verification: Sendable, Hashable, Codable {
    /// The problems that SQLite and the recount found, one sentence each; empty in a sound store.
    public let problems: [String]

    /// The number of digests in the file.
    public let digests: Int

    /// The number of occurrences in a recount of the digests.
    public let occurrences: Int

    package init(
      problems: [String], digests: Int, occurrences: Int
    ) {
      self.problems = problems
      self.digests = digests
      self.occurrences = occurrences
    }

    /// Whether there are no problems.
    public var isSound: Bool { problems.isEmpty }
  }
}

extension DigestReader {
  /// Checks the file with SQLite, and compares a recount of every digest with the stored counts.
  ///
  /// Reads the whole file, an hour at a time, which takes some seconds per million occurrences.
  ///
  /// - Parameter progress: called with the number of digests recounted, once SQLite has checked the
  ///   file. It may record, flush and run reports, but must not close or suspend the store, because
  ///   both wait for the check to end.
  /// - Throws: ``DigestStoreError`` when the file cannot be read at all.
  public func verify(
    progress: (@Sendable (DigestReader.Progress) -> Void)? = nil
  ) throws -> DigestStore.Verification {
    try readAlone { connection in
      var problems = try connection.rows("PRAGMA integrity_check") { $0.text(at: 0) ?? "" }
      if problems == ["ok"] { problems = [] }
      problems += try connection.rows(
        "SELECT \"table\", parent FROM pragma_foreign_key_check LIMIT 100"
      ) { row in
        "A row of \(row.text(at: 0) ?? "") refers to no row of \(row.text(at: 1) ?? "")"
      }
      var check = TallyCheck(connection, progress)
      problems += try check.problems()
      return DigestStore.Verification(
        problems: problems, digests: check.digests, occurrences: Int(clamping: check.occurrences))
    }
  }
}
