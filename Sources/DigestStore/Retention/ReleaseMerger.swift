/// Counts the oldest releases as one, when their tallies of all time are all that there still is of
/// them: those whose last error is the longest ago.
///
/// No count of all releases changes by it. The file keeps which releases were merged, for what is
/// counted of one of them later is not all of it. It keeps their names too: other processes have
/// their numbers in memory.
final class ReleaseMerger {
  /// How many bytes of tallies a step reads to find the oldest releases, and how many it counts for
  /// each release in addition.
  private static let maximumScanned = 1 << 20
  private static let scannedForEach = 64

  /// A look at all releases, which takes some steps where there are many.
  private struct Search {
    /// The last release that was looked at. Digests without one stay apart.
    var position: Int64 = 0
    var isComplete = false

    /// Whether one stands for many already.
    var hasOthers = false

    /// The releases that can be merged, and their last errors; in the end the oldest come last.
    var found: [(release: Int64, last: Int64)] = []
  }

  /// What a release has come to in all time.
  private struct Total {
    var failures: [Count] = []
    var models: [Count] = []

    /// How many bytes that takes.
    var length = 0

    var occurrences: Int64 { failures.sum(of: \.occurrences) }
    var last: Int64 { failures.reduce(0) { max($0, $1.last) } }
  }

  /// How many bytes of tallies a step merges, about, and of how many releases.
  private let maximumLength: Int
  private let maximumReleases: Int

  private let findOthers: Statement
  private let addOthers: Statement
  private let findBusy: Statement
  private let findNext: Statement
  private let failures: TotalCountTable
  private let models: TotalCountTable

  private var search: Search?

  init(_ connection: Connection, maximumLength: Int, maximumReleases: Int) throws {
    self.maximumLength = maximumLength
    self.maximumReleases = maximumReleases
    findOthers = try Statement(connection, "SELECT id FROM release WHERE name = ?")
    addOthers = try Statement(connection, "INSERT INTO release (name) VALUES (?) RETURNING id")
    // What is in an hour is in a day too.
    findBusy = try Statement(
      connection,
      "SELECT release_id FROM period WHERE span = 24 UNION SELECT release_id FROM digest")
    findNext = try Statement(
      connection,
      "SELECT min(release_id) FROM period WHERE span = 0 AND start = 0 AND release_id > ?")
    failures = try TotalCountTable(connection, .failures)
    models = try TotalCountTable(connection, .models)
  }

  /// Merges some releases, or looks which are the oldest; part of a transaction.
  ///
  /// - Returns: whether there was anything to do.
  func merge() throws -> Bool {
    let others = try findOthers.firstRow([.text(Overflow.release)]) { $0.integer(at: 0) }
    // Those of which there is more than all time.
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

  /// Looks anew the next time: releases may have sent again, or what was merged was rolled back.
  func forget() {
    search = nil
  }
}

extension ReleaseMerger {
  /// Looks at some more releases.
  ///
  /// - Returns: false when there turns out to be nothing to merge.
  private func look(
    for search: inout Search,
    besides others: Int64?,
    except busy: Set<Int64>
  ) throws -> Bool {
    var scanned = 0
    while scanned < Self.maximumScanned {
      let next = try findNext.firstRow([.integer(search.position)]) { $0.optionalInteger(at: 0) }
      // What is no whole number would come again and again.
      guard let release = next ?? nil, release > search.position else {
        search.isComplete = true
        search.found.sort { $0.last > $1.last }
        // A single one would only get another name.
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

  /// - Returns: false when all that were found have been merged.
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
      // It may have sent again, or another process may have merged it.
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
    }
    return true
  }

  /// Reads what a release has come to.
  ///
  /// - Returns: nil where there is nothing, or it is damaged: then it stays as it is.
  private func total(of release: Int64) throws -> Total? {
    var total = Total()
    guard let ofFailures = try failures.cells(of: release, length: &total.length),
      let ofModels = try models.cells(of: release, length: &total.length)
    else { return nil }
    (total.failures, total.models) = (ofFailures, ofModels)
    return ofFailures.isEmpty ? nil : total
  }
}

extension Count {
  /// What ``Period/merged`` has of a release: how many errors, and when the last of them was.
  fileprivate init(merged release: Int64, _ occurrences: Int64, last: Int64) {
    self.init(
      failure: release, occurrences: occurrences, digests: 1, sharedDigests: 0, first: last,
      last: last)
  }
}
