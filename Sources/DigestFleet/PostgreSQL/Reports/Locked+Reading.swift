import DigestStore
import ResilientDecoding
import ResilientPlatform

extension Locked where Value == PostgreSQLConnection {
  /// Runs a statement for a report, and throws errors as those of a store.
  func run(_ sql: String, _ values: [PostgreSQLValue]) throws -> PostgreSQLRows {
    do {
      return try withLock { connection in
        try connection.mappingErrors { try connection.run(sql, values) }
      }
    } catch let error as FleetError {
      throw error.ofStore
    }
  }

  /// Calls `body` with the counts of a pack. If the pack cannot be read, the error names its store.
  ///
  /// - Parameters:
  ///   - row: a row with the pack.
  ///   - column: the pack's column.
  ///   - source: the id of the store that sent it.
  ///   - wanted: the numbers to read, ascending; nil for all.
  ///   - remedy: what to do about a pack that cannot be read.
  func forEachCount(
    in row: PostgreSQLRow, _ column: Int, of key: PackedCounts.Key, from source: Int64,
    among wanted: [Int64]? = nil, remedy: String, _ body: (Count) throws -> Void
  ) throws {
    var failure: (any Error)?
    do {
      try row.withBytes(column) { bytes in
        try PackedCounts.forEachCount(in: bytes, of: key, among: wanted) { count in
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
