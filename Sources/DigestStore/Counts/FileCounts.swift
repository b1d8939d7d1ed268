/// The counts in the tables of a file.
struct FileCounts: CountSource {
  let connection: Connection

  /// The largest id of a failure.
  let lastFailure: Int64

  var hasDigests: Bool { true }
  var sharesInOrderOfIDs: Bool { true }

  func forEachCount(
    _ query: CountQuery,
    _ body: (_ count: Count, _ release: Int64) throws -> Void
  ) throws {
    if query.isOfAllTime { return try forEachLifetime(among: query.ids, body) }
    // Above a quarter of all failures, skipping the others takes longer than reading them.
    let wanted = query.ids.flatMap { Int64($0.count) < lastFailure / 4 ? $0 : nil }
    try connection.forEachPack(
      from: query.table, "span = ? AND start >= ? AND start < ? AND \(query.releaseCondition)",
      [.integer(query.span), .integer(query.hours.lowerBound), .integer(query.hours.upperBound)]
    ) { period, release, bytes in
      var counts = CountDecoder(bytes, period)
      if let wanted {
        var rest = wanted[...]
        while let count = try counts.next(among: &rest) { try body(count, release) }
      } else {
        while let count = try counts.next() { try body(count, release) }
      }
    }
  }

  private func forEachLifetime(
    among wanted: [Int64]?, _ body: (_ count: Count, _ release: Int64) throws -> Void
  ) throws {
    // Above this part of all failures, searching for each takes longer than reading all.
    guard let wanted, Int64(wanted.count) < lastFailure / 16 else {
      return try connection.forEachLifetime { try body($0, 0) }
    }
    try connection.forEachLifetime(of: wanted) { try body($0, 0) }
  }

  func occurrencesOfAllTime() throws -> [Int64]? {
    var occurrences = [Int64](repeating: 0, count: Int(lastFailure) + 1)
    let statement = try Statement(connection, "SELECT failure_id, occurrences FROM lifetime")
    while try statement.step() {
      let failure = statement.integer(at: 0)
      guard failure > 0, failure <= lastFailure else { continue }
      let count = statement.integer(at: 1)
      guard 0...Int64.maximumCount ~= count else { throw Count.damage }
      occurrences[Int(failure)] = count
    }
    return occurrences
  }
}

extension CountQuery {
  /// Whether the table `lifetime` has the counts: those of failures, of all time and all releases.
  fileprivate var isOfAllTime: Bool {
    table == .failures && span == 0 && releases == nil && !isByRelease
  }

  fileprivate var releaseCondition: String {
    Snapshot.Releases(releases).condition
  }
}

extension Connection {
  /// Passes the rows of packed counts that meet a condition to `body`, sorted by period and
  /// release.
  func forEachPack(
    from table: CountTable = .failures,
    _ condition: String,
    _ values: [SQLiteValue],
    _ body: (Period, _ release: Int64, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let statement = try Statement(
      self,
      """
      SELECT span, start, release_id, cells FROM \(table.name) WHERE \(condition)
      ORDER BY span, start, release_id
      """
    )
    try statement.bind(values)
    while try statement.step() {
      let period = Period(span: statement.integer(at: 0), start: statement.integer(at: 1))
      guard period.isSound else { throw Count.damage }
      try statement.withBytes(at: 3) { try body(period, statement.integer(at: 2), $0) }
    }
  }

  /// Passes the counts of all failures, of all time and all releases, to `body`.
  func forEachLifetime(_ body: (Count) throws -> Void) throws {
    let statement = try Statement(self, Count.lifetime)
    while try statement.step() { try body(Count(of: statement)) }
  }

  /// Passes the counts of the given failures, of all time and all releases, to `body`.
  func forEachLifetime(of failures: [Int64], _ body: (Count) throws -> Void) throws {
    let statement = try Statement(self, "\(Count.lifetime) WHERE failure_id = ?")
    for failure in failures {
      try statement.firstRow([.integer(failure)]) { try body(Count(of: $0)) }
    }
  }
}

extension Count {
  fileprivate static let lifetime =
    "SELECT failure_id, occurrences, digests, shared_digests, first_seen, last_seen FROM lifetime"

  /// Reads a row of ``lifetime``.
  ///
  /// - Throws: ``UnreadableRow`` when no store can have written this count.
  fileprivate init(of row: borrowing Statement) throws {
    self.init(
      id: row.integer(at: 0),
      occurrences: row.integer(at: 1),
      digests: row.integer(at: 2),
      sharedDigests: row.integer(at: 3),
      first: row.integer(at: 4),
      last: row.integer(at: 5)
    )
    guard isSound else { throw Self.damage }
  }
}
