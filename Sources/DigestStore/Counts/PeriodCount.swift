/// The count of one release in one period or of all time.
struct PeriodCount {
  let release: Int64

  /// The first hour of the period since 1970; 0 for all time.
  var start: Int64
  var count: Count

  /// Adds up counts of all time that belong to the same failure.
  static func sums(ofAllReleasesIn counts: [PeriodCount]) -> [PeriodCount] {
    guard let first = counts.first, counts.contains(where: { $0.release != first.release })
    else { return counts }
    return sums(of: counts.map { PeriodCount(release: 0, start: 0, count: $0.count) }, span: 0)
  }

  /// Adds up counts of the same period, release and failure.
  ///
  /// - Parameter span: the length of the periods in hours; 0 for all time.
  /// - Returns: the sums, sorted by period, release and failure.
  static func sums(of counts: [PeriodCount], span: Int64) -> [PeriodCount] {
    var parts = counts
    for index in parts.indices {
      parts[index].start = span == 0 ? 0 : parts[index].start / span * span
    }
    parts.sort {
      ($0.start, $0.release, $0.count.id) < ($1.start, $1.release, $1.count.id)
    }
    var sums: [PeriodCount] = []
    for part in parts {
      if let last = sums.last, last.start == part.start, last.release == part.release,
        last.count.id == part.count.id
      {
        sums[sums.count - 1].count.add(part.count)
      } else {
        sums.append(part)
      }
    }
    return sums
  }
}
