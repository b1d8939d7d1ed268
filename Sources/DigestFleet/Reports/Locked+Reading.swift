#if PostgreSQL
  import DigestStore
  import ResilientDecoding

  extension Locked where Value == Fleet {
    /// Runs a statement for a report, whose errors are those of a store.
    func run(_ sql: String, _ values: [PostgreSQLValue]) throws -> PostgreSQLRows {
      do {
        return try withLock { fleet in
          try fleet.telling { try fleet.connection.run(sql, values) }
        }
      } catch let error as FleetError {
        throw error.ofStore
      }
    }

    /// Hands over the counts of a pack, and names the store that has sent it where it cannot be read.
    ///
    /// - Parameters:
    ///   - row: what a statement has returned.
    ///   - column: where the pack is there.
    ///   - source: the id of the store.
    ///   - wanted: the numbers that matter, in their order; nil for all.
    ///   - remedy: what to do about a pack that cannot be read.
    func forEachCount(
      in row: PostgreSQLRow, _ column: Int, of key: TallyPack.Key, from source: Int64,
      among wanted: [Int64]? = nil, remedy: String, _ body: (TallyCount) throws -> Void
    ) throws {
      var failure: (any Error)?
      do {
        try row.withBytes(column) { bytes in
          try TallyPack.forEachCount(in: bytes, of: key, among: wanted) { count in
            do {
              try body(count)
            } catch {
              failure = error
              throw error
            }
          }
        }
      } catch {
        if let failure { throw failure }
        let row = try run(
          "SELECT name, role::text FROM digests.source WHERE id = $1", [.integer(source)]
        ).first
        let sender = row.map {
          "\(FleetText.decode($0.text(0) ?? "")) (role \($0.text(1) ?? ""))"
        }
        throw DigestStoreError(
          .damaged,
          "\(withLock { $0.name }): counts of \(sender ?? "pruned stores") cannot be read; \(remedy)"
        )
      }
    }
  }

  extension FleetError {
    /// The same error of a store, for a report.
    fileprivate var ofStore: DigestStoreError {
      let code: DigestStoreError.Code =
        switch code {
        case .missing, .notAFleet: .noSuchStore
        case .otherVersion, .unsuitable, .unfit, .damaged: .damaged
        case .notPermitted: .notPermitted
        case .invalidURL, .nameConflict, .unreachable, .failed: .inputOutput
        }
      return DigestStoreError(code, description)
    }
  }
#endif
