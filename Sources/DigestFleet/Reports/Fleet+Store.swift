#if PostgreSQL
  package import DigestStore

  extension Fleet {
    /// What all stores have counted together, as a store: every report on counts has the same answer
    /// as if they were one file.
    ///
    /// The server adds up; what comes from it is the names of what is counted, at once, and for each
    /// question a count of each failure or period. All of it is of the moment at which this is called.
    ///
    /// - Throws: ``FleetError`` where the server cannot answer.
    package static func store(at url: String) throws -> DigestStore {
      let fleet = try Fleet(url)
      var catalogue = TallyCatalogue()
      let (models, failures) = try fleet.telling { try fleet.read(into: &catalogue) }
      return try DigestStore(
        name: fleet.name, catalogue: catalogue,
        tallies: FleetTallies(fleet, failures: failures, models: models))
    }

    /// - Returns: the ids of the models and the failures.
    private func read(
      into catalogue: inout TallyCatalogue
    ) throws -> (models: [Int64], failures: [Int64]) {
      // The transaction lasts as long as the connection: so all questions are about one moment.
      try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      try checkVersion()
      catalogue.firstHour =
        try connection.run("SELECT first_hour FROM digests.fleet").first?.integer(0) ?? 0
      let models = try readModels(into: &catalogue)
      let failures = try readFailures(into: &catalogue, models)
      try readReleases(into: &catalogue)
      try readLosses(into: &catalogue)
      return (models, failures)
    }

    private func readModels(into catalogue: inout TallyCatalogue) throws -> [Int64] {
      let rows = try connection.run("SELECT id, name FROM digests.model ORDER BY id")
      catalogue.models = rows.map { FleetText.decode($0.text(1) ?? "") }
      return rows.map { $0.integer(0) }
    }

    /// Only those of which something was counted: what is being pushed comes later.
    private func readFailures(
      into catalogue: inout TallyCatalogue, _ models: [Int64]
    ) throws -> [Int64] {
      let numbers = Dictionary(zip(models, Int64(1)...)) { first, _ in first }
      let rows = try connection.run(
        """
        SELECT f.id, f.model_id, f.coding_path, f.kind, f.expected_type, f.novel_value, f.value_type,
          f.found_type, f.found_value,
          CASE WHEN f.value_identity IS NOT NULL
            THEN min(f.id) OVER (PARTITION BY f.value_identity) END
        FROM digests.failure AS f
        WHERE EXISTS (SELECT 1 FROM digests.tally AS t
          WHERE t.span = 0 AND t.start = 0 AND t.failure_id = f.id)
        ORDER BY f.id
        """)
      let numberOfFailure = Dictionary(zip(rows.map { $0.integer(0) }, Int64(1)...)) { first, _ in
        first
      }
      catalogue.failures = rows.map { row in
        func text(_ column: Int) -> String? { row.text(column).map(FleetText.decode) }
        return TallyCatalogue.Failure(
          model: numbers[row.integer(1)] ?? 0,
          codingPath: text(2) ?? "",
          kind: text(3) ?? "",
          expectedType: text(4),
          novelValue: text(5),
          valueType: text(6),
          foundType: text(7),
          foundValue: text(8),
          value: row.optionalInteger(9).flatMap { numberOfFailure[$0] }
        )
      }
      return rows.map { $0.integer(0) }
    }

    private func readReleases(into catalogue: inout TallyCatalogue) throws {
      for row in try connection.run("SELECT id, name FROM digests.release WHERE id <> 0") {
        catalogue.releases[row.integer(0)] = FleetText.decode(row.text(1) ?? "")
      }
    }

    private func readLosses(into catalogue: inout TallyCatalogue) throws {
      catalogue.losses = try connection.run(
        """
        SELECT reason, hour, sum(digests)::bigint, sum(occurrences)::bigint, min(note)
        FROM digests.loss GROUP BY reason, hour ORDER BY reason, hour
        """
      ).map { row in
        TallyCatalogue.Loss(
          reason: FleetText.decode(row.text(0) ?? ""), hour: row.integer(1),
          digests: row.integer(2), occurrences: row.integer(3),
          note: row.text(4).map(FleetText.decode))
      }
    }
  }
#endif
