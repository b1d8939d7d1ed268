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
    /// The type of the raw value.
    public let valueType: String?
    /// The number of errors.
    public let occurrences: Int
    /// The number of digests with at least one of these errors.
    public let digests: Int
    /// When the first of these errors was recorded.
    public let firstSeen: Date
    /// When the last of these errors was recorded.
    public let lastSeen: Date
    /// The type of a sample of the found value.
    ///
    /// The sample is from the failure's first occurrence that had a found value, whatever the
    /// filter. Once that is older than ``DigestStore/Configuration-swift.struct/maximumAge``, it is
    /// from a later one.
    public let foundType: ErrorDigest.FoundValue.ValueType?
    /// The string, number or boolean of that sample; nil if it was deleted for its age and no later
    /// occurrence had one.
    public let foundValue: String?
    /// The release in which the first of these errors was recorded; nil if its digest has none.
    ///
    /// Of several errors recorded in the same millisecond, that of the oldest release is the first.
    /// `(other releases)` for a release whose counts were added to those of others to save space.
    public let firstRelease: String?

    /// Creates a value, for example for a test or a preview.
    public init(
      model: String, codingPath: String, kind: ErrorDigest.Kind, expectedType: String? = nil,
      novelValue: String? = nil, valueType: String? = nil, occurrences: Int, digests: Int,
      firstSeen: Date, lastSeen: Date, foundType: ErrorDigest.FoundValue.ValueType? = nil,
      foundValue: String? = nil, firstRelease: String? = nil
    ) {
      self.model = model
      self.codingPath = codingPath
      self.kind = kind
      self.expectedType = expectedType
      self.novelValue = novelValue
      self.valueType = valueType
      self.occurrences = occurrences
      self.digests = digests
      self.firstSeen = firstSeen
      self.lastSeen = lastSeen
      self.foundType = foundType
      self.foundValue = foundValue
      self.firstRelease = firstRelease
    }
  }
}

extension DigestReader {
  /// Counts the failures, including novel values, most frequent first.
  ///
  /// The counts are exact under every filter, to the millisecond. Equally frequent failures are
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
    try snapshot { snapshot in
      let snapshot = try snapshot.selecting(.failure, matching: filter, limit: limit)
      let sums =
        try snapshot.sumsOfMostFrequent(.failures, limit, filter) ?? snapshot.sums(filter)
      return try snapshot.failures(sums, filter, limit: limit)
    }
  }
}

extension DigestStore.FailureCount {
  init(_ count: Count, _ names: FailureDescription, _ releases: FirstReleases) {
    self.init(
      model: names.model,
      codingPath: names.failure.codingPath,
      kind: ErrorDigest.Kind(stored: names.failure.kind),
      expectedType: names.failure.expectedType,
      novelValue: names.failure.novelValue,
      valueType: names.failure.valueType,
      occurrences: Int(clamping: count.occurrences),
      digests: Int(clamping: count.digests),
      firstSeen: Moment(milliseconds: count.first).date,
      lastSeen: Moment(milliseconds: count.last).date,
      foundType: names.failure.foundType.flatMap(ErrorDigest.FoundValue.ValueType.init),
      foundValue: names.failure.foundValue,
      firstRelease: releases.release(ofFailure: count.id)
    )
  }
}

extension Snapshot {
  /// Ranks failures, and reads the names and first releases of only the most frequent ones.
  func failures(
    _ sums: CountsByID, _ filter: DigestFilter, limit: Int?
  ) throws -> [DigestStore.FailureCount] {
    let rows = try ranked(sums, limit: limit, by: FailureDescription.failuresPrecede)
    let releases = try FirstReleases(self, filter, ofFailures: rows.map(\.count))
    return rows.map { DigestStore.FailureCount($0, $1, releases) }
  }
}
