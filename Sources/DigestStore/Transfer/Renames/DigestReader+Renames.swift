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

    package init(
      model: String, oldPath: String, newPath: String, digests: Int, firstSeen: Date,
      lastSeen: Date, firstRelease: String? = nil
    ) {
      self.model = model
      self.oldPath = oldPath
      self.newPath = newPath
      self.digests = digests
      self.firstSeen = firstSeen
      self.lastSeen = lastSeen
      self.firstRelease = firstRelease
    }
  }
}

extension DigestReader {
  /// Finds keys that the backend has probably renamed, most digests first.
  ///
  /// A missing key and an unknown key of one object are a rename if at least nine in ten digests
  /// that have one of them have both. Values of different types, such as a string and an array, are
  /// not. If several pairs are possible, those with similar names exclude the others.
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
    try renameCounts(matching: filter).renames(limit: limit)
  }

  /// Finds renames in the latest digests, which is fast in a store of any size.
  ///
  /// The counts, times and releases of the rows are those of the unknown keys, in all digests that
  /// match the filter.
  package func latestRenames(
    matching filter: DigestFilter, limit: Int?
  ) throws -> [DigestStore.KeyRename] {
    let renames = try renameCounts(matching: filter, pages: 1).renames(limit: limit)
    guard !renames.isEmpty else { return [] }
    var newKeys = filter
    (newKeys.codingPaths, newKeys.novelValues) = ([], [])
    newKeys.kinds = [.unknownKey]
    let counts = try Dictionary(grouping: failures(matching: newKeys)) {
      [BinaryString($0.model), BinaryString($0.codingPath)]
    }
    return renames.map { rename in
      guard let new = counts[[BinaryString(rename.model), BinaryString(rename.newPath)]]?.first
      else { return rename }
      return DigestStore.KeyRename(
        model: rename.model, oldPath: rename.oldPath, newPath: rename.newPath,
        digests: new.digests, firstSeen: new.firstSeen, lastSeen: new.lastSeen,
        firstRelease: new.firstRelease)
    }.sorted(by: DigestStore.KeyRename.precede)
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
    var counts = RenameCounts()
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
