extension DigestStore {
  /// The result of pushing one store.
  public struct PushSummary: Sendable, Hashable, Codable {
    /// The path of the store.
    public let path: String
    /// The number of its digests that were added.
    public let added: Int
    /// The number of its digests that were known already, or were evicted at the target.
    public let known: Int
    /// The number of its digests that were skipped because they cannot be read. Their counts are
    /// pushed. ``DigestReader/verify(progress:)`` finds them.
    public let unreadable: Int
    /// The losses of that store, which are not added.
    public let losses: [Loss]
    /// The number of hours and days whose counts were replaced, in all stores that it holds as a
    /// whole.
    public let periods: Int
  }
}

extension DigestStore {
  /// Adds the counts and digests of stores to the file at a path, and makes the file if there is
  /// none.
  ///
  /// Each store keeps its identity as a source. Its counts are absolute: they replace those that the
  /// target has of the source, including the counts of evicted digests. So repeating a push changes
  /// nothing. A store passes on the sources that it holds as a whole under their own identities,
  /// so chains and circles of pushes end in the same counts.
  ///
  /// The target also keeps when each store was pushed. The stores are only read, each in one transaction,
  /// while apps can still write to them. All are
  /// opened before anything is written. Each is pushed in transactions of some 10 ms, between which
  /// others write to the target; a report meanwhile may count a part of it. If a push is
  /// interrupted, what is written stays, and the next push of the store completes it. Of two pushes
  /// of a store at the same time, the one that began first ends with an error.
  ///
  /// A push replaces only the hours and days that differ from those of the target. Limits and
  /// `redact` do not apply. Losses are not added, because pushing twice would count them twice.
  ///
  /// - Parameters:
  ///   - stores: the paths of the stores.
  ///   - path: the path of the target.
  ///   - name: the name of the stores in the target, such as that of their host, by which reports
  ///     select and group them, cut to 256 bytes; nil to keep the name that each has there.
  ///   - configuration: how the target is written, and what it keeps.
  ///   - progress: called between stores, and while rows of one are sent, with the number of
  ///     digests in the finished stores. An error that it throws ends the push.
  /// - Returns: the result for each of the stores, in their order.
  /// - Throws: ``DigestStoreError`` when one of them cannot be read or is the target itself; with
  ///   code `invalidInput` when the target has already seen more of it than it has, as after a
  ///   backup was restored, or when it is a copy that was written separately; with code `busy` when
  ///   another push of it has begun; errors of `progress`.
  public static func push(
    storesAt stores: [String],
    to path: String,
    name: String? = nil,
    configuration: Configuration = Configuration(),
    progress: ((Progress) throws -> Void)? = nil
  ) throws -> [PushSummary] {
    if let target = try file(at: path),
      let store = try stores.first(where: { try file(at: $0) == target })
    {
      throw DigestStoreError(.invalidInput, "\(store) is the target itself; name another one")
    }
    let stores = try stores.map { try PushedStore($0, name: name ?? "") }
    let target = try DigestStore(path: path, configuration: configuration)
    do {
      let summaries = try push(stores, progress) { store, step in
        // Counts what is here first, so that all digests are counted when those of the store come.
        try target.foldAll()
        return try step.rethrowing {
          try target.write { writer in
            try FileReceiver.with(writer) {
              try Push(of: store, to: $0, progress: step.count).run()
            }
          }
        }
      }
      try target.close()
      return summaries
    } catch {
      try? target.close()  // The first error says more.
      throw error
    }
  }

  /// Adds the counts and digests of stores to a server.
  ///
  /// - Parameters:
  ///   - stores: the paths of the stores.
  ///   - server: a connection to the server.
  ///   - name: the name of the stores, as for a file.
  ///   - progress: called as for a file.
  ///   - transaction: runs its argument in a transaction of the server.
  package static func push(
    storesAt stores: [String], to server: any PushReceiver, name: String,
    progress: ((Progress) throws -> Void)?,
    in transaction: (() throws -> PushCounts) throws -> PushCounts
  ) throws -> [PushSummary] {
    try push(stores.map { try PushedStore($0, name: name) }, progress) { store, step in
      try transaction { try Push(of: store, to: server, progress: step.count).run() }
    }
  }

  private static func push(
    _ stores: [PushedStore], _ progress: ((Progress) throws -> Void)?,
    _ run: (PushedStore, PushStep) throws -> PushCounts
  ) throws -> [PushSummary] {
    let counts = try stores.map { try $0.countDigests() }
    let total = counts.sum(of: { $0 })
    var done = 0
    return try zip(stores, counts).map { store, digests in
      let step = PushStep { rows in
        try progress?(
          rows > 0
            ? Progress(unit: .rows, done: rows, total: nil)
            : Progress(unit: .digests, done: done, total: total))
      }
      try step.begin()
      let pushed = try run(store, step)
      done += digests
      try progress?(Progress(unit: .digests, done: done, total: total))
      return PushSummary(
        path: store.path, added: pushed.added,
        known: max(0, digests - pushed.unreadable - pushed.added), unreadable: pushed.unreadable,
        losses: store.losses, periods: pushed.periods)
    }
  }

  /// Returns the file at a path; nil if there is none.
  private static func file(at path: String) throws -> FileIdentity? {
    do {
      return try FileIdentity.find(path)
    } catch {
      throw DigestStoreError(error, path: path)
    }
  }
}

/// Calls a closure with the number of rows that were sent, once per thousand, so that it can show
/// the progress, and end a long push.
// Sendable: the thread that pushes runs it.
private final class PushStep: @unchecked Sendable {
  private let run: (_ rows: Int) throws -> Void
  private var rows = 0
  private var error: (any Error)?

  init(_ run: @escaping (_ rows: Int) throws -> Void) {
    self.run = run
  }

  func begin() throws { try run(0) }

  func count() throws {
    rows += 1
    guard rows.isMultiple(of: 1_000) else { return }
    do {
      try run(rows)
    } catch {
      self.error = error
      throw error
    }
  }

  /// Runs a push, and throws an error of the closure as it is, not as one of the store.
  func rethrowing<Value>(_ push: () throws -> Value) throws -> Value {
    do {
      return try push()
    } catch {
      throw self.error ?? error
    }
  }
}
