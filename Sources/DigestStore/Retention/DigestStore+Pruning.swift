/// What a prune has done.
public struct PruneSummary: Sendable, Hashable {
  /// How many digests are gone since the store was opened or pruned, for it may have begun by
  /// itself; every report still counts them.
  public let digests: Int
  /// How many errors they had.
  public let occurrences: Int
  /// The size of the file and of its write-ahead log before, in bytes.
  public let bytesBefore: Int
  /// Their size now.
  public let bytes: Int
}

extension DigestStore {
  /// Deletes what is older or more than the configuration allows, and gives its space back.
  ///
  /// A store that records does so by itself, bit by bit; this does all that is due now, and leaves
  /// no free space in the file. Others can write between its steps of some milliseconds. When
  /// another process reads the file, the write-ahead log may stay as long as it is.
  ///
  /// - Parameter progress: called after each step with the number of digests deleted.
  /// - Throws: ``DigestStoreError`` when the file cannot be written.
  public func prune(
    progress: (@Sendable (Progress) -> Void)? = nil
  ) throws -> PruneSummary {
    let now = Moment(configuration.clock())
    let bytesBefore = Self.size(of: file.path)
    // Twice: the first time may go on with what was begun at an earlier time.
    for _ in 0..<2 {
      try write { writer in
        writer.foldAll()
        writer.evictor.lookAtSamplesAgain()
      }
      var hasMore = true
      while hasMore {
        let digests: Int
        (hasMore, digests) = try step { (try $0.evict(now: now), $0.evictor.digests) }
        progress?(Progress(unit: .digests, done: digests, total: nil))
      }
    }
    while try step({ try $0.giveBack() }) {}
    let evicted = try write { $0.evictor.takeSummary() }
    do {
      try queue.withTurn { try file.emptyLog() }
    } catch {
      throw DigestStoreError(error, path: path, insteadOf: file.path)
    }
    return PruneSummary(
      digests: evicted.digests,
      occurrences: evicted.occurrences,
      bytesBefore: bytesBefore,
      bytes: Self.size(of: file.path)
    )
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
    let log = maximumBytes.map { SizeLimit($0).log } ?? SizeLimit.log
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
