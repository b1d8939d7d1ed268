#if PostgreSQL
  import DigestStore
  import ResilientDecoding

  /// The sums of a fleet, which its server adds up as far as a question allows.
  final class FleetTallies: TallySource {
    private let fleet: Locked<Fleet>

    /// The ids in the fleet, at the place of each number less one; and the numbers of the ids.
    private let ids: [TallyPack.Table: [Int64]]
    private let numbers: [TallyPack.Table: [Int64: Int64]]

    init(_ fleet: sending Fleet, failures: [Int64], models: [Int64]) {
      self.fleet = Locked(fleet)
      ids = [.failures: failures, .models: models]
      numbers = ids.mapValues(FleetCatalogue.numbers)
    }

    func forEachCount(
      _ question: TallyQuestion,
      _ body: (TallyCount, Int64) throws -> Void
    ) throws {
      let rows: PostgreSQLRows
      do {
        rows = try fleet.withLock { fleet in
          try fleet.telling { try fleet.connection.run(sql(question), values(question)) }
        }
      } catch let error as FleetError {
        throw DigestStoreError(.inputOutput, error.description)
      }
      let numbers = numbers[question.table] ?? [:]
      for row in rows {
        guard let number = numbers[row.integer(0)] else { continue }
        let count = TallyCount(
          number: number, occurrences: row.integer(2), digests: row.integer(3),
          sharedDigests: row.integer(4), first: row.integer(5), last: row.integer(6))
        try body(count, row.integer(1))
      }
    }

    private func sql(_ question: TallyQuestion) -> String {
      let (table, id, shared) =
        switch question.table {
        case .failures: ("tally", "failure_id", "sum(shared_digests)")
        case .models: ("model_tally", "model_id", "0")
        }
      let release = question.isByRelease ? "release_id" : "0"
      var groups = [id]
      if question.isByRelease { groups.append("release_id") }
      if question.isByPeriod { groups.append("start") }
      return """
        SELECT \(id), \(release), sum(occurrences)::bigint, sum(digests)::bigint,
          \(shared)::bigint, min(first_seen), max(last_seen)
        FROM digests.\(table)
        WHERE span = $1 AND start >= $2 AND start < $3
          AND ($4::bigint IS NULL OR release_id = $4)
          AND ($5::bigint[] IS NULL OR \(id) = ANY ($5))
        GROUP BY \(groups.joined(separator: ", "))
        """
    }

    private func values(_ question: TallyQuestion) -> [PostgreSQLValue] {
      let ids = ids[question.table] ?? []
      // Of most of them it takes longer to look for each than to read them all.
      let wanted = question.numbers.flatMap { $0.count < ids.count / 4 ? $0 : nil }
      return [
        .integer(question.span), .integer(question.hours.lowerBound),
        .integer(question.hours.upperBound), .integer(question.release),
        wanted.map { .integers($0.lazy.map { ids[Int($0) - 1] }) } ?? .text(nil),
      ]
    }
  }
#endif
