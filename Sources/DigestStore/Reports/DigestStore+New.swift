extension DigestStore {
  /// Counts the novel values that are new: that had not been met before the filter's window, nor in
  /// a release older than the filter's.
  ///
  /// - With ``DigestFilter/since``, a value is new when none of its occurrences, of any release and
  ///   kind, is before that moment.
  /// - With ``DigestFilter/releases``, it is new when it occurred in one of them and, at any time,
  ///   in no release that is older than all of them. Versions are in the order of Semantic Versioning: `4.2.0-beta.2`,
  ///   `4.2.0`, `4.10.0`. A name that is no version is older than every version; such names are in
  ///   the order in which the store first met them, behind digests without a release. Releases
  ///   that are counted together, as `(other releases)`, are older if all of them are; otherwise
  ///   a value of theirs may be called new. What of the releases asked for is counted there is missing,
  ///   and ``limitsHit(matching:)`` says so.
  /// - With neither, everything is new; so it is with ``DigestFilter/hasNoRelease``, for nothing is
  ///   older than those digests.
  ///
  /// The counts are those of ``novelValues(matching:limit:)`` with the same filter, in the same order.
  ///
  /// - Parameters:
  ///   - filter: which errors count; its `since` and `releases` say what is new.
  ///   - limit: the most rows to return; nil for all.
  /// - Throws: ``DigestStoreError`` as ``novelValues(matching:limit:)`` does.
  public func newNovelValues(
    matching filter: DigestFilter,
    limit: Int? = nil
  ) throws -> [NovelValueCount] {
    try snapshot { snapshot in
      let known = try snapshot.known(before: filter).ofNovelValues(snapshot.values)
      return try snapshot.ranked(
        snapshot.novelValueSums(filter).without(known), limit: limit,
        by: FailureDescription.novelValuesPrecede
      ).map { NovelValueCount($0, $1) }
    }
  }

  /// Counts the failures that are new, in the sense of ``newNovelValues(matching:limit:)``.
  ///
  /// - Parameters:
  ///   - filter: which errors count; its `since` and `releases` say what is new.
  ///   - limit: the most rows to return; nil for all.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func newFailures(
    matching filter: DigestFilter,
    limit: Int? = nil
  ) throws -> [FailureCount] {
    try snapshot { snapshot in
      let known = try snapshot.known(before: filter)
      return try snapshot.ranked(
        snapshot.sums(filter).without(known), limit: limit,
        by: FailureDescription.failuresPrecede
      ).map { FailureCount($0, $1) }
    }
  }
}

extension Snapshot {
  /// What is not new in a filter's window and releases.
  func known(before filter: DigestFilter) throws -> CountsByID {
    let since = filter.since.map { Moment($0).milliseconds }
    let older = try releasesBefore(filter)
    var known = CountsByID(upTo: values.last)
    // All time says when something was met first, and in which releases.
    let allTime = TimeWindow(since: nil, until: nil)
    try forEachCell(in: allTime, of: .all, isByRelease: !older.isEmpty) { cell, release in
      if since.map({ cell.first < $0 }) == true || older.contains(release) { known.add(cell) }
    }
    return known
  }

  /// The name of the newest release; nil where no digest has one.
  func newestRelease() throws -> String? {
    try releases().max {
      ReleaseOrder($0.name, id: $0.id).isOlder(than: ReleaseOrder($1.name, id: $1.id))
    }?.name
  }

  /// The releases that are older than each of a filter's; none where it has none.
  private func releasesBefore(_ filter: DigestFilter) throws -> Set<Int64> {
    // Nothing is older than digests without a release.
    guard !filter.hasNoRelease, let first = filter.releases.first else { return [] }
    return try filter.releases.dropFirst().reduce(try releases(olderThan: first)) {
      $0.intersection(try releases(olderThan: $1))
    }
  }

  private func releases(olderThan name: String) throws -> Set<Int64> {
    let releases = try releases()
    // One that the store has not met would come last.
    let id = releases.first { $0.name.map(BinaryString.init) == BinaryString(name) }?.id ?? .max
    let release = ReleaseOrder(name, id: id)
    var older = Set(
      releases.filter { ReleaseOrder($0.name, id: $0.id).isOlder(than: release) }.map(\.id))
    if name != Overflow.release, let others = try numbers(ofReleases: [Overflow.release]).first {
      // Rather is too much new than too little: those that are counted as one may not all be older.
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
  /// What occurred of the failures that did not occur in others.
  func without(_ others: CountsByID) -> CountsByID {
    var rest = CountsByID()
    for cell in cells where others[cell.failure] == nil { rest.add(cell) }
    return rest
  }
}
