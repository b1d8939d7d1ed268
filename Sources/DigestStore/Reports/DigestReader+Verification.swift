extension DigestStore {
  /// The result of a check of a whole store.
  public struct Verification: Sendable, Hashable, Codable {
    /// The problems that SQLite and the recount found, one sentence each; empty in a sound store.
    public let problems: [String]

    /// The number of digests in the file.
    public let digests: Int

    /// The number of occurrences in a recount of the digests.
    public let occurrences: Int

    /// Creates a value, for example for a test or a preview.
    public init(
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
  /// Reads the whole file in bounded memory, which takes about a second per million occurrences.
  ///
  /// - Parameter progress: called with the number of digests recounted, once SQLite has checked the
  ///   file. It may record, flush and run reports, but must not close or suspend the store, because
  ///   both wait for the check to end.
  /// - Throws: ``DigestStoreError`` when the file cannot be read at all.
  public func verify(
    progress: (@Sendable (DigestReader.Progress) -> Void)? = nil
  ) throws -> DigestStore.Verification {
    try readAlone { snapshot in
      let connection = snapshot.connection
      var problems = try connection.rows("PRAGMA integrity_check") { $0.text(at: 0) ?? "" }
      if problems == ["ok"] { problems = [] }
      problems += try connection.rows(Self.findOrphans) { row in
        "A row of \(row.text(at: 0) ?? "") refers to no row of \(row.text(at: 2) ?? "")"
      }
      problems += try StoredNumbers.problems(connection)
      var recount = try CountVerifier(snapshot, progress)
      problems += try recount.problems()
      let misplaced = try connection.integer(Self.failuresOfAnotherValue) ?? 0
      if misplaced > 0 { problems.append("\(misplaced) failures belong to another novel value") }
      return DigestStore.Verification(
        problems: problems, digests: recount.digests, occurrences: Int(recount.occurrences))
    }
  }

  /// Rows with dangling references, except the imported ids of evicted digests, which are kept.
  private static let findOrphans = """
    SELECT "table", rowid, parent FROM pragma_foreign_key_check
    WHERE "table" <> 'foreign_digest' OR rowid > (SELECT evicted_through FROM store)
    """

  /// The number of failures that do not refer to the first failure of their novel value.
  private static let failuresOfAnotherValue = """
    SELECT count(*) FROM (
      SELECT value_id, iif(novel_value IS NULL, NULL, min(id) OVER (
        PARTITION BY model_id, coding_path, novel_value, value_type)) AS first
      FROM failure)
    WHERE value_id IS NOT first
    """
}
