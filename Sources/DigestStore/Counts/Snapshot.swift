/// The state of a file at one moment, read in one transaction.
///
/// Whole periods are counted from the packed counts, the rest at both ends of a window from the
/// digests of their hours, and everything not folded yet from the digests after the last folded
/// one.
struct Snapshot {
  let connection: Connection

  /// The source of the counts, if the database contains only the names.
  let countSource: (any CountSource)?

  let values: FailureValues
  let foldedThrough: Int64

  /// Digests up to this id may have been deleted.
  let evictedThrough: Int64

  /// The first hour whose counts by hour certainly exist. Before it only counts by day do.
  let firstFineHour: Int64

  private init(_ connection: Connection, _ countSource: (any CountSource)?) throws {
    self.connection = connection
    self.countSource = countSource
    values = try FailureValues(connection)
    let store = try connection.rows(
      "SELECT folded_through, evicted_through, coarse_before FROM store LIMIT 1"
    ) { ($0.count(at: 0), $0.count(at: 1), $0.integer(at: 2)) }
    (foldedThrough, evictedThrough, firstFineHour) =
      store.first.map { ($0, $1, Moment.dayBehind(hour: $2)) } ?? (0, 0, 0)
  }

  /// Runs `body` in a read transaction, so that the connection sees one state of the file.
  static func of<Value>(
    _ connection: Connection,
    countedBy countSource: (any CountSource)? = nil,
    _ body: (Snapshot) throws -> Value
  ) throws -> Value {
    if connection.isInTransaction { return try body(Snapshot(connection, countSource)) }
    try connection.execute("BEGIN")
    defer { try? connection.execute("COMMIT") }  // Reads only: a failed COMMIT loses nothing.
    let snapshot = try Snapshot(connection, countSource)
    let mark = ReadMark(connection)
    let value = try body(snapshot)
    try mark?.check(connection)
    return value
  }
}

extension Snapshot {
  /// The releases to count, by row id. Empty if the file has none of the requested ones.
  enum Releases {
    case all
    case some([Int64])
  }

  func releases(_ filter: DigestFilter) throws -> Releases {
    guard filter.choosesReleases else { return .all }
    return .some((filter.hasNoRelease ? [0] : []) + (try numbers(ofReleases: filter.releases)))
  }

  /// Returns the ids of the named releases that the file contains, each once.
  func numbers(ofReleases names: [String]) throws -> [Int64] {
    let statement = try Statement(connection, "SELECT id FROM release WHERE name = ?")
    let numbers = try names.compactMap { name in
      try statement.firstRow([.text(name)]) { $0.integer(at: 0) }
    }
    return Set(numbers).sorted()
  }

  /// Passes counts to `body` that add up to the errors in a window.
  ///
  /// - Parameters:
  ///   - table: whether to count failures or models.
  ///   - window: a window returned by ``window(_:)``.
  ///   - longest: the longest periods to use, in hours. Nil includes all time; 0 reads single
  ///     digests, none of which may have been deleted.
  ///   - isByRelease: whether `body` needs the release. If false, there are fewer counts, and the
  ///     release passed to `body` is meaningless.
  ///   - wanted: the ids of the failures or models to count, in ascending order; nil for all.
  ///     `body` may also receive counts of others.
  func forEachCount(
    from table: CountTable = .failures,
    in window: TimeWindow,
    longest: Int64? = nil,
    of releases: Releases,
    isByRelease: Bool = true,
    among wanted: [Int64]? = nil,
    _ body: (_ count: Count, _ release: Int64) throws -> Void
  ) throws {
    if case .some([]) = releases { return }
    func add(_ digest: [Count], _ release: Int64) throws {
      for count in digest { try body(count, release) }
    }
    if longest == 0 { return try forEachDigest(from: table, in: window, of: releases, add) }
    for periods in window.periods(longest: longest) {
      if countSource == nil, table == .failures, periods.span == 0, !isByRelease,
        case .all = releases
      {
        try forEachLifetime(body)
      } else {
        try forEachCount(
          from: table, of: periods, releases, among: wanted, isByRelease: isByRelease,
          isByPeriod: longest != nil, body)
      }
    }
    for edge in window.edges { try forEachFoldedDigest(from: table, in: edge, releases, add) }
    try forEachUnfoldedDigest(from: table, in: window.range, releases, add)
  }

  /// Passes the counts of whole periods to `body`.
  func forEachCount(
    from table: CountTable = .failures,
    of periods: TimeWindow.Periods,
    _ releases: Releases,
    among wanted: [Int64]? = nil,
    isByRelease: Bool = true,
    isByPeriod: Bool = true,
    _ body: (Count, Int64) throws -> Void
  ) throws {
    let span = SQLiteValue.integer(periods.span)
    let hours = [
      SQLiteValue.integer(periods.hours.lowerBound), .integer(periods.hours.upperBound),
    ]
    if let countSource {
      return try countSource.forEachCount(
        CountQuery(
          table: table == .failures ? .failures : .models, span: periods.span,
          hours: periods.hours, releases: releases.numbers, numbers: wanted,
          isByRelease: isByRelease, isByPeriod: isByPeriod)
      ) { try body(Count($0), $1) }
    }
    // Above a quarter of all failures, skipping the others takes longer than reading them.
    let wanted = wanted.flatMap { Int64($0.count) < values.last / 4 ? $0 : nil }
    try forEachPack(
      from: table, "span = ? AND start >= ? AND start < ? AND \(releases.condition)",
      [span] + hours
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

  /// Passes the counts of all time and all releases to `body`.
  func forEachLifetime(_ body: (Count, _ release: Int64) throws -> Void) throws {
    let statement = try Statement(connection, Self.lifetime)
    while try statement.step() { try body(Count(of: statement), 0) }
  }

  private static let lifetime =
    "SELECT failure_id, occurrences, digests, shared_digests, first_seen, last_seen FROM lifetime"

  /// Passes the counts of the given failures, of all time and all releases, to `body`.
  func forEachLifetime(of failures: some Sequence<Int64>, _ body: (Count) throws -> Void) throws {
    let statement = try Statement(connection, "\(Self.lifetime) WHERE failure_id = ?")
    for failure in failures {
      try statement.firstRow([.integer(failure)]) { try body(Count(of: $0)) }
    }
  }

  /// Passes the rows of packed counts that meet a condition to `body`, sorted by period and
  /// release.
  func forEachPack(
    from table: CountTable = .failures,
    _ condition: String,
    _ values: [SQLiteValue],
    _ body: (Period, _ release: Int64, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let statement = try Statement(
      connection,
      """
      SELECT span, start, release_id, cells FROM \(table.rawValue) WHERE \(condition)
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
}

extension Count {
  /// Reads a count from the first columns of a row.
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

extension Snapshot.Releases {
  /// The ids; nil for all.
  var numbers: [Int64]? {
    if case .some(let releases) = self { releases } else { nil }
  }

  /// An SQL condition on `release_id`. The ids come from the file itself.
  var condition: String {
    numbers.map { "release_id IN (\($0.map(String.init).joined(separator: ", ")))" } ?? "true"
  }
}

extension Moment {
  /// Returns the first hour of the first day that does not begin before the given hour.
  static func dayBehind(hour: Int64) -> Int64 {
    // Limited to the supported range, whatever value the file contains.
    (min(max(0, hour), latest.hour) + 23) / 24 * 24
  }
}
