#if PostgreSQL
  import DigestStore
  import ResilientDecoding

  /// The sums of a fleet, which its server adds up as far as a question allows.
  final class FleetTallies: TallySource {
    private let fleet: Locked<Fleet>

    /// The ids in the fleet, at the place of each number less one; and the numbers of the ids.
    private let ids: [TallyPack.Table: [Int64]]
    private let numbers: [TallyPack.Table: ReportNumbers]

    init(_ fleet: sending Fleet, failures: [Int64], models: [Int64]) {
      self.fleet = Locked(fleet)
      ids = [.failures: failures, .models: models]
      numbers = ids.mapValues { ReportNumbers(of: $0) }
    }

    func forEachCount(
      _ question: TallyQuestion,
      _ body: (TallyCount, Int64) throws -> Void
    ) throws {
      guard let numbers = numbers[question.table] else { return }
      func add(_ count: TallyCount, _ release: Int64) throws {
        let number = numbers[count.number]
        if number > 0 { try body(count.numbered(number), release) }
      }
      if question.table == .failures, question.span > 0 {
        try forEachGrownCount(question, add)
      } else {
        try forEachSum(question, add)
      }
    }

    private func run(_ sql: String, _ values: [PostgreSQLValue]) throws -> PostgreSQLRows {
      do {
        return try fleet.withLock { fleet in
          try fleet.telling { try fleet.connection.run(sql, values) }
        }
      } catch let error as FleetError {
        throw DigestStoreError(.inputOutput, error.description)
      }
    }
  }

  extension FleetTallies {
    /// Which of many matter, by their ids; nil where it takes longer to look for each than to read all.
    private func wanted(_ question: TallyQuestion) -> [Int64]? {
      let ids = ids[question.table] ?? []
      return question.numbers.flatMap { numbers in
        numbers.count < ids.count / 4 ? numbers.map { ids[Int($0) - 1] } : nil
      }
    }

    /// Hands over the hours or days of failures, of which the server has packs.
    private func forEachGrownCount(
      _ question: TallyQuestion, _ body: (TallyCount, Int64) throws -> Void
    ) throws {
      let rows = try run(
        """
        SELECT start, release_id, cells FROM digests.growth
        WHERE span = $1 AND start >= $2 AND start < $3 AND ($4::bigint IS NULL OR release_id = $4)
        """,
        [
          .integer(question.span), .integer(question.hours.lowerBound),
          .integer(question.hours.upperBound), .integer(question.release),
        ])
      let wanted = wanted(question)
      for row in rows {
        let key = TallyPack.Key(
          table: .failures, span: question.span, start: row.integer(0), release: nil)
        let release = row.integer(1)
        try row.withBytes(2) { bytes in
          try TallyPack.forEachCount(in: bytes, of: key, among: wanted) { try body($0, release) }
        }
      }
    }

    /// Hands over what the server has rows of, and adds up as far as the question allows.
    private func forEachSum(
      _ question: TallyQuestion, _ body: (TallyCount, Int64) throws -> Void
    ) throws {
      let (id, shared, source, period) =
        switch question.table {
        case .failures:
          ("failure_id", "sum(shared_digests)", "digests.tally", "")
        case .models:
          (
            "model_id", "0", "digests.model_tally",
            "span = $3 AND start >= $4 AND start < $5 AND"
          )
        }
      var groups = [id]
      if question.isByRelease { groups.append("release_id") }
      if question.isByPeriod, question.table == .models { groups.append("start") }
      var values: [PostgreSQLValue] = [
        .integer(question.release), wanted(question).map { .integers($0) } ?? .text(nil),
      ]
      if question.table == .models {
        values += [
          .integer(question.span), .integer(question.hours.lowerBound),
          .integer(question.hours.upperBound),
        ]
      }
      let rows = try run(
        """
        SELECT \(id), \(question.isByRelease ? "release_id" : "0"), sum(occurrences)::bigint,
          sum(digests)::bigint, \(shared)::bigint, min(first_seen), max(last_seen)
        FROM \(source)
        WHERE \(period) ($1::bigint IS NULL OR release_id = $1)
          AND ($2::bigint[] IS NULL OR \(id) = ANY ($2))
        GROUP BY \(groups.joined(separator: ", "))
        """, values)
      for row in rows {
        let count = TallyCount(
          number: row.integer(0), occurrences: row.integer(2), digests: row.integer(3),
          sharedDigests: row.integer(4), first: row.integer(5), last: row.integer(6))
        try body(count, row.integer(1))
      }
    }
  }
#endif
