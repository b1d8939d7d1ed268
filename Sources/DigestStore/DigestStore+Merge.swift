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

    /// Creates a value, for example for a test or a preview.
    public init(
      path: String, added: Int, known: Int, unreadable: Int, problems: [String],
      losses: [Loss]
    ) {
      self.path = path
      self.added = added
      self.known = known
      self.unreadable = unreadable
      self.problems = problems
      self.losses = losses
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
  /// All are opened and read before anything is written. Each is merged in one transaction, for
  /// which other writers of this store wait. Limits and `redact` do not apply. Losses are not added,
  /// because merging twice would count them twice.
  ///
  /// - Parameters:
  ///   - sources: the paths of the other stores.
  ///   - path: the path of the store.
  ///   - configuration: how the store writes, and what it keeps.
  ///   - progress: called between stores with the number of digests merged. An error that it throws
  ///     ends the merge.
  /// - Returns: the result for each of the other stores, in their order.
  /// - Throws: ``DigestStoreError`` when one of them cannot be read or is the store itself; with code
  ///   `invalidInput` when this store has already seen more of it than it has, as after a backup was
  ///   restored, or when it is a copy that was written separately; errors of `progress`.
  public static func mergeStores(
    at sources: [String],
    intoStoreAt path: String,
    configuration: Configuration = Configuration(),
    progress: ((Progress) throws -> Void)? = nil
  ) throws -> [MergeSummary] {
    if let store = FileIdentity(path: path),
      let source = sources.first(where: { FileIdentity(path: $0) == store })
    {
      throw DigestStoreError(
        .invalidInput, "\(source) is the store itself; name another one to merge into it")
    }
    let sources = try sources.map { try MergeSource($0) }
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

  private func merge(
    _ sources: [MergeSource], _ progress: ((Progress) throws -> Void)?
  ) throws -> [MergeSummary] {
    let total = sources.sum(of: \.digests)
    var done = 0
    return try sources.map { source in
      try progress?(Progress(unit: .digests, done: done, total: total))
      // Counts what is here first, so that all digests are counted when those of the source come.
      while try maintenance.step({ try $0.foldSome() }) {}
      let added = try write { writer in
        do {
          return try SourceMerge(writer, source).run()
        } catch let error as SQLiteError where error.isDamage && source.isDamaged {
          // Otherwise this store would be set aside.
          throw DigestStoreError(error, path: source.path)
        }
      }
      done += source.digests
      try progress?(Progress(unit: .digests, done: done, total: total))
      return MergeSummary(
        path: source.path, added: added, known: max(0, source.digests - added),
        unreadable: source.unreadable, problems: source.problems, losses: source.losses)
    }
  }
}
