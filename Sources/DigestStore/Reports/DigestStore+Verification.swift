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
  /// Reads all of the file: a second for some million occurrences.
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

  private static func recount(_ connection: Connection) throws -> [String] {
    let recount = CountSQL.tallies(where: "d.id <= (SELECT folded_through FROM store)")
    let columns =
      "span, period, failure_id, release_id, occurrences, digests, shared_digests, first_seen, "
      + "last_seen"
    let checks = [
      (
        "tallies differ from a recount", "SELECT \(columns) FROM tally EXCEPT SELECT * FROM recount"
      ),
      (
        "recounted tallies are missing", "SELECT * FROM recount EXCEPT SELECT \(columns) FROM tally"
      ),
      (
        "entries are of no known failure",
        """
        SELECT 1 FROM (\(CountSQL.hits(where: "true")))
        WHERE failure_id NOT IN (SELECT id FROM failure)
        """
      ),
    ]
    return try checks.compactMap { problem, rows in
      let count = try connection.integer(
        "WITH recount AS MATERIALIZED (SELECT * FROM (\(recount))) SELECT count(*) FROM (\(rows))"
      )
      return count == 0 ? nil : "\(count ?? 0) \(problem)"
    }
  }
}
