import ResilientDecoding

extension DigestStore {
  /// A limit that a file has reached, and the number of errors merged because of it.
  public struct ReachedLimit: Sendable, Hashable, Codable {
    /// A limit on the number of distinct names in a file.
    public struct Limit: RawRepresentable, Hashable, Sendable, Codable {
      /// The subject of the limit, in words.
      public let rawValue: String

      /// Makes a limit, for example to compare with one of a later version.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// ``DigestStore/Configuration-swift.struct/maximumNovelValuesPerPath``.
      public static let novelValuesPerPath = Self(rawValue: "novel values")
      /// ``DigestStore/Configuration-swift.struct/maximumFailures``.
      public static let failures = Self(rawValue: "failures")
      /// 10,000 models.
      public static let models = Self(rawValue: "models")
      /// 9,900 contexts: combinations of release, environment, operation and store.
      public static let releases = Self(rawValue: "releases")
      /// 9,000 contexts.
      public static let operations = Self(rawValue: "operations")
      /// 10,000 contexts.
      public static let environments = Self(rawValue: "environments")
    }

    /// The limit that was reached.
    public let limit: Limit
    /// The model that exceeds the limit; nil for the limits on models and contexts.
    public let model: String?
    /// The pattern with too many novel values; nil for the other limits.
    public let codingPath: String?
    /// The number of errors merged because of the limit; for those on contexts an upper bound.
    public let occurrences: Int
  }
}

extension DigestReader {
  /// Returns the limits reached, and the number of errors merged because of each.
  ///
  /// Merged counts are still exact; only the individual parts are not visible. A merged error has
  /// no value and no kind of its own any more, and over the limit on failures no path. A report
  /// that filters by these does not count it, but this method reports it, because it may match. The
  /// same holds for errors that are counted as those of `(other releases)`, `(other environments)`
  /// or `(other operations)`.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func reachedLimits(
    matching filter: DigestFilter = DigestFilter()
  ) throws -> [DigestStore.ReachedLimit] {
    // Most files have reached no limit, and searching names is faster than counting.
    guard try hasOverflow() else { return [] }
    var values = filter
    (values.kinds, values.novelValues) = ([.unknownNovelValue], [Overflow.value])
    var paths = filter
    (paths.kinds, paths.novelValues, paths.codingPaths) = ([.other], [], [Overflow.codingPath])
    let others =
      try self.failures(matching: values).filter(\.hasOtherValues)
      + self.failures(matching: paths).filter(\.hasOtherPaths)
    let places = others.map {
      DigestStore.ReachedLimit(
        limit: $0.hasOtherValues ? .novelValuesPerPath : .failures,
        model: $0.model,
        codingPath: $0.hasOtherValues ? $0.codingPath : nil,
        occurrences: $0.occurrences
      )
    }
    let ofModels =
      try hasName(Overflow.model, of: .model)
      ? models(matching: filter).sum { $0.isOverflow ? $0.occurrences : 0 } : 0
    let totals =
      [DigestStore.ReachedLimit(.models, occurrences: ofModels)]
      + (try reachedLimitsOnContexts(matching: filter))
    return places + totals.filter { $0.occurrences > 0 }
  }

  /// The errors counted as those of `(other releases)` and the like. Any of them may be of a name in
  /// the filter.
  private func reachedLimitsOnContexts(
    matching filter: DigestFilter
  ) throws -> [DigestStore.ReachedLimit] {
    // An error may have lost another name of the filter, too.
    var any = filter
    if !any.releases.isEmpty { any.releases.append(Overflow.release) }
    if !any.environments.isEmpty { any.environments.append(Overflow.environment) }
    if !any.operations.isEmpty { any.operations.append(Overflow.operation) }
    var (releases, environments, operations) = (any, any, any)
    (releases.releases, releases.hasNoRelease) = ([Overflow.release], false)
    environments.environments = [Overflow.environment]
    operations.operations = [Overflow.operation]
    let isOfNone = filter.hasNoRelease && filter.releases.isEmpty
    return try [
      .init(.releases, occurrences: isOfNone ? 0 : occurrences(matching: releases)),
      .init(.environments, occurrences: occurrences(matching: environments)),
      .init(.operations, occurrences: occurrences(matching: operations)),
    ]
  }

  private func hasOverflow() throws -> Bool {
    try read { try $0.integer(Self.hasOverflow) } == 1
  }

  /// Whether a file has an overflow name. The inserted texts are constants.
  static let hasOverflow = """
    SELECT EXISTS (SELECT 1 FROM model WHERE name = '\(Overflow.model)')
      OR EXISTS (
        SELECT 1 FROM context
        WHERE release = '\(Overflow.release)' OR environment = '\(Overflow.environment)'
          OR operation = '\(Overflow.operation)')
      OR EXISTS (
        SELECT 1 FROM failure WHERE \(Overflow.failureCondition))
    """
}

extension DigestStore.ReachedLimit {
  /// A limit on models or contexts.
  fileprivate init(_ limit: Limit, occurrences: Int) {
    self.init(limit: limit, model: nil, codingPath: nil, occurrences: occurrences)
  }
}
