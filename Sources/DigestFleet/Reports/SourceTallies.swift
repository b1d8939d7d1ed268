#if PostgreSQL
  import DigestStore
  import ResilientDecoding

  /// What some stores of a fleet have counted, by the packs that they have sent.
  final class SourceTallies: TallySource {
    private let fleet: Locked<Fleet>

    /// The ids of the stores.
    private let sources: [Int64]

    /// For each table and store, the numbers of a report by the numbers of the store.
    private let numbers: [TallyPack.Table: [Int64: [Int64: Int64]]]

    init(
      _ fleet: sending Fleet, _ sources: [Int64],
      numbers: [TallyPack.Table: [Int64: [Int64: Int64]]]
    ) {
      self.fleet = Locked(fleet)
      self.sources = sources
      self.numbers = numbers
    }

    func forEachCount(
      _ question: TallyQuestion,
      _ body: (TallyCount, Int64) throws -> Void
    ) throws {
      for row in try packs(question) {
        let source = row.integer(0)
        let key = TallyPack.Key(
          table: question.table, span: question.span, start: row.integer(1), release: nil)
        for count in try TallyPack(key: key, bytes: row.bytes(3)).counts() {
          guard let number = numbers[question.table]?[source]?[count.number] else { continue }
          try body(count.numbered(number), row.integer(2))
        }
      }
    }

    private func packs(_ question: TallyQuestion) throws -> PostgreSQLRows {
      try fleet.withLock { fleet in
        do {
          return try fleet.telling {
            try fleet.connection.run(
              """
              SELECT source_id, start, release_id, cells
              FROM digests.pack
              WHERE source_id = ANY ($1::bigint[]) AND counted = $2 AND span = $3
                AND start >= $4 AND start < $5 AND ($6::bigint IS NULL OR release_id = $6)
              """,
              [
                .integers(sources), .integer(question.table.rawValue), .integer(question.span),
                .integer(question.hours.lowerBound), .integer(question.hours.upperBound),
                .integer(question.release),
              ])
          }
        } catch let error as FleetError {
          throw DigestStoreError(.inputOutput, error.description)
        }
      }
    }
  }

  extension TallyCount {
    fileprivate func numbered(_ number: Int64) -> TallyCount {
      TallyCount(
        number: number, occurrences: occurrences, digests: digests, sharedDigests: sharedDigests,
        first: first, last: last)
    }
  }
#endif
