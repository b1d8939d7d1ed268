public import ResilientDecoding
public import ResilientPlatform

extension DigestStore {
  /// A failure and its counts.
  public struct FailureCount: Sendable, Hashable, Codable {
    /// The model, module-qualified, as in `App.Listing`.
    public let model: String
    /// The pattern of the coding path.
    public let codingPath: String
    /// The kind of the error; `other` if this version does not know it.
    public let kind: ErrorDigest.Kind
    /// The expected type; nil if the error has none.
    public let expectedType: String?
    /// The unknown raw value, if the failure is a novel value.
    public let novelValue: String?
    /// The type of the raw value; nil without one, or if an imported value has no type.
    public let valueType: String?
    /// The number of errors.
    public let occurrences: Int
    /// The number of digests with at least one of these errors.
    public let digests: Int
    /// When the first of these errors was recorded, of all time, including before the filter's window.
    public let firstSeen: Date
    /// When the last of these errors was recorded, of all time, including after the filter's window.
    public let lastSeen: Date
    /// The type of a sample of the found value; or what a whole body is instead of JSON, which is
    /// the same for all these errors.
    ///
    /// The sample is from one occurrence, whatever the filter. It is renewed once a day, and
    /// deleted when it is older than ``DigestStore/Configuration-swift.struct/maximumAge``.
    public let foundType: ErrorDigest.FoundValue.ValueType?
    /// The string, number or boolean of that sample; nil for other types.
    public let foundValue: String?
    /// The release in which the first of these errors was recorded; nil if its digest has none.
    ///
    /// Of several errors recorded in the same millisecond, the release that is first by name.
    /// `(other releases)` for a release whose counts were deleted or added to those of others, to
    /// save space.
    public internal(set) var firstRelease: String?
    /// The share of the model's decodes, from 0 to 1, that have at least one of these errors; nil if
    /// decodes were not counted.
    ///
    /// Decodes are counted by the hour. So the share is of whole hours, from the first one in which a
    /// decode without errors was counted.
    public internal(set) var rate: Double?
  }
}

extension DigestReader {
  /// Counts the failures, including novel values, most frequent first.
  ///
  /// Conversions and reports on keys aren't errors. They are counted only if the filter names their
  /// kind: `converted`, `missingKey`, `unknownKey`.
  ///
  /// The counts are exact under every filter, to the millisecond; `firstSeen`, `lastSeen` and
  /// `firstRelease` are of all time, in the filter's releases. Equally frequent failures are
  /// sorted by model, coding path, novel value, kind and expected type.
  ///
  /// If digests were evicted, ``countedWindow(matching:by:)`` returns the window that is counted.
  ///
  /// - Parameters:
  ///   - filter: the errors to count.
  ///   - limit: the most rows to return; nil for all.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func failures(
    matching filter: DigestFilter = DigestFilter(),
    limit: Int? = nil
  ) throws -> [DigestStore.FailureCount] {
    try snapshot { connection in
      try FailureQuery(connection, filter).read(limit: limit).map(\.failure)
    }
  }
}

extension DigestReader {
  /// Counts the novel values, most frequent first.
  ///
  /// They are the failures that have one, with the counts and in the order of
  /// ``failures(matching:limit:)``. For novel values alone in another report, set
  /// ``DigestFilter/novelValues`` to `*`.
  ///
  /// - Parameters:
  ///   - filter: the errors to count.
  ///   - limit: the most rows to return; nil for all.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func novelValues(
    matching filter: DigestFilter = DigestFilter(),
    limit: Int? = nil
  ) throws -> [DigestStore.FailureCount] {
    try failures(matching: filter.ofNovelValues, limit: limit)
  }
}

extension DigestFilter {
  /// The filter for those of its errors that have a novel value.
  package var ofNovelValues: Self {
    var filter = self
    if novelValues.isEmpty { filter.novelValues = ["*"] }
    return filter
  }

  /// The filter for some of its failures, and perhaps others of the same models or paths.
  package func narrowed(to failures: [DigestStore.FailureCount]) -> Self {
    var filter = self
    if models.isEmpty { filter.models = Self.names(failures.map(\.model)) }
    if codingPaths.isEmpty { filter.codingPaths = Self.names(failures.map(\.codingPath)) }
    return filter
  }
}

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
  /// - A clock that wasn't set does not make a failure old: times before 2 June 2014, when Swift was
  ///   published, do not count.
  /// - With neither, everything is new. The same holds with ``DigestFilter/hasNoRelease``, because
  ///   nothing is older than those digests.
  ///
  /// Errors of other environments or operations than the filter's do not count: with `production`, a
  /// failure is new even if it has occurred in `staging`.
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
      let rows = try FailureQuery(connection, filter, newTo: filter)
      return try rows.read(limit: limit, older: connection.contexts(olderThan: filter))
        .map(\.failure)
    }
  }
}

extension Engine {
  /// The contexts of the releases that are older than all of a filter's releases, in its
  /// environments and operations; empty if the filter has no releases.
  func contexts(olderThan filter: DigestFilter) throws -> [Int64] {
    // Nothing is older than digests without a release.
    guard !filter.hasNoRelease, !filter.releases.isEmpty else { return [] }
    let others = filter.ofContexts.ofAllReleases
    let contexts = try rows(
      """
      SELECT id, release, CASE WHEN \(others.contextsOfDigests("id")) THEN 1 ELSE 0 END
      FROM context ORDER BY id
      """, others.values()
    ) {
      (id: $0.integer(at: 0), release: $0.text(at: 1) ?? "", isChosen: $0.integer(at: 2) == 1)
    }
    // Names that aren't versions sort in the order in which they were first stored.
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
}
