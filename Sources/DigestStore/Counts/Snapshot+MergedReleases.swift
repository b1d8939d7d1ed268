extension Snapshot {
  /// How many errors of each release are counted as those of the one that stands for many, for the
  /// file had no room to count them apart.
  func mergedReleases() throws -> [Int64: Int64] {
    var releases: [Int64: Int64] = [:]
    try forEachPack("span = ?", [.integer(Period.merged)]) { period, _, bytes in
      var cells = CountDecoder(bytes, period)
      while let cell = try cells.next() {
        releases[cell.failure] = (releases[cell.failure] ?? 0).adding(count: cell.occurrences)
      }
    }
    return releases
  }

  /// How many errors there are of releases that were one too many for the file when they sent.
  func occurrencesOfUnknownReleases(besides merged: [Int64: Int64]) throws -> Int64 {
    let others = DigestFilter(release: Overflow.release)
    return try sumsOfAll(others).occurrences - merged.values.sum { $0 }
  }

  /// How many errors of a filter's releases, and of all failures, may be counted as those of the one
  /// that stands for many.
  func occurrencesAmongOthers(of filter: DigestFilter) throws -> Int64 {
    let merged = try mergedReleases()
    // What was merged has no hours and no days.
    let isOfAllTime = filter.since == nil && filter.until == nil
    let known = try numbers(ofReleases: filter.releases)
    // A release that the file does not know may be one of those that it could not tell apart.
    let unknown =
      known.count < Set(filter.releases.map(BinaryString.init)).count
      ? try occurrencesOfUnknownReleases(besides: merged) : 0
    return isOfAllTime
      ? known.sum { merged[$0] ?? 0 }.adding(count: max(0, unknown)) : max(0, unknown)
  }
}
