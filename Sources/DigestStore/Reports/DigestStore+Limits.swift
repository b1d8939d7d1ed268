/// A limit that a file has reached, and how much is counted together since.
public struct LimitHit: Sendable, Hashable {
  /// A limit on how many different things a file tells apart.
  public struct Limit: RawRepresentable, Hashable, Sendable {
    /// What there is too much of, in words for people.
    public let rawValue: String

    /// Makes a limit to compare with one of a version that knows more of them.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// ``DigestStore/Configuration-swift.struct/maximumNovelValuesPerPath``.
    public static let novelValuesPerPath = Self(rawValue: "novel values")
    /// ``DigestStore/Configuration-swift.struct/maximumFailures``.
    public static let failures = Self(rawValue: "failures")
    /// 10,000 models.
    public static let models = Self(rawValue: "models")
    /// 10,000 releases, or as many as ``DigestStore/Configuration-swift.struct/maximumBytes`` has
    /// room for.
    public static let releases = Self(rawValue: "releases")
  }

  /// Which limit.
  public let limit: Limit
  /// The model that has too much; nil for the limits on models and releases.
  public let model: String?
  /// The pattern at which there are too many novel values; nil for the other limits.
  public let codingPath: String?
  /// How many errors are counted together for it; of ``releases`` at most so many.
  public let occurrences: Int
  /// The releases that were asked for, of which errors are counted as `(other releases)`, so that the
  /// answer does not have them; empty where all that was asked for is counted.
  public internal(set) var releases: [String] = []
}

extension DigestStore {
  /// Tells which limits on different things were reached, and how many errors are counted as one.
  ///
  /// Nothing of them is missing in any count; they are only not told apart. What is counted as one
  /// has no value and no kind of its own any more, and over the limit on failures no path: a report
  /// that chooses by these does not count it, and it is told all the same, for it may belong there.
  /// So are the errors of releases that are counted as `(other releases)`: ``LimitHit/releases``.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func limitsHit(matching filter: DigestFilter = DigestFilter()) throws -> [LimitHit] {
    // Most files have reached none, and looking at names is quicker than counting.
    guard try read({ try $0.integer(Self.hasOverflow) }) == 1 else { return [] }
    var anyKind = filter
    (anyKind.kinds, anyKind.novelValues) = ([], [])
    var anyPath = anyKind
    anyPath.codingPaths = []
    let others =
      try self.failures(matching: anyKind).filter(\.hasOtherValues)
      + self.failures(matching: anyPath).filter(\.hasOtherPaths)
    let places = others.map {
      LimitHit(
        limit: $0.hasOtherValues ? .novelValuesPerPath : .failures,
        model: $0.model,
        codingPath: $0.hasOtherValues ? $0.codingPath : nil,
        occurrences: $0.occurrences
      )
    }
    let failures = try self.failures(matching: filter)
    let ofModels = failures.sum { $0.model == Overflow.model ? $0.occurrences : 0 }
    let totals = [
      LimitHit(limit: .models, model: nil, codingPath: nil, occurrences: ofModels),
      try releasesHit(matching: filter),
    ]
    return places + totals.filter { $0.occurrences > 0 }
  }

  private func releasesHit(matching filter: DigestFilter) throws -> LimitHit {
    // Who asks for the one that stands for many gets all that is counted there.
    let releases = filter.releases.contains(Overflow.release) ? [] : filter.releases
    var others = filter
    (others.releases, others.hasNoRelease) = ([Overflow.release], false)
    // Digests without a release stay apart.
    let isOfNone = filter.hasNoRelease && filter.releases.isEmpty
    var occurrences = isOfNone ? 0 : try failures(matching: others).sum(of: \.occurrences)
    if !releases.isEmpty, occurrences > 0 {
      // Which of the failures there were of this release is not known any more.
      occurrences = min(
        occurrences, try snapshot { Int(clamping: try $0.occurrencesAmongOthers(of: filter)) })
    }
    return LimitHit(
      limit: .releases, model: nil, codingPath: nil, occurrences: occurrences, releases: releases)
  }

  /// Whether a file has a name that stands for many; the texts are ours.
  static let hasOverflow = """
    SELECT EXISTS (SELECT 1 FROM model WHERE name = '\(Overflow.model)')
      OR EXISTS (SELECT 1 FROM release WHERE name = '\(Overflow.release)')
      OR EXISTS (
        SELECT 1 FROM failure WHERE \(Overflow.failureCondition))
    """
}
