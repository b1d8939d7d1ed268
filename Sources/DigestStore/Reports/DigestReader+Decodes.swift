public import ResilientPlatform

extension DigestStore {
  /// The number of decodes, and of those with errors.
  public struct DecodeCounts: Sendable, Hashable, Codable {
    /// The number of decodes, with and without errors.
    public let decodes: Int
    /// The number of decodes with at least one error that matches the filter; nil if unknown, see
    /// ``DigestReader/models(matching:by:limit:)``.
    public let digests: Int?
    /// The first moment that is counted; nil if all time is.
    public let since: Date?
    /// The first moment that is no longer counted; nil if there is none.
    public let until: Date?

    /// The share of decodes with at least one error, from 0 to 1; nil if it is unknown, or if
    /// nothing was decoded.
    public var rate: Double? {
      decodes > 0 ? digests.map { Double($0) / Double(decodes) } : nil
    }
  }
}

extension DigestReader {
  /// Counts the decodes of the models that a filter matches, and those with a matching error.
  ///
  /// Decodes are counted by the hour, so the window is widened to whole hours. It begins with the
  /// first hour in which a decode without errors was counted: before it, nothing is known about
  /// decodes. A digest counts as one decode.
  ///
  /// - Parameter filter: the errors to count. Paths, kinds and novel values do not limit the
  ///   decodes.
  /// - Returns: nil if no decode without errors was counted before the end of the window: see
  ///   ``DigestStore/DigestStore/Configuration-swift.struct/countsDecodes``.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func decodeCounts(
    matching filter: DigestFilter = DigestFilter()
  ) throws -> DigestStore.DecodeCounts? {
    try snapshot { try $0.decodeRates(filter)?.counts }
  }
}
