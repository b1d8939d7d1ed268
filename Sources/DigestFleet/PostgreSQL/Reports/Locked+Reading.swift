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

  /// Runs a statement for a report, and passes each row to `body` as it arrives. `body` must not run another
  /// statement.
  func forEachRow(
    _ sql: String, _ values: [PostgreSQLValue], _ body: (PostgreSQLRow) throws -> Void
  ) throws {
    do {
      try withLock { connection in
        try connection.mappingErrors { try connection.begin(sql, values) }
      }
      do {
        while let row = try nextRow() { try body(row) }
      } catch {
        // The connection can run another statement only after all rows have been received.
        while (try? nextRow()) != nil {}
        throw error
      }
    } catch let error as FleetError {
      throw error.ofStore
    }
  }

  private func nextRow() throws -> PostgreSQLRow? {
    try withLock { connection in
      try connection.mappingErrors { try connection.nextRow() }
    }
  }

  /// Runs a statement that returns packs, as ``forEachRow(_:_:_:)`` does. If one of them cannot be read, the
  /// error names its store.
  ///
  /// - Parameter remedy: what to do about a pack that cannot be read.
  func forEachPack(
    _ sql: String, _ values: [PostgreSQLValue], remedy: String,
    _ body: (PostgreSQLRow) throws -> Void
  ) throws {
    do {
      try forEachRow(sql, values, body)
    } catch let pack as UnreadablePack {
      let row = try run(
        "SELECT name, role::text FROM digests.source WHERE id = $1", [.integer(pack.source)]
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

/// The error thrown for a damaged pack.
private struct UnreadablePack: Error {
  /// The id of the store that sent it.
  let source: Int64
}

extension PostgreSQLRow {
  /// Calls `body` with the counts of a pack.
  ///
  /// - Parameters:
  ///   - column: the pack's column.
  ///   - source: the id of the store that sent it.
  ///   - wanted: the numbers to read, ascending; nil for all.
  func forEachCount(
    _ column: Int, of key: PackedCounts.Key, from source: Int64, among wanted: [Int64]? = nil,
    _ body: (Count) throws -> Void
  ) throws {
    var failure: (any Error)?
    do {
      try withBytes(column) { bytes in
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
      throw failure ?? UnreadablePack(source: source)
    }
  }
}
