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
  }
}

extension DigestReader {
  /// Finds keys that the backend may have renamed, most digests first, then the largest share.
  ///
  /// A row is a missing key and an unknown key of one object, if at least half of the digests that
  /// have one of them have both. Other keys that come and go together are rows, too: the share, the
  /// times and the names tell a rename from these. Of an object, the 64 most frequent keys of
  /// each kind are compared.
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

  /// Finds renames in the latest digests, which is fast in a store of any size.
  package func latestRenames(
    matching filter: DigestFilter, limit: Int?
  ) throws -> [DigestStore.KeyRename] {
    try renames(matching: filter, limit: limit, pages: 1)
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
    let keys = try snapshot { [filter] in try RenameKey.candidates($0, filter) }
    guard !keys.isEmpty else { return [] }
    filter.codingPaths = []
    let cursor = DigestCursor(filter, newestFirst: pages != nil)
    let pairs = try RenamePairs(of: keys)
    var rest = pages ?? .max
    try forEachPage(of: cursor, cursor) { cursor, ids, connection in
      try cursor.readErrors(of: ids, on: connection)
    } handle: { page in
      for digest in page { try pairs.add(digest) }
      rest -= 1
      return rest > 0
    }
    return try pairs.renames(limit: limit)
  }
}
