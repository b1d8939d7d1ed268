/// The state of a file at one moment, read in one transaction.
///
/// Whole periods are counted from the packed counts, the rest at both ends of a window from the
/// digests of their hours, and everything not folded yet from the digests after the last folded
/// one.
struct Snapshot {
  let connection: Connection

  /// The source of the counts. The names are always read from the connection.
  let source: any CountSource

  let values: FailureValues
  let foldedThrough: Int64

  /// Digests up to this id may have been deleted.
  let evictedThrough: Int64

  /// The first hour whose counts by hour certainly exist. Before it only counts by day do.
  let firstFineHour: Int64

  /// All groups of a selection of failures, if it counted them.
  let allGroups: FailureSelection.Groups?

  init(
    _ connection: Connection, _ source: (any CountSource)?,
    allGroups: FailureSelection.Groups? = nil
  ) throws {
    self.connection = connection
    self.allGroups = allGroups
    values = try FailureValues(connection)
    self.source = source ?? FileCounts(connection: connection, lastFailure: values.last)
    let store = try connection.rows(
      "SELECT folded_through, evicted_through, coarse_before FROM store LIMIT 1"
    ) { ($0.count(at: 0), $0.count(at: 1), $0.integer(at: 2)) }
    (foldedThrough, evictedThrough, firstFineHour) =
      store.first.map { ($0, $1, Moment.dayBehind(hour: $2)) } ?? (0, 0, 0)
  }

  /// Runs `body` in a read transaction, so that the connection sees one state of the file.
  ///
  /// - Parameter source: the source of the counts; nil for the tables of the file.
  static func of<Value>(
    _ connection: Connection,
    countedBy source: (any CountSource)? = nil,
    _ body: (Snapshot) throws -> Value
  ) throws -> Value {
    if connection.isInTransaction { return try body(Snapshot(connection, source)) }
    try connection.execute("BEGIN")
    // Writes at most a selection of failures, which the next one replaces: a failed COMMIT loses nothing.
    defer { try? connection.execute("COMMIT") }
    let snapshot = try Snapshot(connection, source)
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
  ///   - isByStore: whether to pass the id of the store in place of the release, as
  ///     ``CountSource/storeNames`` has it.
  ///   - wanted: the ids of the failures or models to count, in ascending order; nil for all.
  ///     `body` may also receive counts of others.
  func forEachCount(
    from table: CountTable = .failures,
    in window: TimeWindow,
    longest: Int64? = nil,
    of releases: Releases,
    isByRelease: Bool = true,
    isByStore: Bool = false,
    among wanted: [Int64]? = nil,
    _ body: (_ count: Count, _ release: Int64) throws -> Void
  ) throws {
    if case .some([]) = releases { return }
    func add(_ digest: [Count], _ release: Int64) throws {
      for count in digest { try body(count, release) }
    }
    if longest == 0 { return try forEachDigest(from: table, in: window, of: releases, add) }
    for periods in window.periods(longest: longest) {
      let query = CountQuery(
        table: table, span: periods.span, hours: periods.hours, releases: releases.ids,
        ids: wanted, isByRelease: isByRelease, isByPeriod: longest != nil,
        isByStore: isByStore)
      try source.forEachCount(query, body)
    }
    for edge in window.edges { try forEachFoldedDigest(from: table, in: edge, releases, add) }
    try forEachUnfoldedDigest(from: table, in: window.range, releases, add)
  }
}

extension Snapshot.Releases {
  /// - Parameter ids: nil for all.
  init(_ ids: [Int64]?) {
    self = ids.map { .some($0) } ?? .all
  }

  /// The ids; nil for all.
  var ids: [Int64]? {
    if case .some(let releases) = self { releases } else { nil }
  }

  /// An SQL condition on `release_id`. The ids come from the file itself.
  var condition: String {
    ids.map { "release_id IN (\($0.map(String.init).joined(separator: ", ")))" } ?? "true"
  }
}

extension Moment {
  /// Returns the first hour of the first day that does not begin before the given hour.
  static func dayBehind(hour: Int64) -> Int64 {
    // Limited to the supported range, whatever value the file contains.
    (min(max(0, hour), latest.hour) + 23) / 24 * 24
  }
}
