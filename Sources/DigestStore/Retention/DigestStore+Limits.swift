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
    /// 10,000 releases.
    public static let releases = Self(rawValue: "releases")
  }

  /// Which limit.
  public let limit: Limit
  /// The model that has too much; nil for the limits on models and releases.
  public let model: String?
  /// The pattern at which there are too many novel values; nil for the other limits.
  public let codingPath: String?
  /// How many errors are counted together for it.
  public let occurrences: Int
}

extension DigestStore {
  /// Tells which limits on different things were reached, and how many errors are counted as one.
  ///
  /// Nothing of them is missing in any count; they are only not told apart. What is counted as one
  /// has no value and no kind of its own any more, and over the limit on failures no path: a report
  /// that chooses by these does not count it, and it is told all the same, for it may belong there.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func limitsHit(matching filter: DigestFilter = DigestFilter()) throws -> [LimitHit] {
    // Most files have reached none, and looking at names is quicker than counting.
    guard try read({ try $0.integer(Self.hasOverflow) }) == 1 else { return [] }
    var anyKind = filter
    (anyKind.kind, anyKind.novelValue) = (nil, nil)
    var anyPath = anyKind
    anyPath.codingPath = nil
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
    let ofModels = failures.reduce(0) { $0 + ($1.model == Overflow.model ? $1.occurrences : 0) }
    var ofReleases = 0
    if filter.release == Overflow.release || filter.release == nil && !filter.hasNoRelease {
      var filter = filter
      filter.release = Overflow.release
      ofReleases = try self.failures(matching: filter).reduce(0) { $0 + $1.occurrences }
    }
    let names = [(LimitHit.Limit.models, ofModels), (.releases, ofReleases)]
    return places
      + names.filter { $0.1 > 0 }.map {
        LimitHit(limit: $0.0, model: nil, codingPath: nil, occurrences: $0.1)
      }
  }

  /// Whether a file has a name that stands for many; the texts are ours.
  static let hasOverflow = """
    SELECT EXISTS (SELECT 1 FROM model WHERE name = '\(Overflow.model)')
      OR EXISTS (SELECT 1 FROM release WHERE name = '\(Overflow.release)')
      OR EXISTS (
        SELECT 1 FROM failure WHERE \(Overflow.failureCondition))
    """
}
