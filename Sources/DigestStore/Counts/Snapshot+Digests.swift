/// Counts read from the digests themselves.
extension Snapshot {
  /// Receives the counts of a digest's failures, sorted by id, or of its model where models are
  /// counted, and the id of its release.
  typealias DigestBody = (_ counts: [Count], _ release: Int64) throws -> Void

  /// Passes each existing digest of a window to `body`. From ``firstMomentInDetail(of:)`` on, none
  /// is missing.
  func forEachDigest(
    from table: CountTable = .failures,
    in window: TimeWindow,
    of releases: Releases,
    _ body: DigestBody
  ) throws {
    try forEachFoldedDigest(from: table, in: window.range, releases, body)
    try forEachUnfoldedDigest(from: table, in: window.range, releases, body)
  }

  /// Returns the moment from which on all digests of a window still exist.
  func firstMomentInDetail(of window: TimeWindow) throws -> Moment {
    guard evictedThrough > 0 else { return .earliest }
    guard source.hasDigests else { return .latest }
    let lastGone = try Statement(
      connection, "SELECT max(hour) FROM hour WHERE first_digest_id <= ? AND hour <= ?"
    ).firstRow([.integer(evictedThrough), .integer(window.range.upperBound.hour)]) {
      $0.optionalInteger(at: 0)
    }
    // The rows of `hour` before the first fine hour may have been deleted.
    return Moment(
      milliseconds: max(firstFineHour, (lastGone ?? nil).map { $0 + 1 } ?? 0) * Moment.hour)
  }

  /// Passes the folded digests of a window, and searches for them only among the ids of its hours.
  func forEachFoldedDigest(
    from table: CountTable = .failures,
    in window: Range<Moment>,
    _ releases: Releases,
    _ body: DigestBody
  ) throws {
    let hours = "FROM hour WHERE hour BETWEEN ?1 AND ?2"
    try forEachDigest(
      from: table,
      """
      id >= (SELECT min(first_digest_id) \(hours)) AND id <= min(?5,
          (SELECT max(last_digest_id) \(hours)))
        AND \(DigestCounts.moment) >= ?3 AND \(DigestCounts.moment) < ?4
        AND \(releases.condition)
      """,
      [
        window.lowerBound.hour, window.upperBound.hour, window.lowerBound.milliseconds,
        window.upperBound.milliseconds, foldedThrough,
      ],
      body)
  }

  /// Passes the digests of a window that the packed counts do not include yet.
  func forEachUnfoldedDigest(
    from table: CountTable = .failures,
    in window: Range<Moment>,
    _ releases: Releases,
    _ body: DigestBody
  ) throws {
    try forEachDigest(
      from: table,
      """
      id > ?1 AND \(DigestCounts.moment) >= ?2 AND \(DigestCounts.moment) < ?3
        AND \(releases.condition)
      """,
      [foldedThrough, window.lowerBound.milliseconds, window.upperBound.milliseconds],
      body)
  }

  private func forEachDigest(
    from table: CountTable,
    _ condition: String,
    _ values: [Int64],
    _ body: DigestBody
  ) throws {
    let statement = try Statement(
      connection, "SELECT \(DigestCounts.columns) FROM digest WHERE \(condition)")
    try statement.bind(values.map { .integer($0) })
    var counts = DigestCounts()
    while try statement.step() {
      // A damaged digest counts nothing, as when it is folded.
      _ = counts.read(statement, self.values)
      try body(counts.counts(of: table), statement.integer(at: 1))
    }
  }
}

extension Connection {
  /// Returns the smallest and the largest id of a digest; nil if there are none.
  func digestIDs() throws -> ClosedRange<Int64>? {
    // Two subqueries: SQLite then looks up each end in the index and does not scan all rows.
    let ends = "SELECT (SELECT min(id) FROM digest), (SELECT max(id) FROM digest)"
    let ids = try rows(ends) {
      ($0.optionalInteger(at: 0), $0.optionalInteger(at: 1))
    }
    guard case (let first?, let last?)? = ids.first else { return nil }
    return (first...last).clamped(to: StoredNumbers.ids)
  }
}
