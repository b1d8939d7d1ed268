/// What a check of a whole store has found.
public struct Verification: Sendable, Hashable {
  /// What SQLite and the recount found wrong, a sentence each; empty in a sound store.
  public let problems: [String]

  /// How many digests the file holds.
  public let digests: Int

  /// How many occurrences a recount of the digests has found.
  public let occurrences: Int

  /// Whether nothing is wrong.
  public var isSound: Bool { problems.isEmpty }
}

extension DigestStore {
  /// Checks the file as SQLite knows it, and recounts every digest against the tallies.
  ///
  /// Reads all of the file, in bounded memory: about a second for each million of occurrences.
  ///
  /// - Parameter progress: receives how many digests have been recounted, once SQLite has checked the
  ///   file. It may record, flush and ask for reports, and must not close or suspend the store, which
  ///   wait for the check to end.
  /// - Throws: ``DigestStoreError`` when the file cannot be read at all.
  public func verify(
    progress: (@Sendable (Progress) -> Void)? = nil
  ) throws -> Verification {
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
      return Verification(
        problems: problems, digests: recount.digests, occurrences: Int(recount.occurrences))
    }
  }

  /// Rows that refer to none, but for the ids of digests that are gone: those are kept.
  private static let findOrphans = """
    SELECT "table", rowid, parent FROM pragma_foreign_key_check
    WHERE "table" <> 'foreign_digest' OR rowid > (SELECT evicted_through FROM store)
    """

  /// How many failures do not point to the first one of their novel value.
  private static let failuresOfAnotherValue = """
    SELECT count(*) FROM (
      SELECT value_id, iif(novel_value IS NULL, NULL, min(id) OVER (
        PARTITION BY model_id, coding_path, novel_value, value_type)) AS first
      FROM failure)
    WHERE value_id IS NOT first
    """
}
