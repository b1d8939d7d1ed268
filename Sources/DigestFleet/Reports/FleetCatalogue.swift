#if PostgreSQL
  import DigestStore

  /// The names of what is counted in a fleet, and by which ids it has them.
  struct FleetCatalogue {
    private(set) var names = TallyCatalogue()

    /// The ids, at the place of each number less one.
    private(set) var models: [Int64] = []
    private(set) var failures: [Int64] = []

    /// Reads the names, as far as something was counted of them.
    ///
    /// - Parameter sources: the ids of the stores that matter; nil for all.
    init(_ connection: PostgreSQLConnection, of sources: [Int64]?) throws {
      let sources = sources.map { PostgreSQLValue.integers($0) } ?? .text(nil)
      names.firstHour =
        try connection.run(
          """
          SELECT greatest(f.first_hour, (SELECT max(s.coarse_before) FROM digests.source AS s
            WHERE $1::bigint[] IS NULL OR s.id = ANY ($1)))
          FROM digests.fleet AS f
          """, [sources]
        ).first?.integer(0) ?? 0
      try readModels(connection, sources)
      try readFailures(connection, sources)
      try readReleases(connection, sources)
      try readLosses(connection, sources)
    }

    private mutating func readModels(
      _ connection: PostgreSQLConnection, _ sources: PostgreSQLValue
    ) throws {
      let rows = try connection.run(
        """
        SELECT m.id, m.name FROM digests.model AS m
        WHERE $1::bigint[] IS NULL OR EXISTS (SELECT 1 FROM digests.source_model AS s
          WHERE s.source_id = ANY ($1) AND s.model_id = m.id)
        ORDER BY m.id
        """, [sources])
      models = rows.map { $0.integer(0) }
      names.models = rows.map { FleetText.decode($0.text(1) ?? "") }
    }

    /// What is just being pushed comes later.
    private mutating func readFailures(
      _ connection: PostgreSQLConnection, _ sources: PostgreSQLValue
    ) throws {
      let numbers = ReportNumbers(of: models)
      let rows = try connection.run(
        """
        SELECT f.id, f.model_id, f.coding_path, f.kind, f.expected_type, f.novel_value, f.value_type,
          f.found_type, f.found_value, (f.value_identity IS NOT NULL)::int
        FROM digests.failure AS f
        WHERE EXISTS (SELECT 1 FROM digests.tally AS t WHERE t.failure_id = f.id)
          AND ($1::bigint[] IS NULL OR f.id IN (SELECT s.failure_id FROM digests.source_failure AS s
            WHERE s.source_id = ANY ($1)))
        ORDER BY f.id
        """, [sources])
      failures = rows.map { $0.integer(0) }
      let numberOfFailure = ReportNumbers(of: failures)
      let firsts = try firstsOfValues(connection)
      names.failures = rows.map { row in
        func text(_ column: Int) -> String? { row.text(column).map(FleetText.decode) }
        return TallyCatalogue.Failure(
          model: numbers[row.integer(1)],
          codingPath: text(2) ?? "",
          kind: text(3) ?? "",
          expectedType: text(4),
          novelValue: text(5),
          valueType: text(6),
          foundType: text(7),
          foundValue: text(8),
          value: row.integer(9) == 0
            ? nil : numberOfFailure[firsts[row.integer(0)] ?? row.integer(0)]
        )
      }
    }

    /// The first of the failures that have their novel value in common with others.
    private func firstsOfValues(_ connection: PostgreSQLConnection) throws -> [Int64: Int64] {
      let rows = try connection.run(
        """
        SELECT f.value_identity, f.id FROM digests.failure AS f
        WHERE f.value_identity IN (SELECT value_identity FROM digests.failure
          WHERE id = ANY ($1::bigint[])
          GROUP BY value_identity HAVING count(*) > 1)
          AND f.id = ANY ($1)
        ORDER BY f.id
        """, [.integers(failures)])
      var firsts: [[UInt8]: Int64] = [:]
      var firstOfFailure: [Int64: Int64] = [:]
      for row in rows {
        let (value, failure) = (row.bytes(0), row.integer(1))
        firstOfFailure[failure] = firsts[value, default: failure]
        firsts[value] = firstOfFailure[failure]
      }
      return firstOfFailure
    }

    private mutating func readReleases(
      _ connection: PostgreSQLConnection, _ sources: PostgreSQLValue
    ) throws {
      let rows = try connection.run(
        """
        SELECT r.id, r.name FROM digests.release AS r
        WHERE r.id <> 0 AND ($1::bigint[] IS NULL OR r.id IN (
          SELECT p.release_id FROM digests.pack AS p WHERE p.source_id = ANY ($1)))
        """, [sources])
      for row in rows { names.releases[row.integer(0)] = FleetText.decode(row.text(1) ?? "") }
    }

    private mutating func readLosses(
      _ connection: PostgreSQLConnection, _ sources: PostgreSQLValue
    ) throws {
      names.losses = try connection.run(
        """
        SELECT reason, hour, sum(digests)::bigint, sum(occurrences)::bigint, min(note)
        FROM digests.loss
        WHERE $1::bigint[] IS NULL OR source_id = ANY ($1)
        GROUP BY reason, hour ORDER BY reason, hour
        """, [sources]
      ).map { row in
        TallyCatalogue.Loss(
          reason: FleetText.decode(row.text(0) ?? ""), hour: row.integer(1),
          digests: row.integer(2), occurrences: row.integer(3),
          note: row.text(4).map(FleetText.decode))
      }
    }
  }

  extension FleetCatalogue {
    /// The numbers of a report by the numbers of each store, for failures and models.
    func numbers(
      of sources: [Int64], on connection: PostgreSQLConnection
    ) throws -> [TallyPack.Table: [Int64: ReportNumbers]] {
      func numbers(
        _ table: String, _ id: String, _ ids: [Int64]
      ) throws -> [Int64: ReportNumbers] {
        let numberOfID = ReportNumbers(of: ids)
        var pairs: [Int64: [(Int64, Int64)]] = [:]
        let rows = try connection.run(
          """
          SELECT source_id, number, \(id) FROM digests.\(table)
          WHERE source_id = ANY ($1::bigint[])
          """, [.integers(sources)])
        for row in rows {
          pairs[row.integer(0), default: []].append((row.integer(1), numberOfID[row.integer(2)]))
        }
        return pairs.mapValues { ReportNumbers($0) }
      }
      return [
        .failures: try numbers("source_failure", "failure_id", failures),
        .models: try numbers("source_model", "model_id", models),
      ]
    }
  }
#endif
