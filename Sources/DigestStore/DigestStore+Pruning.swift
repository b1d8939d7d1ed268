public import ResilientPlatform

extension DigestStore {
  /// The result of a prune.
  public struct PruneSummary: Sendable, Hashable, Codable {
    /// The number of digests deleted; every report still counts them. A prune by the limits of the
    /// configuration includes digests that the store deleted by itself since it was opened or last
    /// pruned.
    public let digests: Int
    /// The number of errors in the deleted digests.
    public let occurrences: Int
    /// The time before which the prune deleted counts of hours to make room, leaving only counts of
    /// days; nil if it deleted none.
    public let hoursBefore: Date?
    /// The size of the file and its write-ahead log before the prune, in bytes.
    public let bytesBefore: Int
    /// The size of the file and its write-ahead log after the prune, in bytes.
    public let bytes: Int
  }
}

extension DigestStore {
  /// Deletes data that exceeds an age or size limit, and returns the space to the file system.
  ///
  /// A store that records does so by itself, in small steps. This method does all that is due now,
  /// and leaves no free space in the file. Other writers can write between its steps, which take
  /// some milliseconds each. If another process is reading the file, the write-ahead log may keep
  /// its length.
  ///
  /// With `maximumBytes`, the oldest digests are deleted, no more than needed. If that is not
  /// enough, counts of hours and days follow, and then the totals of the oldest releases. Counts of
  /// hours are deleted earlier if they are four times as old as the oldest digest. Names and
  /// the totals of all releases together are never deleted. If they exceed the limit, the method
  /// deletes all else, and throws an error with the size that the file has then.
  ///
  /// - Parameters:
  ///   - maximumAge: the maximum age of a digest that is kept, measured back from the newest digest
  ///     in the file that is not in the future. If this or `maximumBytes` is given,
  ///     the limits of the configuration are ignored.
  ///   - maximumBytes: the maximum size of the file afterwards, in bytes; a value below 1,048,576
  ///     counts as 1,048,576.
  ///   - progress: called after each step with the number of digests deleted.
  /// - Throws: ``DigestStoreError`` when the file cannot be written, or cannot become as small as
  ///   `maximumBytes` (``DigestStoreError/Code/unreachableSize``).
  public func prune(
    maximumAge: Duration? = nil,
    maximumBytes: Int? = nil,
    progress: (@Sendable (Progress) -> Void)? = nil
  ) throws -> PruneSummary {
    let isConfigured = maximumAge == nil && maximumBytes == nil
    var limits =
      isConfigured
      ? RetentionLimits(configuration) : RetentionLimits(age: maximumAge, size: maximumBytes)
    limits.keepsFreePages = false
    let now = Moment(configuration.clock())
    let bytesBefore = try mappingErrors { try Self.size(of: file.path) }
    let hoursBefore = try firstHour()
    let limit = maximumBytes == nil ? nil : limits.size
    try foldAll()
    try step {
      $0.retention.forgetSamples()
      // The summary of a prune with other limits leaves out digests that the store deleted by itself.
      if !isConfigured { _ = $0.retention.takeSummary() }
    }
    var summary = PendingLosses.LossCount.none
    var hasMore = true
    while hasMore {
      let deleted: PendingLosses.LossCount
      (hasMore, deleted) = try step { [limits] writer in
        (try writer.retention.step(limits, now: now), writer.retention.takeSummary())
      }
      summary.digests += deleted.digests
      summary.occurrences += deleted.occurrences
      progress?(Progress(unit: .digests, done: summary.digests, total: nil))
    }
    try mappingErrors { try queue.withVisit { try file.emptyLog() } }
    try checkSize(limit)
    let hours = try firstHour()
    return PruneSummary(
      digests: summary.digests,
      occurrences: summary.occurrences,
      hoursBefore: hours > hoursBefore ? hours.date : nil,
      bytesBefore: bytesBefore,
      bytes: try mappingErrors { try Self.size(of: file.path) }
    )
  }

  private func checkSize(_ limit: Int?) throws {
    guard let limit else { return }
    let bytes = try readFile { try $0.fileSize().bytes }
    guard bytes > limit else { return }
    throw DigestStoreError(
      .unreachableSize,
      "\(path): names and totals are never deleted, and take \(bytes) bytes; all else was deleted; use a "
        + "larger limit")
  }

  /// The first hour with counts in the file.
  private func firstHour() throws -> Moment {
    try read { connection in
      func start(_ query: String, inPeriodsOf length: Int64) throws -> Moment? {
        try connection.firstRow(query) { $0.optionalMoment(at: 0, inPeriodsOf: length) } ?? nil
      }
      return try start(
        "SELECT min(start) FROM tally WHERE span = 1 AND context = 0", inPeriodsOf: Moment.hour)
        ?? start(
          "SELECT max(start) + 1 FROM tally WHERE span = 24 AND context = 0",
          inPeriodsOf: 24 * Moment.hour) ?? .earliest
    }
  }

  /// The size of a file and its write-ahead log, in bytes.
  static func size(of path: String) throws -> Int {
    try FileIdentity.size(of: path) + FileIdentity.size(of: path + "-wal")
  }
}
