/// The number of clean decodes of a model, which had no error.
package struct DecodeCount: Sendable {
  /// The id of the model.
  package let model: Int64

  /// The id of the release; meaningless if the query does not distinguish releases.
  package let release: Int64

  /// The hour since 1970; meaningless if the query does not distinguish hours.
  package let hour: Int64
  package let decodes: Int64

  package init(model: Int64, release: Int64, hour: Int64, decodes: Int64) {
    self.model = model
    self.release = release
    self.hour = hour
    self.decodes = decodes
  }
}

/// The clean decodes to count.
package struct DecodeQuery: Sendable {
  /// The hours since 1970; nil for all time.
  package let hours: Range<Int64>?

  /// The ids of the releases; nil for all.
  package let releases: [Int64]?

  /// Whether the source returns separate counts for each release, and for each hour.
  package var isByRelease = false
  package var isByHour = false
}

extension DecodeQuery {
  /// Returns the hours, days or all time to count, for a source that has counts of each.
  ///
  /// - Parameter firstHour: the hour before which only counts by day are complete.
  package func periods(firstHour: Int64) -> [(span: Int64, hours: Range<Int64>)] {
    if hours == nil, !isByHour { return [(0, 0..<1)] }
    let supported = 0..<Moment.latest.hour + 1
    let hours = (hours ?? supported).clamped(to: supported)
    let firstDay = min((hours.lowerBound + 23) / 24 * 24, hours.upperBound)
    let end = isByHour ? min(hours.upperBound, firstHour) : hours.upperBound
    let lastDay = max(firstDay, end / 24 * 24)
    return [
      (1, hours.lowerBound..<firstDay), (24, firstDay..<lastDay), (1, lastDay..<hours.upperBound),
    ].filter { !$0.1.isEmpty }
  }
}

extension FileCounts {
  func firstDecodeHour() throws -> Int64? {
    try connection.integer(
      "SELECT hour FROM decode WHERE origin >= \(DecodeOrigin.sums) ORDER BY hour LIMIT 1")
  }

  func forEachDecodeCount(_ query: DecodeQuery, _ body: (DecodeCount) throws -> Void) throws {
    let groups =
      ["model_id"] + (query.isByRelease ? ["release_id"] : []) + (query.isByHour ? ["hour"] : [])
    let statement = try Statement(
      connection,
      """
      SELECT model_id, \(query.isByRelease ? "release_id" : "0"), \(query.isByHour ? "hour" : "0"),
        min(total(max(decodes, 0)), \(Int64.maximumCount))
      FROM decode
      WHERE hour BETWEEN ?1 AND ?2 AND origin >= \(DecodeOrigin.sums)
        AND \(Snapshot.Releases(query.releases).condition)
      GROUP BY \(groups.joined(separator: ", "))
      """)
    let hours = query.hours ?? -1..<Int64.max
    try statement.bind([.integer(hours.lowerBound), .integer(hours.upperBound - 1)])
    while try statement.step() {
      try body(
        DecodeCount(
          model: statement.integer(at: 0), release: statement.integer(at: 1),
          hour: statement.integer(at: 2), decodes: statement.integer(at: 3)))
    }
  }
}
