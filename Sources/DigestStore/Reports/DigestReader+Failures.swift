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
    /// When the first of these errors was recorded, of all time: also before the filter's window.
    public let firstSeen: Date
    /// When the last of these errors was recorded, of all time: also after the filter's window.
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
    public let firstRelease: String?
  }
}

extension DigestStore.FailureCount {
  /// The type of a body that is not JSON, which is part of the failure's identity; nil for any
  /// other failure.
  package var body: ErrorDigest.FoundValue.ValueType? {
    novelValue == nil && foundType?.isOfBody == true ? foundType : nil
  }
}

extension DigestReader {
  /// Counts the failures, including novel values, most frequent first.
  ///
  /// Conversions and reports on keys are no errors. They are counted only if the filter names their
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
      try FailureRows(connection, filter)
        .read(limit: limit).map(DigestStore.FailureCount.init)
    }
  }
}

extension DigestStore.FailureCount {
  init(_ row: FailureRow) {
    self.init(
      model: row.model,
      codingPath: row.failure.codingPath,
      kind: ErrorDigest.Kind(stored: row.failure.kind),
      expectedType: row.failure.expectedType,
      novelValue: row.failure.novelValue,
      valueType: row.failure.valueType,
      occurrences: Int(clamping: row.occurrences),
      digests: Int(clamping: row.digests),
      firstSeen: row.firstSeen.date,
      lastSeen: row.lastSeen.date,
      foundType: row.failure.foundType.flatMap(ErrorDigest.FoundValue.ValueType.init),
      foundValue: row.failure.foundValue,
      firstRelease: row.firstRelease
    )
  }
}
