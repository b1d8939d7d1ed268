public import ResilientPlatform

extension DigestStore {
  /// A value that the backend sends and the app does not know, and its counts.
  public struct NovelValueCount: Sendable, Hashable, Codable {
    /// The model, module-qualified, as in `App.Listing`.
    public let model: String
    /// The pattern of the coding path.
    public let codingPath: String
    /// The raw value, as text.
    public let novelValue: String
    /// The type of the raw value; nil only for imported values without a type.
    public let valueType: String?
    /// The number of errors.
    public let occurrences: Int
    /// The number of digests with at least one of these errors.
    public let digests: Int
    /// When the first of these errors was recorded.
    public let firstSeen: Date
    /// When the last of these errors was recorded.
    public let lastSeen: Date
    /// The release in which the first of these errors was recorded; nil if its digest has none.
    ///
    /// Of several errors recorded in the same millisecond, that of the oldest release is the first.
    /// `(other releases)` for a release whose counts were added to those of others to save space.
    public let firstRelease: String?

    /// Creates a value, for example for a test or a preview.
    public init(
      model: String, codingPath: String, novelValue: String, valueType: String? = nil,
      occurrences: Int, digests: Int, firstSeen: Date, lastSeen: Date, firstRelease: String? = nil
    ) {
      self.model = model
      self.codingPath = codingPath
      self.novelValue = novelValue
      self.valueType = valueType
      self.occurrences = occurrences
      self.digests = digests
      self.firstSeen = firstSeen
      self.lastSeen = lastSeen
      self.firstRelease = firstRelease
    }
  }
}

extension DigestReader {
  /// Counts the novel values, most frequent first.
  ///
  /// The counts are exact under every filter, to the millisecond; `firstSeen`, `lastSeen` and
  /// `firstRelease` cover only occurrences that match the filter. Equally frequent values are
  /// sorted by model, coding path and value.
  ///
  /// If digests were evicted, ``countedWindow(matching:by:)`` returns the window that is counted.
  ///
  /// - Parameters:
  ///   - filter: the errors to count.
  ///   - limit: the most rows to return; nil for all.
  /// - Throws: ``DigestStoreError`` when the file cannot be read. With code `invalidInput` when the
  ///   filter has a kind, a value occurred with several kinds in the same digests, and these were
  ///   evicted: then the number of digests is unknown.
  public func novelValues(
    matching filter: DigestFilter = DigestFilter(),
    limit: Int? = nil
  ) throws -> [DigestStore.NovelValueCount] {
    try snapshot { snapshot in
      let snapshot = try snapshot.selecting(.novelValue, matching: filter, limit: limit)
      let sums =
        try snapshot.sumsOfMostFrequent(.novelValues, limit, filter)?.ofNovelValues(snapshot.values)
        ?? snapshot.novelValueSums(filter)
      return try snapshot.novelValues(sums, filter, limit: limit)
    }
  }
}

extension DigestStore.NovelValueCount {
  init(_ count: Count, _ names: FailureDescription, _ releases: FirstReleases) {
    self.init(
      model: names.model,
      codingPath: names.failure.codingPath,
      novelValue: names.failure.novelValue ?? "",
      valueType: names.failure.valueType,
      occurrences: Int(clamping: count.occurrences),
      digests: Int(clamping: count.digests),
      firstSeen: Moment(milliseconds: count.first).date,
      lastSeen: Moment(milliseconds: count.last).date,
      firstRelease: releases.release(ofValue: count.id)
    )
  }
}

extension Snapshot {
  /// Ranks novel values, and reads the names and first releases of only the most frequent ones.
  func novelValues(
    _ sums: CountsByID, _ filter: DigestFilter, limit: Int?
  ) throws -> [DigestStore.NovelValueCount] {
    let rows = try ranked(sums, limit: limit, by: FailureDescription.novelValuesPrecede)
    let releases = try FirstReleases(self, filter, ofValues: rows.map(\.count))
    return rows.map { DigestStore.NovelValueCount($0, $1, releases) }
  }
}
