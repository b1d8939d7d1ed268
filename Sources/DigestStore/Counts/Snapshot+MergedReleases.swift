extension Snapshot {
  /// Returns the number of errors of each release that are counted under `(other releases)` because
  /// the file had no room to count them separately.
  func mergedReleases() throws -> [Int64: Int64] {
    var releases: [Int64: Int64] = [:]
    try connection.forEachPack("span = ?", [.integer(Period.merged)]) { period, _, bytes in
      var counts = CountDecoder(bytes, period)
      while let count = try counts.next() {
        releases[count.id] = (releases[count.id] ?? 0).adding(count: count.occurrences)
      }
    }
    return releases
  }

  /// Returns the number of errors whose release was never stored, because the file already had too
  /// many releases when they were recorded.
  func occurrencesOfUnknownReleases(besides merged: [Int64: Int64]) throws -> Int64 {
    let others = DigestFilter(release: Overflow.release)
    return try sumsOfAll(others, from: .models).occurrences - merged.values.sum { $0 }
  }

  /// Returns an upper bound on the errors of the filter's releases, of any failure, that are
  /// counted under `(other releases)`.
  func occurrencesAmongOthers(of filter: DigestFilter) throws -> Int64 {
    let merged = try mergedReleases()
    // Merged releases have no counts by hour or by day.
    let isOfAllTime = filter.since == nil && filter.until == nil
    let known = try numbers(ofReleases: filter.releases)
    // An unknown release may be one that the file had no room for.
    let unknown =
      known.count < Set(filter.releases.map(BinaryString.init)).count
      ? try occurrencesOfUnknownReleases(besides: merged) : 0
    return isOfAllTime
      ? known.sum { merged[$0] ?? 0 }.adding(count: max(0, unknown)) : max(0, unknown)
  }
}
