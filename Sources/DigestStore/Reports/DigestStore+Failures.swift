#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A distinct thing that goes wrong, and how often it does.
public struct FailureCount: Sendable, Hashable {
  /// The model, module-qualified, as in `App.Listing`.
  public let model: String
  /// The pattern of the coding path.
  public let codingPath: String
  /// The raw value of an `ErrorDigest.Kind`.
  public let kind: String
  /// The type that was expected; nil where the error does not say.
  public let expectedType: String?
  /// The raw value that is unknown, if that is what went wrong.
  public let novelValue: String?
  /// The type of the raw value.
  public let valueType: String?
  /// How many errors.
  public let occurrences: Int
  /// How many digests had at least one of them.
  public let digests: Int
  /// When the first of them was recorded.
  public let firstSeen: Date
  /// When the last of them was recorded.
  public let lastSeen: Date
  /// The raw value of an `ErrorDigest.FoundValue.ValueType`: what the payload had in this place, as
  /// a sample; that of the failure's first occurrence that had one, whatever the filter is. Where
  /// that became older than ``DigestStore/Configuration-swift.struct/maximumAge``, of a later one.
  public let foundType: String?
  /// The string, number or boolean of that sample; nil when it was too old and none has come since.
  public let foundValue: String?
}

extension DigestStore {
  /// Counts the failures, novel values among them, the most frequent first.
  ///
  /// The counts are exact under every filter, to the millisecond. What is equally frequent is in
  /// the order of model, coding path, novel value, kind and expected type.
  ///
  /// Where digests were evicted, ``countedWindow(matching:by:)`` tells which window that is.
  ///
  /// - Parameters:
  ///   - filter: which errors count.
  ///   - limit: the most rows to return; nil for all.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func failures(
    matching filter: DigestFilter = DigestFilter(),
    limit: Int? = nil
  ) throws -> [FailureCount] {
    try snapshot { snapshot in
      let sums =
        try snapshot.sumsOfMostFrequent(.failures, limit, filter) ?? snapshot.sums(filter)
      return try snapshot.ranked(sums, limit: limit, by: FailureDescription.failuresPrecede)
        .map { FailureCount($0, $1) }
    }
  }
}

extension FailureCount {
  init(_ cell: Count, _ names: FailureDescription) {
    self.init(
      model: names.model,
      codingPath: names.codingPath,
      kind: names.kind,
      expectedType: names.expectedType,
      novelValue: names.novelValue,
      valueType: names.valueType,
      occurrences: Int(clamping: cell.occurrences),
      digests: Int(clamping: cell.digests),
      firstSeen: Moment(milliseconds: cell.first).date,
      lastSeen: Moment(milliseconds: cell.last).date,
      foundType: names.foundType,
      foundValue: names.foundValue
    )
  }
}
