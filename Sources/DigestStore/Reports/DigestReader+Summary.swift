public import ResilientDecoding
public import ResilientPlatform

extension DigestStore {
  /// The failures of a window, compared with the window of the same length before it.
  public struct Summary: Sendable, Hashable {
    /// The window.
    public let window: Range<Date>
    /// Whether no counts of the window were deleted.
    public let hasAllCounts: Bool
    /// The decodes of the window; nil if they were not counted.
    public let decodes: DecodeCounts?
    /// The decodes of the window before; nil if they were not counted in all of it.
    public let decodesBefore: DecodeCounts?
    /// When an error was first recorded in the filter's environments, operations and sources, of any model and
    /// release, or a decode without errors in the whole store; nil if that is in the window or after it. It is 2 June 2014, when Swift was published, if it
    /// is unknown how old that is: a clock wasn't set, or days were deleted.
    public let oldest: Date?
    /// The window before.
    public let windowBefore: Range<Date>
    /// The first failures of each section, section by section, most frequent first.
    public let failures: [SummarizedFailure]
    /// The number of failures in each section, including those that the limit leaves out.
    public let totals: [SummarySection: Int]
    /// The number of failures of all sections that are over.
    public let overCount: Int
    /// The notices in the window, by kind, without those that a section lists.
    public let notices: [ErrorDigest.Kind: Int]
    /// The failures of the window that `isDecided` left out.
    public let decided: [FailureCount]
  }

  /// How a failure has changed since the window before.
  public enum SummarySection: String, Sendable, Hashable, CaseIterable, Codable {
    /// It never occurred before the window.
    case new
    /// It occurs again after the end of a decision.
    case regressed
    /// It is in a larger share of decodes than before.
    case growing
    /// A key is missing that the app does not require, and that is new or growing.
    case vanished
    /// It is neither new, nor growing, nor over.
    case ongoing
    /// It no longer occurs.
    case over
  }

  /// A failure of a summary.
  public struct SummarizedFailure: Sendable, Hashable {
    /// The section that lists the failure.
    public let section: SummarySection
    /// The failure, with its counts in the window.
    public let failure: FailureCount
    /// The number of errors in the window before; nil if counts of that window were deleted.
    public let occurrencesBefore: Int?
    /// The number of digests with at least one of these errors in the window before; nil if counts of
    /// that window were deleted.
    public let digestsBefore: Int?
    /// The share of the model's decodes in the window before; nil if decodes were not counted, or if counts of
    /// that window were deleted.
    public let rateBefore: Double?
    /// The share of the model's decodes since the hour in which it was first seen, or the day if hours were
    /// deleted; nil if it was first seen before both windows, or if decodes were not counted.
    public let rateSinceItBegan: Double?
    /// Whether it no longer occurs. A failure of another section may be over, too.
    public let isOver: Bool
    /// The number of errors in periods of equal length, from the beginning of the window before to the
    /// end of the window; nil where it is unknown. If both windows together are six hours or longer, it ends
    /// with the last whole hour.
    public let course: [Int?]
    /// The operations in which it occurred in either window. The one with most errors comes first, or of
    /// a growing failure the one with the largest growth.
    public let operations: [String]
    /// The pattern of the path of an unknown key that came in place of a missing one.
    public let renamedTo: String?
  }
}

extension DigestReader {
  /// Compares the failures of a window with the window before it.
  ///
  /// - A failure is **new** if it never occurred before the window, in any release.
  /// - It is **growing** if its share of the model's decodes is at least 1.5 times that in the
  ///   window before, and chance explains that in fewer than 1 of 1,000 cases. Where decodes were not
  ///   counted, numbers of digests are compared.
  /// - It is **over** if it is absent for so many decodes of its model that chance explains that in
  ///   fewer than 1 of 1,000 cases. Where decodes were not counted, it is over if at least ten digests had
  ///   it in the window before, and none has it in this one. A new failure may be over, too.
  ///
  /// Windows with deleted counts are not compared.
  ///
  /// Missing keys that a model does not require are listed only if they are new, growing, or regressed; other
  /// notices only if the filter names their kinds.
  ///
  /// Rates are of whole hours. In a window of less than two hours, numbers of digests are compared.
  ///
  /// - Parameters:
  ///   - window: the window. Replaces that of the filter.
  ///   - filter: the errors to count.
  ///   - limit: the most rows of a section; nil for all.
  ///   - isDecided: whether to leave a failure out.
  ///   - hasRegressed: whether a failure occurs again after the end of a decision.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func summary(
    of window: Range<Date>,
    matching filter: DigestFilter = DigestFilter(),
    limit: Int? = nil,
    leavingOut isDecided: @Sendable (DigestStore.FailureCount) -> Bool = { _ in false },
    regressed hasRegressed: @Sendable (DigestStore.FailureCount) -> Bool = { _ in false }
  ) throws -> DigestStore.Summary {
    let renames =
      filter.kinds.isEmpty && filter.novelValues.isEmpty
      ? try latestRenames(matching: filter.limited(to: window)) : []
    return try snapshot { connection in
      let count = try SummaryCount(connection, filter, window)
      return try count.summary(
        of: count.found(hasRegressed), limit: limit ?? .max, renames, isDecided)
    }
  }
}
