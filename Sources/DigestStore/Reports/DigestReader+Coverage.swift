public import ResilientDecoding

extension DigestStore {
  /// What a report counts, and what its numbers leave out.
  public struct Coverage: Sendable, Hashable {
    /// The window that is counted.
    public let window: CountedWindow
    /// What was lost or deleted in the window, by reason and hour. Where the counts of a day were
    /// deleted, the reason is `undated`.
    public let losses: [Loss]
    /// The limits because of which errors are counted together under another name.
    public let reachedLimits: [ReachedLimit]
    /// The identities of the stores whose last push has not ended, sorted. Their counts are partly
    /// missing until it is repeated.
    public let interruptedPushes: [String]
    /// The notices that match the filter and are left out, because it names no kind.
    public let notices: [ErrorDigest.Kind: Int]
  }
}

extension DigestReader {
  /// Returns what a report with a filter counts, and what its numbers leave out.
  ///
  /// Its parts are read one after the other, so digests that are recorded meanwhile may be in only
  /// some of them.
  ///
  /// - Parameters:
  ///   - filter: the filter of the report.
  ///   - unit: the length of the periods, if the report is a trend.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func coverage(
    matching filter: DigestFilter = DigestFilter(), by unit: DigestStore.Trend.Unit? = nil
  ) throws -> DigestStore.Coverage {
    try DigestStore.Coverage(
      window: countedWindow(matching: filter, by: unit), losses: losses(matching: filter),
      reachedLimits: reachedLimits(matching: filter), interruptedPushes: interruptedPushes(),
      notices: notices(matching: filter))
  }

  private func notices(matching filter: DigestFilter) throws -> [ErrorDigest.Kind: Int] {
    guard filter.kinds.isEmpty, filter.novelValues.isEmpty else { return [:] }
    return try snapshot { connection in
      var notices = filter
      notices.kinds = ErrorKinds.others
      let rows = try GroupedCounts(
        connection, notices, in: connection.widened(filter.window), by: [.kind]
      ).rows()
      return Dictionary(
        rows.map { (ErrorDigest.Kind(stored: $0.names[0].text), Int(clamping: $0.occurrences)) }
      ) { first, _ in first }.filter { $1 > 0 }
    }
  }
}
