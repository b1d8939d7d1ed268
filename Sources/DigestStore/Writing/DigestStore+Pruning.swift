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
    /// Whether the prune dropped the ids of imported digests that were deleted. If these digests
    /// are imported again, they are counted again.
    public let dropsIDs: Bool
    /// The size of the file and its write-ahead log before the prune, in bytes.
    public let bytesBefore: Int
    /// The size of the file and its write-ahead log after the prune, in bytes.
    public let bytes: Int

    /// Creates a value, for example for a test or a preview.
    public init(
      digests: Int, occurrences: Int, hoursBefore: Date? = nil, dropsIDs: Bool, bytesBefore: Int,
      bytes: Int
    ) {
      self.digests = digests
      self.occurrences = occurrences
      self.hoursBefore = hoursBefore
      self.dropsIDs = dropsIDs
      self.bytesBefore = bytesBefore
      self.bytes = bytes
    }
  }
}

extension DigestStore {
  /// Deletes data that exceeds an age or size limit, and returns the space to the file system.
  ///
  /// A store that records does so by itself, in small steps. This method does all that is due now,
  /// and leaves no free space in the file. Other writers can write between its steps, which take
  /// some milliseconds each. One step blocks them for longer: if deleting digests may not make
  /// enough room, the method first checks whether `maximumBytes` can be reached at all. If another
  /// process is reading the file, the write-ahead log may keep its length.
  ///
  /// With `maximumBytes`, the oldest digests are deleted, no more than needed. If that is not
  /// enough, counts of hours and days follow, and the oldest releases are merged. Names and
  /// all-time totals are never deleted: if they alone exceed the limit, the method throws and
  /// deletes nothing.
  ///
  /// - Parameters:
  ///   - maximumAge: the maximum age of a digest that is kept. If this or `maximumBytes` is given,
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
    let limits: Evictor.Limits? =
      maximumAge == nil && maximumBytes == nil
      ? nil : Evictor.Limits(age: maximumAge, size: maximumBytes.map(SizeLimit.init(once:)))
    let now = Moment(configuration.clock())
    let bytesBefore = Self.size(of: file.path)
    let hoursBefore = try coarseBefore()
    try checkSize(limits, now: now)
    // Twice, because the first pass may continue an eviction that began earlier.
    for _ in 0..<2 {
      try write { writer in
        writer.foldAll()
        try writer.evicting(by: limits) { $0.lookAtSamplesAgain() }
      }
      var hasMore = true
      while hasMore {
        let digests: Int
        (hasMore, digests) = try step { writer in
          try writer.evicting(by: limits) { (try $0.step(now: now), $0.digests) }
        }
        progress?(Progress(unit: .digests, done: digests, total: nil))
      }
    }
    while try step({ try $0.evicting(by: limits) { try $0.giveBack(isThorough: true) } }) {}
    let (evicted, dropsIDs) = try write { writer in
      defer { writer.endPruning() }
      return try writer.evicting(by: limits) { ($0.takeSummary(), $0.takeDroppedIDs()) }
    }
    try mappingErrors { try queue.withTurn { try file.emptyLog() } }
    let hours = try coarseBefore()
    return PruneSummary(
      digests: evicted.digests,
      occurrences: evicted.occurrences,
      hoursBefore: hours > hoursBefore ? Moment(milliseconds: hours * Moment.hour).date : nil,
      dropsIDs: dropsIDs,
      bytesBefore: bytesBefore,
      bytes: Self.size(of: file.path)
    )
  }

  /// Checks that the file can become small enough, before anything is deleted.
  private func checkSize(_ limits: Evictor.Limits?, now: Moment) throws {
    guard let limits, let maximum = limits.size?.maximum else { return }
    try write { $0.foldAll() }
    // Takes no lock. If deleting digests makes enough room, no further check is needed.
    let isEnough = try read { connection in
      let excess = try FileSizeReader(connection).read().usedBytes - maximum
      guard excess > 0 else { return true }
      let digests =
        try connection.integer("SELECT ifnull(sum(length(entries)), 0) FROM digest") ?? 0
      return Int(clamping: digests) > excess + excess / 4
    }
    if isEnough { return }
    let smallest = try write { writer in
      try writer.evicting(by: limits) { try $0.smallestSizeAboveLimit(now: now) }
    }
    guard let smallest else { return }
    throw DigestStoreError(
      .unreachableSize,
      "\(path): \(maximum) bytes are too few for the names and sums of all time, which stay; nothing "
        + "was deleted; allow \(smallest) or more")
  }

  /// The hour before which the file has only counts of days.
  private func coarseBefore() throws -> Int64 {
    try read { try $0.integer("SELECT coarse_before FROM store") ?? 0 }
  }

  /// Runs one step of maintenance.
  private func step<Value: Sendable>(_ body: @Sendable (Writer) throws -> Value) throws -> Value {
    try mappingErrors { try maintenance.step(body) }
  }

  /// The size of a file and its write-ahead log, in bytes.
  static func size(of path: String) -> Int {
    FileIdentity.size(of: path) + FileIdentity.size(of: path + "-wal")
  }
}

extension Connection {
  /// Configures the overwriting of deleted content, and the size limit of the write-ahead log.
  func prepareDeletion(maximumBytes: Int?) throws {
    // Overwrites deleted content. It is gone from the disk after the next checkpoint.
    try execute("PRAGMA secure_delete = ON")
    // The number is computed here; pragmas take no parameters.
    let log = maximumBytes.map { SizeLimit(recording: $0).log } ?? SizeLimit.log
    try execute("PRAGMA journal_size_limit = \(log)")
  }

  /// Copies the write-ahead log into the file and truncates it, unless another connection needs it.
  func emptyLog() throws {
    try checkPlace()
    patience = .afterVainWait
    defer { patience = .default }
    try execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
