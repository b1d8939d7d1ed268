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
  /// Reads all of the file: some seconds for each million of occurrences.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read at all.
  public func verify() throws -> Verification {
    try read { connection in
      // One transaction, so that it all is of the same moment.
      try connection.execute("BEGIN")
      defer { try? connection.execute("COMMIT") }  // Only reads: there is nothing to fail.
      var problems = try connection.rows("PRAGMA integrity_check") { $0.text(at: 0) ?? "" }
      if problems == ["ok"] { problems = [] }
      problems += try connection.rows("PRAGMA foreign_key_check") { row in
        "A row of \(row.text(at: 0) ?? "") refers to no row of \(row.text(at: 2) ?? "")"
      }
      problems += try Self.recount(connection)
      return Verification(
        problems: problems,
        digests: Int(try connection.integer("SELECT count(*) FROM digest") ?? 0),
        occurrences: Int(
          try connection.integer(
            "SELECT sum(occurrences) FROM (\(CountSQL.hits(where: "true")))"
          ) ?? 0
        )
      )
    }
  }

  /// Holds the tallies against the digests that they contain, in one walk over these.
  private static func recount(_ connection: Connection) throws -> [String] {
    let columns =
      "span, period, failure_id, release_id, occurrences, digests, shared_digests, first_seen, "
      + "last_seen"
    let sql = """
      WITH recount AS MATERIALIZED (
        \(CountSQL.tallies(where: "d.id <= (SELECT folded_through FROM store)"))
      )
      SELECT
        (SELECT count(*) FROM (SELECT \(columns) FROM tally EXCEPT SELECT * FROM recount)),
        (SELECT count(*) FROM (SELECT * FROM recount EXCEPT SELECT \(columns) FROM tally)),
        (SELECT count(*) FROM (\(CountSQL.hits(where: "true")))
          WHERE failure_id NOT IN (SELECT id FROM failure)),
        (SELECT count(*) FROM (
          SELECT recorded_at / \(Moment.hour) AS hour, min(id) AS first, max(id) AS last
          FROM digest
          WHERE id <= (SELECT folded_through FROM store)
          GROUP BY 1
        ) AS digests
        LEFT JOIN hour AS h ON h.hour = digests.hour
        WHERE h.hour IS NULL OR h.first_digest_id > digests.first
          OR h.last_digest_id < digests.last),
        (SELECT count(*) FROM failure AS f
          WHERE value_id IS NOT (
            SELECT min(first.id) FROM failure AS first
            WHERE f.novel_value IS NOT NULL AND first.model_id = f.model_id
              AND first.coding_path = f.coding_path
              AND ifnull(first.novel_value, 0) = ifnull(f.novel_value, 0)
              AND ifnull(first.value_type, 0) = ifnull(f.value_type, 0)))
      """
    let problems = [
      "tallies differ from a recount", "recounted tallies are missing",
      "entries are of no known failure", "hours do not know where their digests are",
      "failures belong to another novel value",
    ]
    let counts = try connection.rows(sql) { row in
      problems.indices.map { row.integer(at: Int32($0)) }
    }
    return zip(counts.first ?? [], problems).compactMap { count, problem in
      count == 0 ? nil : "\(count) \(problem)"
    }
  }
}
