#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The result of a prune.
public struct PruneSummary: Sendable, Hashable {
  /// The number of digests deleted; every report still counts them. A prune by the limits of the
  /// configuration includes those that the store has deleted by itself since it was opened or pruned.
  public let digests: Int
  /// The number of errors in them.
  public let occurrences: Int
  /// The time before which counts of single hours were deleted to make room, so that only days are
  /// told apart; nil if none were.
  public let hoursBefore: Date?
  /// The size of the file and of its write-ahead log before, in bytes.
  public let bytesBefore: Int
  /// Their size now.
  public let bytes: Int
}

extension DigestStore {
  /// Deletes what is older or more than allowed, and gives its space back to the file system.
  ///
  /// A store that records does so by itself, bit by bit; this does all that is due now, and leaves
  /// no free space in the file. Others can write between its steps of some milliseconds, except while
  /// it finds out whether a size can be reached that digests alone hardly make room for. When another
  /// process reads the file, the write-ahead log may stay as long as it is.
  ///
  /// With `maximumBytes` the oldest digests are deleted, no more than needed. Where that is not
  /// enough, counts of hours and days follow, and the oldest releases are counted together. Names
  /// and sums of all time stay: a limit that they exceed throws, and nothing is deleted.
  ///
  /// - Parameters:
  ///   - maximumAge: the age of the oldest digests that stay. With it or `maximumBytes` the limits of
  ///     the configuration do not count.
  ///   - maximumBytes: the size of the file afterwards; less than 1,048,576 counts as that.
  ///   - progress: called after each step with the number of digests deleted.
  /// - Throws: ``DigestStoreError`` when the file cannot be written, or cannot be as small as
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
    // Twice: the first time may go on with what was begun at an earlier time.
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
    let evicted = try write { writer in
      defer { writer.endPruning() }
      return try writer.evicting(by: limits) { $0.takeSummary() }
    }
    do {
      try queue.withTurn { try file.emptyLog() }
    } catch {
      throw DigestStoreError(error, path: path, insteadOf: file.path)
    }
    let hours = try coarseBefore()
    return PruneSummary(
      digests: evicted.digests,
      occurrences: evicted.occurrences,
      hoursBefore: hours > hoursBefore ? Moment(milliseconds: hours * Moment.hour).date : nil,
      bytesBefore: bytesBefore,
      bytes: Self.size(of: file.path)
    )
  }

  /// Copies the store as of one moment into a new file, mode 0600, while others may write.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read, or the copy not be written.
  package func copy(to path: String) throws {
    createPrivateFile(at: path)
    do {
      try read { try $0.copy(into: Connection(path: path, mode: .readWrite)) }
    } catch {
      throw DigestStoreError(error, path: path, insteadOf: file.path)
    }
  }

  /// Checks that the file can become as small as it has to, before anything of it is deleted.
  private func checkSize(_ limits: Evictor.Limits?, now: Moment) throws {
    guard let limits, let maximum = limits.size?.maximum else { return }
    try write { $0.foldAll() }
    // Without a lock: where digests make enough room, nothing else has to be found out.
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

  /// The hour before which there are only counts of days.
  private func coarseBefore() throws -> Int64 {
    try read { try $0.integer("SELECT coarse_before FROM store") ?? 0 }
  }

  /// Takes a step of maintenance.
  private func step<Value: Sendable>(_ body: @Sendable (Writer) throws -> Value) throws -> Value {
    do {
      return try maintenance.step(body)
    } catch {
      throw DigestStoreError(error, path: path, insteadOf: file.path)
    }
  }

  /// The size of a file and of its write-ahead log, in bytes.
  static func size(of path: String) -> Int {
    ["", "-wal"].reduce(0) { $0 + Int(FileIdentity(path: path + $1)?.size ?? 0) }
  }
}

extension Connection {
  /// Sets up how what is deleted goes, and how long the write-ahead log may stay.
  func prepareDeletion(maximumBytes: Int?) throws {
    // What was deleted is overwritten, in the file and so with the next checkpoint on the disk.
    try execute("PRAGMA secure_delete = ON")
    // A number of ours; pragmas take no parameters.
    let log = maximumBytes.map { SizeLimit(recording: $0).log } ?? SizeLimit.log
    try execute("PRAGMA journal_size_limit = \(log)")
  }

  /// Moves the write-ahead log into the file and cuts it, unless someone else needs it just now.
  func emptyLog() throws {
    try checkPlace()
    patience = .afterVainWait
    defer { patience = .default }
    try execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
