extension DigestReader {
  /// Counts the failures that are new: they did not occur before the filter's window, nor in a
  /// release older than the filter's.
  ///
  /// - With ``DigestFilter/since``, a failure is new if none of its occurrences, of any release, is
  ///   before that moment.
  /// - With ``DigestFilter/releases``, a failure is new if it occurred in one of them and, at any
  ///   time, in no release older than all of them. Versions are ordered as in Semantic Versioning,
  ///   `4.2.0-beta.2`, `4.2.0`, `4.10.0`, and then by a build number in parentheses; equal versions
  ///   are in the order in which they were first stored. Digests without a release are the oldest.
  ///   Then come names that are not versions, in the order in which they were first stored, and then
  ///   versions.
  ///   `(other releases)` is never older, so a failure of a release that is counted there may be
  ///   called new.
  /// - With neither, everything is new. The same holds with ``DigestFilter/hasNoRelease``, because
  ///   nothing is older than those digests.
  ///
  /// What occurred in other environments or operations than the filter's is not considered: with
  /// `production`, a failure is new that only `staging` has had before.
  ///
  /// The counts and their order are those of ``failures(matching:limit:)`` with the same filter.
  ///
  /// - Parameters:
  ///   - filter: the errors to count. Its `since` and `releases` define what is new.
  ///   - limit: the most rows to return; nil for all.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func newFailures(
    matching filter: DigestFilter,
    limit: Int? = nil
  ) throws -> [DigestStore.FailureCount] {
    try snapshot { connection in
      let rows = try FailureRows(connection, filter, newTo: filter)
      return try rows.read(limit: limit, older: connection.contexts(olderThan: filter))
        .map(DigestStore.FailureCount.init)
    }
  }
}

extension Engine {
  /// The contexts of the releases that are older than all of a filter's releases, in its
  /// environments and operations; empty if the filter has no releases.
  func contexts(olderThan filter: DigestFilter) throws -> [Int64] {
    // Nothing is older than digests without a release.
    guard !filter.hasNoRelease, !filter.releases.isEmpty else { return [] }
    let others = filter.ofAllReleases
    let contexts = try rows(
      """
      SELECT id, release, CASE WHEN \(others.contextsOfDigests("id")) THEN 1 ELSE 0 END
      FROM context ORDER BY id
      """, others.values()
    ) {
      (id: $0.integer(at: 0), release: $0.text(at: 1) ?? "", isChosen: $0.integer(at: 2) == 1)
    }
    // Names that are no versions sort in the order in which they were first stored.
    let ids = Dictionary(
      contexts.map { (BinaryString($0.release), $0.id) }, uniquingKeysWith: { first, _ in first })
    func order(_ release: String) -> ReleaseOrder {
      ReleaseOrder(release.isEmpty ? nil : release, id: ids[BinaryString(release)])
    }
    let chosen = filter.releases.map(order)
    return contexts.filter { context in
      guard context.isChosen,
        context.release != Overflow.release || filter.releases == [Overflow.release]
      else { return false }
      let release = order(context.release)
      return chosen.allSatisfy { release.isOlder(than: $0) }
    }.map(\.id)
  }

  /// The name of the newest release in a filter's environments and operations; nil if no digest has
  /// one.
  func newestRelease(_ filter: DigestFilter) throws -> String? {
    let others = filter.ofAllReleases
    let releases = try rows(
      """
      SELECT id, release FROM context
      WHERE release <> '' AND \(others.contextsOfDigests("id")) ORDER BY id
      """, others.values()
    ) { (id: $0.integer(at: 0), release: $0.text(at: 1) ?? "") }
    return releases.max {
      ReleaseOrder($0.release, id: $0.id).isOlder(than: ReleaseOrder($1.release, id: $1.id))
    }?.release
  }
}
