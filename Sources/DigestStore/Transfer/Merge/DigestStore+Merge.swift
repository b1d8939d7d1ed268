extension DigestStore {
  /// The result of merging one store.
  public struct MergeSummary: Sendable, Hashable, Codable {
    /// The path of the store.
    public let path: String

    /// The number of its digests that were added.
    public let added: Int

    /// The number of its digests that were already known, by id.
    public let known: Int

    /// The number of its digests that were skipped because they cannot be read or stored.
    public let unreadable: Int

    /// The problems of the first ten skipped digests, as in `digest 3: model is empty`.
    public let problems: [String]

    /// The losses of that store, which could not be added. For
    /// ``DigestStore/Loss/Reason-swift.struct/evicted``, that store alone still has counts.
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
  /// Adds the digests of other stores to the store at a path, and makes a store if there is none.
  ///
  /// A digest with an id that the store has or had is skipped, so merging twice changes nothing.
  /// The other stores are only read, each in one snapshot, while apps can still write to them;
  /// their write-ahead logs grow meanwhile. Evicted digests leave only counts, which cannot be
  /// added: see ``DigestStore/MergeSummary/losses``. Losses are not added either, because merging
  /// twice would count them twice.
  ///
  /// All stores are read before anything is written, so that a damaged store stops the merge. A
  /// single digest that cannot be read is skipped, and counted in
  /// ``DigestStore/MergeSummary/unreadable``. A large store is added in many short transactions. If
  /// one of them fails, the error says how many digests were added. A new store appears with all
  /// digests or not at all, as in
  /// ``importDigests(fromFileDescriptor:intoStoreAt:configuration:skippingInvalid:progress:)``.
  ///
  /// - Parameters:
  ///   - sources: the paths of the other stores.
  ///   - path: the path of the store.
  ///   - configuration: how the store writes, and what it keeps.
  ///   - progress: called between transactions with the number of digests added from all stores. An
  ///     error that it throws ends the merge.
  /// - Returns: the result for each of the other stores, in their order.
  /// - Throws: ``DigestStoreError`` when one of them cannot be read or is the store itself, or when
  ///   the store cannot be written; errors of `progress`.
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
    return try withStore(at: path, configuration) { store, isDraft in
      let total = sources.reduce(0) { $0 + $1.digests }
      var before = 0
      return try sources.map { source in
        source.rewind()
        let addition = Addition(
          digests: source.digests,
          isShort: source.digests <= Addition.largestWhole
            && source.size <= 8 * Addition.largestWhole,
          isDraft: isDraft,
          remedy: "merge \(source.path) again"
        )
        let (added, known) = try store.add(addition) { step in
          try progress?(Progress(unit: step.unit, done: before + step.done, total: total))
        } next: {
          try source.next()
        }
        before += source.digests
        return MergeSummary(
          path: source.path, added: added, known: known, unreadable: source.unreadable,
          problems: source.problems, losses: source.losses)
      }
    }
  }
}
