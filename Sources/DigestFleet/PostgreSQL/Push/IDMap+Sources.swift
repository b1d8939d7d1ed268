import DigestStore

/// The table with the fleet's ids of the failures and models of each store.
extension IDMap {
  /// How many ids a row has.
  private static let page = 1_000

  /// Reads the ids of failures and models by the numbers of each of some stores.
  static func ids(
    ofSources sources: [Int64], on connection: PostgreSQLConnection
  ) throws -> [CountTable: [Int64: IDMap]] {
    var ids: [CountTable: [Int64: IDMap]] = [:]
    for table in [CountTable.failures, .models] {
      ids[table] = try pairs(of: sources, table, on: connection).mapValues {
        IDMap($0.map { ($0.number, $0.id) })
      }
    }
    return ids
  }

  /// Reads the numbers and ids of some stores, of each store in the order of the numbers.
  static func pairs(
    of sources: [Int64], _ table: CountTable, on connection: PostgreSQLConnection
  ) throws -> [Int64: [(number: Int64, id: Int64)]] {
    var numbers: [Int64: [(number: Int64, id: Int64)]] = [:]
    let rows = try connection.run(
      """
      SELECT source_id, first_number, ids FROM digests.source_numbers
      WHERE source_id = ANY ($1::bigint[]) AND counted = $2
      ORDER BY source_id, first_number
      """, [.integers(sources), .integer(table.rawValue)])
    for row in rows {
      let first = row.integer(1)
      for (place, id) in row.integers(2).enumerated() where id != 0 {
        numbers[row.integer(0), default: []].append((first &+ Int64(place), id))
      }
    }
    return numbers
  }

  /// Reads the last number of a store that has an id.
  static func lastNumber(
    of source: Int64, _ table: CountTable, on connection: PostgreSQLConnection
  ) throws -> Int64 {
    try connection.run(
      """
      SELECT max(last_number) FROM digests.source_numbers WHERE source_id = $1 AND counted = $2
      """, [.integer(source), .integer(table.rawValue)]
    ).first?.integer(0) ?? 0
  }

  /// Adds ids for numbers after the last one, in the order of the numbers.
  static func insert(
    _ numbers: [(number: Int64, id: Int64)], of source: Int64, _ table: CountTable,
    on connection: PostgreSQLConnection
  ) throws {
    var rest = numbers[...]
    while let first = rest.first?.number {
      var ids: [Int64] = []
      while let next = rest.first, next.number < first + Int64(page) {
        while first + Int64(ids.count) < next.number { ids.append(0) }
        ids.append(next.id)
        rest.removeFirst()
      }
      try connection.run(
        "INSERT INTO digests.source_numbers VALUES ($1, $2, $3, $4, $5)",
        [
          .integer(source), .integer(table.rawValue), .integer(first),
          .integer(first + Int64(ids.count) - 1), .integers(ids),
        ])
    }
  }
}
