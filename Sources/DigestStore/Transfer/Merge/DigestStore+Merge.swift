/// What a merge has done with one store.
public struct MergeSummary: Sendable, Hashable {
  /// Where the store is.
  public let path: String

  /// How many of its digests were added.
  public let added: Int

  /// How many were there already, by their id.
  public let known: Int

  /// How many cannot be read, or written into a store, and were skipped.
  public let unreadable: Int

  /// What is wrong with the first of those, ten at most, as in `digest 3: model is empty`.
  public let problems: [String]

  /// What the store does not have any more, or never had, so that it could not be added: of
  /// ``Loss/evicted`` there are counts in that store, and nowhere else.
  public let losses: [Loss]
}

extension DigestStore {
  /// Adds the digests of other stores to the store at a path, and makes one where there is none.
  ///
  /// A digest whose id the store has or has had is left out, so that merging twice changes nothing.
  /// The other stores are only read, and each is taken as it is at one moment, while apps go on
  /// writing it; their write-ahead logs grow meanwhile. Of what a store has evicted only counts are
  /// left, which cannot be added: ``MergeSummary/losses`` tells.
  ///
  /// All of them are read before anything is written, so that one that is damaged stops the merge. A
  /// single digest that cannot be read is skipped, and counted in ``MergeSummary/unreadable``.
  /// A large one is added in many short transactions. When one of them fails, the error says how
  /// many digests are in; a new store appears with all of them or not at all, as it does with
  /// ``importDigests(fromFileDescriptor:intoStoreAt:configuration:skippingInvalid:progress:)``.
  ///
  /// - Parameters:
  ///   - sources: where the other stores are.
  ///   - path: where the store is, or is to be.
  ///   - configuration: how the store writes, and what it keeps.
  ///   - progress: called between transactions with the number of digests added, of all stores. An
  ///     error that it throws ends the merge.
  /// - Returns: what was done with each of the other stores, in their order.
  /// - Throws: ``DigestStoreError`` when one of them cannot be read or is the store itself, or when
  ///   this cannot be written; what `progress` throws.
  public static func mergeStores(
    at sources: [String],
    intoStoreAt path: String,
    configuration: Configuration = Configuration(),
    progress: ((Progress) throws -> Void)? = nil
  ) throws -> [MergeSummary] {
    // When nobody reads them any more.
    defer { for source in sources { Connection.removeNeedlessCompanions(of: source) } }
    return try merge(sources, path, configuration, progress)
  }

  private static func merge(
    _ paths: [String],
    _ path: String,
    _ configuration: Configuration,
    _ progress: ((Progress) throws -> Void)?
  ) throws -> [MergeSummary] {
    if let store = FileIdentity(path: path),
      let source = paths.first(where: { FileIdentity(path: $0) == store })
    {
      throw DigestStoreError(
        .invalidInput, "\(source) is the store itself; name another one to merge into it")
    }
    let sources = try paths.map { try MergeSource($0) }
    return try withStore(at: path, configuration) { store, isDraft in
      try store.write { _ in }
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
