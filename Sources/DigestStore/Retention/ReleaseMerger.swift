/// Merges the oldest releases into one, once only their counts of all time are left. The oldest are
/// those whose last error is longest ago.
///
/// Counts of all releases together do not change. The file keeps a list of the merged releases,
/// because later counts of such a release are not complete. It also keeps their names, because
/// other processes hold their ids in memory.
final class ReleaseMerger {
  /// The number of bytes of packed counts that a step reads to find the oldest releases, and the
  /// number that it adds for each release.
  private static let maximumScanned = 1 << 20
  private static let scannedForEach = 64

  /// A search through all releases. It takes several steps if there are many.
  private struct Search {
    /// The last release that was read. Starts after 0, because digests without a release are never
    /// merged.
    var position: Int64 = 0
    var isComplete = false

    /// Whether a merged release exists already.
    var hasOthers = false

    /// The releases that can be merged, with the times of their last errors. Sorted at the end of
    /// the search, oldest last.
    var found: [(release: Int64, last: Int64)] = []
  }

  /// The counts of all time of a release.
  private struct Total {
    var failures: [Count] = []
    var models: [Count] = []

    /// The number of bytes that the packed counts take.
    var length = 0

    var occurrences: Int64 { failures.sum(of: \.occurrences) }
    var last: Int64 { failures.reduce(0) { max($0, $1.last) } }
  }

  /// The approximate number of bytes of packed counts that a step merges, and the number of
  /// releases.
  private let maximumLength: Int
  private let maximumReleases: Int

  private let findOthers: Statement
  private let addOthers: Statement
  private let findBusy: Statement
  private let findNext: Statement
  private let failures: TotalCountTable
  private let models: TotalCountTable
  private let decodes: DecodeDropper

  private var search: Search?

  init(_ connection: Connection, maximumLength: Int, maximumReleases: Int) throws {
    self.maximumLength = maximumLength
    self.maximumReleases = maximumReleases
    findOthers = try Statement(connection, "SELECT id FROM release WHERE name = ?")
    addOthers = try Statement(connection, "INSERT INTO release (name) VALUES (?) RETURNING id")
    // Counts by day include those by hour.
    findBusy = try Statement(
      connection,
      """
      SELECT release_id FROM period WHERE span = 24 UNION SELECT release_id FROM digest
      UNION SELECT release_id FROM decode WHERE hour >= 0
      """)
    findNext = try Statement(
      connection,
      "SELECT min(release_id) FROM period WHERE span = 0 AND start = 0 AND release_id > ?")
    failures = try TotalCountTable(connection, .failures)
    models = try TotalCountTable(connection, .models)
    decodes = try DecodeDropper(connection)
  }

  /// Merges some releases, or continues the search for the oldest. Runs in a transaction of the
  /// caller.
  ///
  /// - Returns: whether there is more to do.
  func merge() throws -> Bool {
    let others = try findOthers.firstRow([.text(Overflow.release)]) { $0.integer(at: 0) }
    // The releases that have digests or counts by day.
    var busy: Set<Int64> = []
    while try findBusy.step() { busy.insert(findBusy.integer(at: 0)) }

    var search = self.search ?? Search()
    let hasMore =
      try search.isComplete
      ? mergeOldest(of: &search, as: others, except: busy)
      : look(for: &search, besides: others, except: busy)
    self.search = hasMore ? search : nil
    return hasMore
  }

  /// Resets the search: releases may have new errors, or a merge may have been rolled back.
  func forget() {
    search = nil
  }
}

extension ReleaseMerger {
  /// Reads some more releases.
  ///
  /// - Returns: false if there is nothing to merge.
  private func look(
    for search: inout Search,
    besides others: Int64?,
    except busy: Set<Int64>
  ) throws -> Bool {
    var scanned = 0
    while scanned < Self.maximumScanned {
      let next = try findNext.firstRow([.integer(search.position)]) { $0.optionalInteger(at: 0) }
      // A damaged id that is not an integer would be found again and again.
      guard let release = next ?? nil, release > search.position else {
        search.isComplete = true
        search.found.sort { $0.last > $1.last }
        // Merging a single release would only rename it.
        return search.found.count > (search.hasOthers ? 0 : 1)
      }
      search.position = release
      scanned += Self.scannedForEach
      if release == others {
        search.hasOthers = true
      } else if !busy.contains(release), let total = try total(of: release) {
        search.found.append((release, total.last))
        scanned += total.length
      }
    }
    return true
  }

  /// - Returns: false if all found releases have been merged.
  private func mergeOldest(
    of search: inout Search,
    as others: Int64?,
    except busy: Set<Int64>
  ) throws -> Bool {
    var merged: [(release: Int64, total: Total)] = []
    var length = 0
    while length < maximumLength, merged.count < maximumReleases,
      let (release, _) = search.found.popLast()
    {
      // The release may have new errors, or another process may have merged it.
      guard !busy.contains(release), let total = try total(of: release) else { continue }
      merged.append((release, total))
      length += total.length
    }
    guard !merged.isEmpty else { return false }

    let others = try others ?? addOthers.returnedInteger([.text(Overflow.release)])
    var budget = 8 * maximumLength
    try failures.add(merged.flatMap(\.total.failures), to: others, budget: &budget)
    try models.add(merged.flatMap(\.total.models), to: others, budget: &budget)
    let marks = merged.map { Count(merged: $0, $1.occurrences, last: $1.last) }
    try failures.add(marks, to: others, span: Period.merged, budget: &budget)
    for (release, _) in merged {
      try failures.remove(release)
      try models.remove(release)
      try decodes.merge(release: release, into: others)
    }
    return true
  }

  /// Reads the counts of all time of a release.
  ///
  /// - Returns: nil if there are none, or if they are damaged. Damaged counts stay unchanged.
  private func total(of release: Int64) throws -> Total? {
    var total = Total()
    guard let ofFailures = try failures.counts(of: release, length: &total.length),
      let ofModels = try models.counts(of: release, length: &total.length)
    else { return nil }
    (total.failures, total.models) = (ofFailures, ofModels)
    return ofFailures.isEmpty ? nil : total
  }
}

extension Count {
  /// The row that ``Period/merged`` stores for a release: the number of its errors and the time of
  /// the last one.
  fileprivate init(merged release: Int64, _ occurrences: Int64, last: Int64) {
    self.init(
      id: release, occurrences: occurrences, digests: 1, sharedDigests: 0, first: last,
      last: last)
  }
}
