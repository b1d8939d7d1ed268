import ResilientDecoding
public import ResilientPlatform

extension DigestStore {
  /// A key that payloads lack, and one that they have in the same object.
  public struct KeyRename: Sendable, Hashable, Codable {
    /// The model, module-qualified, as in `App.Listing`.
    public let model: String
    /// The pattern of the coding path of the missing key.
    public let oldPath: String
    /// The pattern of the coding path of the unknown key, in the same objects.
    public let newPath: String
    /// The number of digests in which an object lacks the old key and has the new one.
    public let digests: Int
    /// The share of the model's decodes that are such digests, from 0 to 1; nil if decodes were not
    /// counted. Of whole hours, as all rates.
    public let share: Double?
    /// Whether, in an hour before ``firstSeen``, a decode of the model had the old key; nil if the
    /// decodes before are unknown.
    public let wasThere: Bool?
    /// When the first of these digests was recorded.
    public let firstSeen: Date
    /// When the last of these digests was recorded.
    public let lastSeen: Date
    /// The release of the first of these digests, if it has one.
    public let firstRelease: String?
  }
}

extension [DigestStore.KeyRename] {
  /// The rename that may explain a missing or an unknown key; nil for none, or if of two keys that came as
  /// often with it neither is known to be its other name.
  package func rename(of failure: DigestStore.FailureCount) -> DigestStore.KeyRename? {
    let isNew = failure.kind == .unknownKey
    guard isNew || [.keyNotFound, .missingKey].contains(failure.kind) else { return nil }
    let pairs = filter {
      $0.model == failure.model && (isNew ? $0.newPath : $0.oldPath) == failure.codingPath
    }
    return pairs.count < 2 || pairs[0].digests > pairs[1].digests ? pairs.first : nil
  }
}

extension DigestReader {
  /// Finds keys that the backend may have renamed, most digests first.
  ///
  /// A row is a missing key and an unknown key of one object. Keys that only sometimes come together
  /// are left out: at least half of the digests with either have both. Of an object, the 64 most
  /// frequent keys of each kind are compared.
  ///
  /// The store must record both kinds of keys: `reportsMissingKeys` and `reportsUnknownKeys` of the
  /// configuration. Only digests that the store still has are searched, so this takes time in
  /// proportion to them if there is any candidate.
  ///
  /// - Parameters:
  ///   - filter: the digests to search. A path selects renames with either key. Kinds and novel
  ///     values have no effect.
  ///   - limit: the most rows to return; nil for all.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func renames(
    matching filter: DigestFilter = DigestFilter(), limit: Int? = nil
  ) throws -> [DigestStore.KeyRename] {
    try renames(matching: filter, limit: limit, pages: nil)
  }

  /// Finds renames in the latest digests, which is fast in a store of any size. Their shares are
  /// unknown, and so is whether keys were there before.
  package func latestRenames(matching filter: DigestFilter) throws -> [DigestStore.KeyRename] {
    try renames(matching: filter, limit: nil, pages: 1)
  }

  /// Whether the store has recorded missing and unknown keys.
  package func hasRenameKeys() throws -> Bool {
    func has(_ kind: ErrorDigest.Kind) throws -> Bool { try hasName(kind.rawValue, of: .kind) }
    return try has(.unknownKey) && (has(.missingKey) || has(.keyNotFound))
  }

  /// - Parameter pages: the most pages of digests to read, the latest; nil for all.
  private func renames(
    matching filter: DigestFilter, limit: Int?, pages: Int?
  ) throws -> [DigestStore.KeyRename] {
    var filter = filter
    (filter.kinds, filter.novelValues) = ([.keyNotFound, .missingKey, .unknownKey], [])
    filter.failures = []
    let (keys, decodes) = try snapshot { [filter] engine in
      (
        try RenameKey.candidates(engine, filter),
        pages == nil ? try engine.decodesWithDigests(filter) : nil
      )
    }
    guard !keys.isEmpty else { return [] }
    filter.codingPaths = []
    let cursor = DigestCursor(
      decodes == nil ? filter : filter.limited(to: filter.window.inWholeHours),
      newestFirst: pages != nil)
    let pairs = try RenamePairs(of: keys, in: filter.window, countedIn: decodes?.window)
    var rest = pages ?? .max
    try forEachPage(of: cursor) { ids, connection in
      try cursor.readErrors(of: ids, on: connection)
    } handle: { page in
      for digest in page { try pairs.add(digest) }
      rest -= 1
      return rest > 0
    }
    let found = try pairs.found(limit: limit)
    let history =
      try pages == nil && !found.isEmpty
      ? snapshot { [filter] in try KeyHistory($0, filter, of: keys, in: found) } : nil
    return found.map { pair in
      DigestStore.KeyRename(
        model: pair.model, oldPath: pair.oldPath, newPath: pair.newPath, digests: pair.digests,
        share: decodes?.share(of: pair.counted, in: pair.model),
        wasThere: history?.hadKey(pair.oldPath, of: pair.model, before: pair.firstSeen),
        firstSeen: pair.firstSeen.date, lastSeen: pair.lastSeen.date,
        firstRelease: pair.firstRelease)
    }
  }
}

/// The decodes of each model in the whole hours of a window that still have all their digests.
private struct DecodesWithDigests {
  let window: TimeWindow
  let decodes: [[BinaryString]: GroupedCounts.GroupedCount]

  /// - Returns: nil if all digests with both keys are of other hours.
  func share(of digests: Int, in model: String) -> Double? {
    guard digests > 0, let all = decodes[[BinaryString(model)]]?.decodes, all > 0 else {
      return nil
    }
    // The digests may be of a later snapshot.
    return min(1, Double(digests) / Double(all))
  }
}

extension Engine {
  fileprivate func decodesWithDigests(_ filter: DigestFilter) throws -> DecodesWithDigests? {
    let complete = try window(filter, by: .minute)
    guard let window = try decodeWindow(filter.limited(to: complete)) else { return nil }
    return try DecodesWithDigests(window: window, decodes: decodes(filter, in: window, by: nil))
  }
}

/// For each model and key of renames: the end of the first period in which decodes were counted, and in
/// which some decode had the key.
private struct KeyHistory {
  private var decoded: [BinaryString: Int64] = [:]

  /// By model and path.
  private var had: [[BinaryString]: Int64] = [:]

  /// - Parameter filter: its contexts, without its releases: a key that comes with a release was there in an
  ///   older one.
  init(
    _ engine: any Engine, _ filter: DigestFilter, of keys: [RenameKey],
    in found: [RenamePairs.Pair]
  ) throws {
    let names = Set(found.map { [$0.model, $0.oldPath].map(BinaryString.init) })
    var missing = filter.ofContexts.ofAllReleases
    missing.models = DigestFilter.names(found.map(\.model))
    missing.kinds = [.keyNotFound, .missingKey]
    missing.failures = keys.filter { names.contains([$0.model, $0.path].map(BinaryString.init)) }
      .flatMap(\.failures)
    let window = try engine.widened(TimeWindow(since: nil, until: nil))
    // Deleted days are unknown.
    let counted = try engine.firstDecode().flatMap { $0 > .earliest ? $0.milliseconds : nil }
    for split in [Counts.Split.day, .hour] {
      let decodes = Dictionary(
        grouping: try GroupedCounts(
          engine, of: .decodes, missing, in: window, by: [.model], per: split
        ).rows().filter { $0.decodes > 0 }
      ) { $0.names[0] }
      let missing = Dictionary(
        grouping: try GroupedCounts(
          engine, of: .entries, missing, in: window, by: [.model, .codingPath], per: split
        ).rows(), by: \.names)
      for (model, periods) in decodes {
        for period in periods where counted.map({ $0 <= period.start }) ?? false {
          decoded[model] = min(decoded[model] ?? .max, period.start + split.length)
        }
      }
      for (names, rows) in missing {
        let digests = Dictionary(rows.map { ($0.start, $0.digests) }) { $0.adding(count: $1) }
        for period in decodes[names[0]] ?? [] where period.decodes > digests[period.start] ?? 0 {
          had[names] = min(had[names] ?? .max, period.start + split.length)
        }
      }
    }
  }

  func hadKey(_ path: String, of model: String, before moment: Moment) -> Bool? {
    let model = BinaryString(model)
    func isBefore(_ end: Int64?) -> Bool { end.map { $0 <= moment.milliseconds } ?? false }
    if isBefore(had[[model, BinaryString(path)]]) { return true }
    return isBefore(decoded[model]) ? false : nil
  }
}
