extension DigestReader {
  /// Counts the novel values that are new: they did not occur before the filter's window, nor in a
  /// release older than the filter's.
  ///
  /// - With ``DigestFilter/since``, a value is new if none of its occurrences, of any release and
  ///   kind, is before that moment.
  /// - With ``DigestFilter/releases``, a value is new if it occurred in one of them and, at any
  ///   time, in no release older than all of them. Versions are ordered as in Semantic Versioning:
  ///   `4.2.0-beta.2`, `4.2.0`, `4.10.0`. Digests without a release are the oldest. Then come names
  ///   that are not versions, in the order in which they were first stored, and then versions.
  ///   Merged releases, counted as `(other releases)`, are older if all of them are; otherwise one
  ///   of their values may be called new. Errors of the requested releases that are counted there
  ///   are missing; ``reachedLimits(matching:)`` reports that.
  /// - With neither, everything is new. The same holds with ``DigestFilter/hasNoRelease``, because
  ///   nothing is older than those digests.
  ///
  /// The counts and their order are those of ``novelValues(matching:limit:)`` with the same filter.
  ///
  /// - Parameters:
  ///   - filter: the errors to count. Its `since` and `releases` define what is new.
  ///   - limit: the most rows to return; nil for all.
  /// - Throws: ``DigestStoreError`` as ``novelValues(matching:limit:)`` does.
  public func newNovelValues(
    matching filter: DigestFilter,
    limit: Int? = nil
  ) throws -> [DigestStore.NovelValueCount] {
    try snapshot { snapshot in
      let snapshot = try snapshot.selecting(
        .novelValue, matching: filter, limit: limit, newTo: filter)
      let known = try snapshot.known(before: filter).ofNovelValues(snapshot.values)
      return try snapshot.novelValues(
        snapshot.novelValueSums(filter).without(known), filter, limit: limit)
    }
  }

  /// Counts the failures that are new, as defined by ``newNovelValues(matching:limit:)``.
  ///
  /// - Parameters:
  ///   - filter: the errors to count. Its `since` and `releases` define what is new.
  ///   - limit: the most rows to return; nil for all.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func newFailures(
    matching filter: DigestFilter,
    limit: Int? = nil
  ) throws -> [DigestStore.FailureCount] {
    try snapshot { snapshot in
      let snapshot = try snapshot.selecting(
        .failure, matching: filter, limit: limit, newTo: filter)
      let known = try snapshot.known(before: filter)
      return try snapshot.failures(snapshot.sums(filter).without(known), filter, limit: limit)
    }
  }
}

extension Snapshot {
  /// The failures that occurred before a filter's window or in releases older than the filter's.
  func known(before filter: DigestFilter) throws -> CountsByID {
    try known(before: filter, from: .failures)
  }

  /// Whether anything occurred before a filter's window or in releases older than the filter's.
  func hasKnown(before filter: DigestFilter) throws -> Bool {
    try !known(before: filter, from: .models).counts.isEmpty
  }

  private func known(
    before filter: DigestFilter, from table: CountTable
  ) throws -> CountsByID {
    let since = filter.since.map { Moment($0).milliseconds }
    let older = try releasesBefore(filter)
    var known = try CountsByID(upTo: last(of: table))
    // The all-time counts have the first occurrence of each failure, and its releases.
    let allTime = TimeWindow(since: nil, until: nil)
    try forEachCount(from: table, in: allTime, of: .all, isByRelease: !older.isEmpty) {
      count, release in
      if since.map({ count.first < $0 }) == true || older.contains(release) { known.add(count) }
    }
    return known
  }

  /// The name of the newest release; nil if no digest has one.
  func newestRelease() throws -> String? {
    try releases().max {
      ReleaseOrder($0.name, id: $0.id).isOlder(than: ReleaseOrder($1.name, id: $1.id))
    }?.name
  }

  /// The releases older than all of a filter's releases; empty if the filter has none.
  func releasesBefore(_ filter: DigestFilter) throws -> Set<Int64> {
    // Nothing is older than digests without a release.
    guard !filter.hasNoRelease, let first = filter.releases.first else { return [] }
    return try filter.releases.dropFirst().reduce(try releases(olderThan: first)) {
      $0.intersection(try releases(olderThan: $1))
    }
  }

  private func releases(olderThan name: String) throws -> Set<Int64> {
    let releases = try releases()
    // A name that the store does not have comes last in the order of storing.
    let id = releases.first { $0.name.map(BinaryString.init) == BinaryString(name) }?.id ?? .max
    let release = ReleaseOrder(name, id: id)
    var older = Set(
      releases.filter { ReleaseOrder($0.name, id: $0.id).isOlder(than: release) }.map(\.id))
    if name != Overflow.release, let others = try numbers(ofReleases: [Overflow.release]).first {
      // Prefers false positives: merged releases are not known to be older.
      older.remove(others)
      let merged = try mergedReleases()
      if merged.keys.allSatisfy(older.contains),
        try occurrencesOfUnknownReleases(besides: merged) == 0
      {
        older.insert(others)
      }
    }
    return older
  }

  private func releases() throws -> [(id: Int64, name: String?)] {
    try connection.rows("SELECT id, name FROM release") {
      (id: $0.integer(at: 0), name: $0.text(at: 1))
    }
  }
}

extension CountsByID {
  /// The counts of the failures that do not occur in `others`.
  func without(_ others: CountsByID) -> CountsByID {
    var rest = CountsByID()
    for count in counts where others[count.id] == nil { rest.add(count) }
    return rest
  }
}
