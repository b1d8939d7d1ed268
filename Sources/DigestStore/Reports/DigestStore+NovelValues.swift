#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A value that the backend sends and the app does not know, and how often it does.
public struct NovelValueCount: Sendable, Hashable {
  /// The model, module-qualified, as in `App.Listing`.
  public let model: String
  /// The pattern of the coding path.
  public let codingPath: String
  /// The raw value, as text.
  public let novelValue: String
  /// The type of the raw value; nil only for what was imported without one.
  public let valueType: String?
  /// How many errors.
  public let occurrences: Int
  /// How many digests had at least one of them.
  public let digests: Int
  /// When the first of them was recorded.
  public let firstSeen: Date
  /// When the last of them was recorded.
  public let lastSeen: Date
}

extension DigestStore {
  /// Counts the novel values, the most frequent first.
  ///
  /// The counts are exact under every filter, to the millisecond; `firstSeen` and `lastSeen` are of
  /// the occurrences that the filter lets through. What is equally frequent is in the order of
  /// model, coding path and value.
  ///
  /// Where digests were evicted, ``countedWindow(matching:by:)`` tells which window that is.
  ///
  /// - Parameters:
  ///   - filter: which errors count.
  ///   - limit: the most rows to return; nil for all.
  /// - Throws: ``DigestStoreError`` when the file cannot be read, or with code `invalidInput` when the
  ///   filter has a kind, a value has occurred with several kinds in the same digests, and these are
  ///   gone: then nobody can tell how many digests there were.
  public func novelValues(
    matching filter: DigestFilter = DigestFilter(),
    limit: Int? = nil
  ) throws -> [NovelValueCount] {
    try snapshot { snapshot in
      let sums =
        try snapshot.sumsOfMostFrequent(.novelValues, limit, filter)?.ofNovelValues(snapshot.values)
        ?? snapshot.novelValueSums(filter)
      return try snapshot.ranked(sums, limit: limit, by: FailureDescription.novelValuesPrecede)
        .map { NovelValueCount($0, $1) }
    }
  }
}

extension NovelValueCount {
  init(_ cell: Count, _ names: FailureDescription) {
    self.init(
      model: names.model,
      codingPath: names.codingPath,
      novelValue: names.novelValue ?? "",
      valueType: names.valueType,
      occurrences: Int(clamping: cell.occurrences),
      digests: Int(clamping: cell.digests),
      firstSeen: Moment(milliseconds: cell.first).date,
      lastSeen: Moment(milliseconds: cell.last).date
    )
  }
}
