extension DigestStore {
  /// The result of merging one store.
  public struct MergeSummary: Sendable, Hashable, Codable {
    /// The path of the store.
    public let path: String

    /// The number of its digests that were added.
    public let added: Int

    /// The number of its digests that were known already, or were deleted here since.
    public let known: Int

    /// The number of its digests that were skipped because they cannot be read. Counts that the
    /// other store has of them are merged.
    public let unreadable: Int

    /// The problems of the first ten skipped digests, as in `digest 3: the errors cannot be read`.
    public let problems: [String]

    /// The losses of that store. Its counts of evicted digests are merged.
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
  /// Adds the counts and digests of other stores to the store at a path, and makes a store if there
  /// is none.
  ///
  /// Each of the other stores becomes a source of this store, with all its counts, including those
  /// of evicted digests. A merge raises the counts of a source to those of the file, so merging
  /// twice changes nothing. The file also passes on the sources that were merged into it, each under
  /// its own identity, so chains and circles of merges end in the same counts. Digests that were
  /// imported into it count as its own.
  ///
  /// The other stores are only read, each in one snapshot, while apps can still write to them;
  /// their write-ahead logs grow meanwhile. All are opened and checked before anything is written.
  /// Each is merged in one transaction, and other writers of this store wait for it. Limits and
  /// ``Configuration-swift.struct/redact`` do not apply.
  ///
  /// - Parameters:
  ///   - sources: the paths of the other stores.
  ///   - path: the path of the store.
  ///   - configuration: how the store writes, and what it keeps.
  ///   - progress: called during each merge, several times a second, with the number of digests of
  ///     all stores that are done. An error that it throws ends the merge, and nothing of the
  ///     current file is added.
  /// - Returns: the result for each of the other stores, in their order.
  /// - Throws: ``DigestStoreError`` when one of them cannot be read, is the store itself, or is not
  ///   a later state of what was merged or imported from it before; when the store cannot be
  ///   written; errors of `progress`.
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
    let others = try sources.map { try MergedStore($0) }
    return try withStore(at: path, configuration) { store in
      try store.merge(others, progress)
    }
  }

  private func merge(
    _ others: [MergedStore], _ progress: ((Progress) throws -> Void)?
  ) throws -> [MergeSummary] {
    let total = others.sum(of: \.digests)
    let identity = try write { try $0.identityOfFile() }
    var before = 0
    func report(_ done: Int) throws {
      try progress?(Progress(unit: .digests, done: before + done, total: total))
    }
    return try others.map { other in
      try report(0)
      // In steps, so that the transaction of the merge has little left to fold.
      while try write({ try $0.fold.run() }) > 0 {}
      let merge = SourceMerge(other, into: identity, report)
      do {
        try write { try merge.run($0) }
      } catch {
        throw merge.interruption ?? error
      }
      try report(other.digests)
      before += other.digests
      return merge.summary
    }
  }
}
