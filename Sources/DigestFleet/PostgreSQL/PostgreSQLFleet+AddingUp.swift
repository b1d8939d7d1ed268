import DigestStore

extension PostgreSQLFleet {
  /// How many failures or periods one transaction adds up.
  private static let batch = 50

  /// How many keys are in memory at once.
  private static let page = 10_000

  /// Moves the counts that the stores have sent to the sums of all stores.
  ///
  /// Locked rows stay until the next prune, so no role can keep the owner of the tables waiting by locking
  /// its own rows.
  ///
  /// - Returns: the number of packs that were deleted because they cannot be read.
  func addUp() throws -> Int {
    try forEachBatch(of: "failure_id", in: "failure_tally") {
      try addUpFailures($0.map { $0.integer(0) })
    }
    try forEachBatch(of: "span::bigint, start", in: "model_tally") {
      try addUpModels(in: $0.map { ($0.integer(0), $0.integer(1)) })
    }
    try forEachBatch(of: "span::bigint, start", in: "decode_tally") {
      try addUpDecodes(in: $0.map { ($0.integer(0), $0.integer(1)) })
    }
    var unreadable = 0
    try forEachBatch(of: "span::bigint, start, release_id", in: "growth") { places in
      var count = 0
      for place in places { count += try addUpPacks(in: Place(place)) }
      return count
    } then: {
      unreadable += $0
    }
    return unreadable
  }

  /// Runs `body` for batches of keys, each in a transaction that excludes other prunes.
  ///
  /// Keys that are sent after the start wait for the next prune, so no role can keep a prune from ending.
  ///
  /// - Parameter key: the columns of the table that make the key.
  private func forEachBatch<Value>(
    of key: String, in table: String, _ body: (ArraySlice<PostgreSQLRow>) throws -> Value,
    then done: (Value) -> Void = { _ in }
  ) throws {
    // The server keeps the keys, in a file if there are many.
    try connection.run(
      """
      DECLARE keys NO SCROLL CURSOR WITH HOLD FOR
      SELECT DISTINCT \(key) FROM digests.\(table) WHERE source_id <> \(FleetSchema.everyone)
      """)
    while true {
      let rows = Array(try connection.run("FETCH \(Self.page) FROM keys"))
      for first in stride(from: 0, to: rows.count, by: Self.batch) {
        let value = try connection.repeating {
          try connection.transaction {
            try connection.run("SELECT 1 FROM digests.fleet FOR UPDATE")
            return try body(rows[first..<min(first + Self.batch, rows.count)])
          }
        }
        done(value)
      }
      if rows.isEmpty { break }
    }
    try connection.run("CLOSE keys")
  }

  private func addUpFailures(_ ids: [Int64]) throws {
    try connection.run(
      """
      WITH taken AS (
        SELECT source_id, failure_id FROM digests.failure_tally
        WHERE failure_id = ANY ($1::bigint[]) AND source_id <> $2::bigint FOR UPDATE SKIP LOCKED
      ), moved AS (
        DELETE FROM digests.failure_tally AS t USING taken
        WHERE t.source_id = taken.source_id AND t.failure_id = taken.failure_id
        RETURNING t.*
      )
      INSERT INTO digests.failure_tally AS t (source_id, failure_id, occurrences, digests,
        shared_digests, first_seen, last_seen)
      SELECT $2::bigint, failure_id, \(FleetViews.sum("occurrences")), \(FleetViews.sum("digests")),
        \(FleetViews.sum("shared_digests")), min(first_seen), max(last_seen)
      FROM moved GROUP BY failure_id ORDER BY failure_id
      ON CONFLICT (failure_id, source_id) DO UPDATE SET
        \(Self.grown("occurrences")), \(Self.grown("digests")), \(Self.grown("shared_digests")),
        first_seen = least(t.first_seen, excluded.first_seen),
        last_seen = greatest(t.last_seen, excluded.last_seen)
      """, [.integers(ids), .integer(FleetSchema.everyone)])
  }

  /// Deletes the rows of stores in some periods that no one has locked, as the table `moved`.
  private static func moved(from table: String) -> String {
    """
    WITH taken AS (
      SELECT t.source_id, t.span, t.start, t.model_id, t.release_id
      FROM unnest($1::bigint[], $2::bigint[]) AS k (span, start)
      JOIN digests.\(table) AS t ON t.span = k.span AND t.start = k.start
      WHERE t.source_id <> $3::bigint FOR UPDATE OF t SKIP LOCKED
    ), moved AS (
      DELETE FROM digests.\(table) AS t USING taken
      WHERE t.span = taken.span AND t.start = taken.start AND t.model_id = taken.model_id
        AND t.release_id = taken.release_id AND t.source_id = taken.source_id
      RETURNING t.*
    )
    """
  }

  private typealias Periods = [(span: Int64, start: Int64)]

  private static func values(_ periods: Periods) -> [PostgreSQLValue] {
    [
      .integers(periods.lazy.map(\.span)), .integers(periods.lazy.map(\.start)),
      .integer(FleetSchema.everyone),
    ]
  }

  private func addUpDecodes(in periods: Periods) throws {
    try connection.run(
      """
      \(Self.moved(from: "decode_tally"))
      INSERT INTO digests.decode_tally AS t (source_id, span, start, model_id, release_id, decodes)
      SELECT $3::bigint, span, start, model_id, release_id, \(FleetViews.sum("decodes"))
      FROM moved GROUP BY span, start, model_id, release_id
      ORDER BY span, start, model_id, release_id
      ON CONFLICT (span, start, model_id, release_id, source_id)
      DO UPDATE SET \(Self.grown("decodes"))
      """, Self.values(periods))
  }

  private func addUpModels(in periods: Periods) throws {
    try connection.run(
      """
      \(Self.moved(from: "model_tally"))
      INSERT INTO digests.model_tally AS t (source_id, span, start, model_id, release_id,
        occurrences, digests, first_seen, last_seen)
      SELECT $3::bigint, span, start, model_id, release_id, \(FleetViews.sum("occurrences")),
        \(FleetViews.sum("digests")), min(first_seen), max(last_seen)
      FROM moved GROUP BY span, start, model_id, release_id
      ORDER BY span, start, model_id, release_id
      ON CONFLICT (span, start, model_id, release_id, source_id) DO UPDATE SET
        \(Self.grown("occurrences")), \(Self.grown("digests")),
        first_seen = least(t.first_seen, excluded.first_seen),
        last_seen = greatest(t.last_seen, excluded.last_seen)
      """, Self.values(periods))
  }

  private static func grown(_ column: String) -> String {
    "\(column) = least(t.\(column) + excluded.\(column), \(FleetSchema.maximumCount))"
  }
}

extension PostgreSQLFleet {
  /// A period and a release.
  private struct Place {
    let span: Int64
    let start: Int64
    let release: Int64

    init(_ row: PostgreSQLRow) {
      span = row.integer(0)
      start = row.integer(1)
      release = row.integer(2)
    }

    var values: [PostgreSQLValue] { [.integer(span), .integer(start), .integer(release)] }

    var key: PackedCounts.Key {
      PackedCounts.Key(subject: .failures, span: span, start: start, release: nil)
    }
  }

  /// - Returns: the number of packs that cannot be read.
  private func addUpPacks(in place: Place) throws -> Int {
    var sums: [Int64: Count] = [:]
    func add(_ row: PostgreSQLRow) throws {
      // The counts of a damaged pack are dropped as a whole.
      for count in try PackedCounts(key: place.key, bytes: row.bytes(0)).counts() {
        sums[count.id] = count.adding(sums[count.id])
      }
    }
    let sum = try connection.run(
      """
      SELECT cells FROM digests.growth
      WHERE span = $1 AND start = $2 AND release_id = $3 AND source_id = $4
      """, place.values + [.integer(FleetSchema.everyone)])
    if let row = sum.first {
      do {
        try add(row)
      } catch {
        throw FleetError(
          .damaged, "\(name): the sums of the fleet are damaged; restore the database's backup")
      }
    }
    var unreadable = 0
    var last = FleetSchema.everyone
    while true {
      // Reads no more at once than fits into memory, however many stores there are.
      let rows = try connection.run(
        """
        WITH taken AS (
          SELECT source_id, octet_length(cells) AS length FROM digests.growth
          WHERE span = $1 AND start = $2 AND release_id = $3 AND source_id > $4
          ORDER BY source_id LIMIT 100 FOR UPDATE SKIP LOCKED
        ), fitting AS (
          SELECT source_id, sum(length) OVER (ORDER BY source_id) - length AS before FROM taken
        )
        DELETE FROM digests.growth AS g USING fitting AS f
        WHERE g.span = $1 AND g.start = $2 AND g.release_id = $3
          AND g.source_id = f.source_id AND f.before < \(FleetSchema.longestPack)
        RETURNING g.cells, g.source_id
        """, place.values + [.integer(last)])
      if rows.isEmpty { break }
      for row in rows {
        last = max(last, row.integer(1))
        do { try add(row) } catch { unreadable += 1 }
      }
    }
    guard !sums.isEmpty else { return unreadable }
    try connection.run(
      """
      INSERT INTO digests.growth (span, start, release_id, source_id, cells)
      SELECT $1::bigint, $2::bigint, $3::bigint, $4::bigint, * FROM unnest($5::bytea[])
      ON CONFLICT (span, start, release_id, source_id) DO UPDATE SET cells = excluded.cells
      """,
      place.values + [
        .integer(FleetSchema.everyone),
        .byteStrings([PackedCounts(key: place.key, counts: Array(sums.values)).bytes]),
      ])
    return unreadable
  }
}

extension Count {
  /// The sum of two counts of the same number, at most the largest count: what a store claims must not
  /// make the counts of others overflow.
  fileprivate func adding(_ other: Count?) -> Count {
    func sum(_ count: KeyPath<Count, Int64>) -> Int64 {
      let limit = FleetSchema.maximumCount
      return min(min(self[keyPath: count], limit) + (other?[keyPath: count] ?? 0), limit)
    }
    return Count(
      id: id, occurrences: sum(\.occurrences), digests: sum(\.digests),
      sharedDigests: sum(\.sharedDigests), first: min(first, other?.first ?? first),
      last: max(last, other?.last ?? last))
  }
}
