extension DigestStore {
  /// The result of merging one store.
  public struct MergeSummary: Sendable, Hashable, Codable {
    /// The path of the store.
    public let path: String
    /// The number of its digests that were added.
    public let added: Int
    /// The number of its digests that were known already, or were evicted here.
    public let known: Int
    /// The number of its digests that were skipped because they cannot be read. Their counts are
    /// merged.
    public let unreadable: Int
    /// The problems of the first ten skipped digests, as in `digest 3: the errors cannot be read`.
    public let problems: [String]
    /// The losses of that store, which could not be added.
    public let losses: [Loss]
    /// The number of hours and days whose counts were replaced, in all stores that it holds as a
    /// whole.
    public let periods: Int

    package init(
      path: String, added: Int, known: Int, unreadable: Int, problems: [String],
      losses: [Loss], periods: Int = 0
    ) {
      self.path = path
      self.added = added
      self.known = known
      self.unreadable = unreadable
      self.problems = problems
      self.losses = losses
      self.periods = periods
    }
  }
}

extension DigestStore {
  /// Takes over the counts and the digests of other stores into the store at a path, and makes a
  /// store if there is none.
  ///
  /// Each of the other stores keeps its identity as a source. Its counts are absolute: they replace
  /// those that this store has of the source, also the counts of evicted digests. So merging twice
  /// changes nothing. The sources that it holds as a whole are merged under their own identities,
  /// so chains and circles of merges end in the same counts.
  ///
  /// The other stores are only read, each in one transaction, while apps can still write to them.
  /// All are opened before anything is written. Each is merged in transactions of some 10 ms,
  /// between which others write to this store; a report meanwhile may count a part of it. If a merge
  /// is interrupted, what is written stays, and the next merge of the store completes it. Of two
  /// merges of a store at the same time, the one that began first ends with an error.
  ///
  /// A merge replaces only the hours and days that differ from those here. Limits and `redact` do
  /// not apply. Losses are not added, because merging twice would count them twice.
  ///
  /// - Parameters:
  ///   - sources: the paths of the other stores.
  ///   - path: the path of the store.
  ///   - configuration: how the store writes, and what it keeps.
  ///   - progress: called between stores, and while rows of one are sent, with the number of
  ///     digests in the finished stores. An error that it throws ends the merge.
  /// - Returns: the result for each of the other stores, in their order.
  /// - Throws: ``DigestStoreError`` when one of them cannot be read or is the store itself; with
  ///   code `invalidInput` when this store has already seen more of it than it has, as after a
  ///   backup was restored, or when it is a copy that was written separately; with code `busy` when
  ///   another merge of it has begun; errors of `progress`.
  public static func mergeStores(
    at sources: [String],
    intoStoreAt path: String,
    configuration: Configuration = Configuration(),
    progress: ((Progress) throws -> Void)? = nil
  ) throws -> [MergeSummary] {
    if let store = try file(at: path),
      let source = try sources.first(where: { try file(at: $0) == store })
    {
      throw DigestStoreError(
        .invalidInput, "\(source) is the store itself; name another one to merge into it")
    }
    let sources = try sources.map { try PushedStore($0) }
    let store = try DigestStore(path: path, configuration: configuration)
    do {
      let summaries = try store.merge(sources, progress)
      try store.close()
      return summaries
    } catch {
      try? store.close()  // The first error says more.
      throw error
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

  private func merge(
    _ sources: [PushedStore], _ progress: ((Progress) throws -> Void)?
  ) throws -> [MergeSummary] {
    let counts = try sources.map { try $0.countDigests() }
    let total = counts.sum(of: { $0 })
    var done = 0
    return try zip(sources, counts).map { source, digests in
      let step = PushStep { rows in
        try progress?(
          rows > 0
            ? Progress(unit: .rows, done: rows, total: nil)
            : Progress(unit: .digests, done: done, total: total))
      }
      try step.begin()
      // Counts what is here first, so that all digests are counted when those of the source come.
      try foldAll()
      let pushed = try step.rethrowing {
        try write { writer in
          try FileReceiver.with(writer) {
            try Push(of: source, to: $0, progress: step.count).run()
          }
        }
      }
      done += digests
      try progress?(Progress(unit: .digests, done: done, total: total))
      return try MergeSummary(of: source, digests: digests, pushed)
    }
  }
}

extension DigestStore {
  /// Pushes a store to a server.
  ///
  /// - Parameters:
  ///   - path: the path of the store.
  ///   - engine: a connection to the server.
  ///   - progress: called before rows are sent, and after each thousand. An error that it throws
  ///     ends the push.
  ///   - transaction: runs its argument in a transaction of the server.
  package static func push(
    storeAt path: String, to engine: any PushReceiver,
    _ progress: ((Progress) throws -> Void)?,
    in transaction: (() throws -> PushCounts) throws -> PushCounts
  ) throws -> MergeSummary {
    let store = try PushedStore(path)
    let digests = try store.countDigests()
    let step = PushStep { try progress?(Progress(unit: .rows, done: $0, total: nil)) }
    try step.begin()
    let pushed = try transaction {
      try Push(of: store, to: engine, progress: step.count).run()
    }
    return try MergeSummary(of: store, digests: digests, pushed)
  }
}

extension DigestStore.MergeSummary {
  fileprivate init(of store: PushedStore, digests: Int, _ pushed: PushCounts) throws {
    let (unreadable, problems) = try pushed.hasUnreadable ? store.problems() : (0, [])
    self.init(
      path: store.path, added: pushed.added, known: max(0, digests - unreadable - pushed.added),
      unreadable: unreadable, problems: problems, losses: store.losses, periods: pushed.periods)
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
