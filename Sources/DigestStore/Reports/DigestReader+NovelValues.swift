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
    /// When the first of these errors was recorded, of all time: also before the filter's window.
    public let firstSeen: Date
    /// When the last of these errors was recorded, of all time: also after the filter's window.
    public let lastSeen: Date
    /// The release in which the first of these errors was recorded; nil if its digest has none.
    ///
    /// Of several errors recorded in the same millisecond, the release that is first by name.
    /// `(other releases)` for a release whose counts were deleted or added to those of others, to
    /// save space.
    public let firstRelease: String?

    package init(
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
  /// `firstRelease` are of all time, in the filter's releases. Equally frequent values are sorted
  /// by model, coding path and value.
  ///
  /// If digests were evicted, ``countedWindow(matching:by:)`` returns the window that is counted.
  ///
  /// - Parameters:
  ///   - filter: the errors to count.
  ///   - limit: the most rows to return; nil for all.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func novelValues(
    matching filter: DigestFilter = DigestFilter(),
    limit: Int? = nil
  ) throws -> [DigestStore.NovelValueCount] {
    try snapshot { connection in
      try FailureRows(connection, filter, isOfNovelValues: true)
        .read(limit: limit).map(DigestStore.NovelValueCount.init)
    }
  }
}

extension DigestStore.NovelValueCount {
  init(_ row: FailureRow) {
    self.init(
      model: row.model,
      codingPath: row.failure.codingPath,
      novelValue: row.failure.novelValue ?? "",
      valueType: row.failure.valueType,
      occurrences: Int(clamping: row.occurrences),
      digests: Int(clamping: row.digests),
      firstSeen: row.firstSeen.date,
      lastSeen: row.lastSeen.date,
      firstRelease: row.firstRelease
    )
  }
}
