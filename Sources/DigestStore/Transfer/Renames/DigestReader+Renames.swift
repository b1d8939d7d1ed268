import ResilientDecoding
public import ResilientPlatform

extension DigestStore {
  /// A key that payloads lack, and one that they have in its place.
  public struct KeyRename: Sendable, Hashable, Codable {
    /// The model, module-qualified, as in `App.Listing`.
    public let model: String
    /// The pattern of the coding path of the missing key.
    public let oldPath: String
    /// The pattern of the coding path of the unknown key, in the same objects.
    public let newPath: String
    /// The number of digests in which an object lacks the old key and has the new one.
    public let digests: Int
    /// When the first of these digests was recorded.
    public let firstSeen: Date
    /// When the last of these digests was recorded.
    public let lastSeen: Date
    /// The release of the first of these digests, if it has one.
    public let firstRelease: String?
    /// The number of digests in which an object lacks the old key.
    public let oldDigests: Int
    /// The number of digests in which an object has the new key.
    public let newDigests: Int

    /// The share of the digests with either, from 0 to 1, that have both.
    public var share: Double {
      let either = oldDigests.adding(count: newDigests) - digests
      return either > 0 ? Double(digests) / Double(either) : 0
    }

    package init(
      model: String, oldPath: String, newPath: String, digests: Int, firstSeen: Date,
      lastSeen: Date, firstRelease: String? = nil, oldDigests: Int, newDigests: Int
    ) {
      self.model = model
      self.oldPath = oldPath
      self.newPath = newPath
      self.digests = digests
      self.firstSeen = firstSeen
      self.lastSeen = lastSeen
      self.firstRelease = firstRelease
      self.oldDigests = oldDigests
      self.newDigests = newDigests
    }
  }
}

extension DigestReader {
  /// Finds keys that the backend has probably renamed, most digests first.
  ///
  /// A missing key and an unknown key of one object are a rename if at least half of the digests
  /// that have one of them have both, and if earlier decodes of the release had the old key, most
  /// of them without the new key. Keys of different types, such as a string and an array, are not
  /// paired. If several pairs are possible, the larger share wins, then the shorter time between
  /// the first digests of both keys, then similar names.
  ///
  /// A key whose name in snake case equals the new key, such as `avatarURL` and `avatar_url`, is
  /// not a rename: `convertFromSnakeCase` reads that as `avatarUrl`.
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
    try renameCounts(matching: filter).renames(limit: limit).renames
  }

  /// Finds renames, and the keys that `convertFromSnakeCase` reads as another name.
  package func renamesAndConverted(
    matching filter: DigestFilter, limit: Int?
  ) throws -> (renames: [DigestStore.KeyRename], converted: [DigestStore.KeyRename]) {
    try renameCounts(matching: filter).renames(limit: limit)
  }

  /// Finds renames in the latest digests, which is fast in a store of any size.
  package func latestRenames(
    matching filter: DigestFilter, limit: Int?
  ) throws -> [DigestStore.KeyRename] {
    try renameCounts(matching: filter, pages: 1).renames(limit: limit).renames
  }

  /// Whether the store has recorded missing and unknown keys.
  package func hasRenameKeys() throws -> Bool {
    func has(_ kind: ErrorDigest.Kind) throws -> Bool { try hasName(kind.rawValue, of: .kind) }
    return try has(.unknownKey) && (has(.missingKey) || has(.keyNotFound))
  }

  /// Counts the digests with missing and unknown keys.
  ///
  /// - Parameter pages: the most pages of digests to read, the latest; nil for all.
  private func renameCounts(
    matching filter: DigestFilter, pages: Int? = nil
  ) throws -> RenameCounts {
    var filter = filter
    (filter.kinds, filter.novelValues) = (RenameKeys.kinds, [])
    let keys = try snapshot { [filter] in try RenameKeys($0, filter) }
    var counts = RenameCounts(history: keys.history)
    guard !keys.isEmpty else { return counts }
    filter.codingPaths = []
    let cursor = DigestCursor(filter, newestFirst: pages != nil)
    var rest = pages ?? .max
    try forEachPage(of: cursor, RenameReader(keys: keys)) { reader, ids, connection in
      var page = RenameCounts()
      let end = try cursor.readPage(of: ids, on: connection) { digest in
        reader.count(digest, in: &page)
        return true
      }
      return (page, end)
    } handle: { page in
      counts.merge(page)
      rest -= 1
      return rest > 0
    }
    return counts
  }
}
