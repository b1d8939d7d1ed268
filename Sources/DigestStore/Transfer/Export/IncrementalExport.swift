public import ResilientPlatform

extension DigestStore {
  /// A bookmark of where an export ended. Store it until the next export.
  ///
  /// It identifies the store, and detects a store that was restored from a backup since.
  public struct ExportCursor: Codable, Sendable, Hashable {
    /// The identity of the store.
    let store: String

    /// The number of the last digest, or 0 if there was none.
    let digest: Int64

    /// When that digest was recorded, in milliseconds since 1970. A different time means that
    /// another digest has the number. Nil if the digest had been evicted, so that the time was
    /// unknown.
    let recordedAt: Int64?
  }
}

extension DigestStore {
  /// The digests written since an earlier export, as of one snapshot.
  public struct IncrementalExport: Sendable {
    /// The beginning of a part.
    public enum Beginning: Sendable, Hashable {
      /// After the earlier export.
      case behindCursor
      /// The first digest, because there was no earlier export.
      case first
      /// The first digest, because the earlier export was from another store.
      case firstOfAnotherStore
      /// The first digest, because the store has lost the digest exported last: it was restored
      /// from a backup, or the power failed.
      case firstOfRestoredStore
    }

    /// The beginning of this part.
    public let beginning: Beginning

    /// The cursor for the next export. Store it once this part is written.
    public let end: ExportCursor

    /// The number of digests that were evicted before they could be exported.
    public let evicted: Int

    /// When the last digest of the earlier export was recorded; nil if unknown, and if this part
    /// begins with the first digest.
    public let lastExported: Date?

    /// The numbers of the digests, some of which may have been evicted; nil if there are none.
    let ids: ClosedRange<Int64>?
  }
}

extension DigestReader {
  /// Returns the digests written since an earlier export.
  ///
  ///     let part = try store.exportPart(after: cursor)
  ///     try store.exportDigests(in: part) { line in send(line) }
  ///     cursor = part.end
  ///
  /// To export every digest at least once, store ``DigestStore/IncrementalExport/end`` only once
  /// all lines are safe. If the process dies before that, the next part has the same digests again,
  /// and an import recognizes them by their ids.
  ///
  /// - Parameter cursor: the end of the earlier export; nil for all digests.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func exportPart(after cursor: DigestStore.ExportCursor? = nil) throws
    -> DigestStore.IncrementalExport
  {
    try snapshot { connection in
      let beginning = try connection.beginning(after: cursor)
      return try connection.part(beginning, after: beginning == .behindCursor ? cursor : nil)
    }
  }

  /// Returns the digests written after a given digest, which may have been evicted.
  ///
  /// - Parameter id: the whole id of that digest. Of an evicted digest that this store recorded,
  ///   the short id is enough.
  /// - Returns: nil if the store does not know where that digest was.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  package func exportPart(afterDigest id: String) throws -> DigestStore.IncrementalExport? {
    try snapshot { connection in
      guard let cursor = try connection.cursor(ofDigest: id),
        try connection.beginning(after: cursor) == .behindCursor
      else { return nil }
      return try connection.part(.behindCursor, after: cursor)
    }
  }

  /// Counts the digests of a part that have been evicted by now.
  ///
  /// Digests evicted during the export, in addition to ``DigestStore/IncrementalExport/evicted``,
  /// may or may not have been exported.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  package func evictedDigests(of part: DigestStore.IncrementalExport) throws -> Int {
    try snapshot { try $0.evictedDigests(in: part.ids) }
  }
}

extension Engine {
  /// The highest digest number used so far. Numbers are never reused, even after a digest is
  /// deleted.
  var lastNumber: Int64 {
    get throws {
      let last = try integer(
        "SELECT max(id) FROM (SELECT max(id) AS id FROM digest UNION ALL SELECT folded FROM store) AS i"
      )
      return min(max(0, last ?? 0), .max - 1)
    }
  }

  private var identity: String {
    get throws { try text("SELECT identity FROM store") ?? "" }
  }

  /// The part after a cursor of this store; nil for all digests.
  fileprivate func part(
    _ beginning: DigestStore.IncrementalExport.Beginning, after cursor: DigestStore.ExportCursor?
  ) throws -> DigestStore.IncrementalExport {
    let last = try lastNumber
    let first = (cursor?.digest ?? 0) + 1
    let ids = first <= last ? first...last : nil
    // The digest may have been evicted since.
    let known = cursor?.digest == last ? cursor?.recordedAt : nil
    return DigestStore.IncrementalExport(
      beginning: beginning,
      end: DigestStore.ExportCursor(
        store: try identity, digest: last, recordedAt: try moment(of: last) ?? known),
      evicted: try evictedDigests(in: ids),
      lastExported: cursor?.recordedAt.map { Moment(milliseconds: $0).date },
      ids: ids
    )
  }

  fileprivate func beginning(after cursor: DigestStore.ExportCursor?) throws
    -> DigestStore.IncrementalExport.Beginning
  {
    guard let cursor else { return .first }
    guard cursor.store == (try identity) else { return .firstOfAnotherStore }
    guard 0...(try lastNumber) ~= cursor.digest else { return .firstOfRestoredStore }
    let isTheSame =
      try moment(of: cursor.digest).map { $0 == cursor.recordedAt } ?? mayHaveHad(cursor)
    return isTheSame ? .behindCursor : .firstOfRestoredStore
  }

  /// The position of a digest that the file has, or may have had; nil if the file cannot tell.
  fileprivate func cursor(ofDigest id: String) throws -> DigestStore.ExportCursor? {
    let lookup = try DigestIDLookup(self)
    func cursor(_ number: Int64, _ moment: Int64?) -> DigestStore.ExportCursor {
      DigestStore.ExportCursor(store: lookup.identity, digest: number, recordedAt: moment)
    }
    if let number = try lookup.number(of: id) { return cursor(number, try moment(of: number)) }
    let parsed = DigestID(id)
    if parsed.source == lookup.identity {
      return cursor(parsed.number, parsed.recordedAt?.milliseconds)
    }
    let parts = id.split(separator: "-", omittingEmptySubsequences: false)
    if parts.count == 2, parts[0].utf8.count >= 8,
      lookup.identity.utf8.starts(with: parts[0].utf8), let number = Int64(parts[1]),
      number > 0, parts[1] == "\(number)"
    {
      return cursor(number, nil)
    }
    return nil
  }

  /// Whether a digest that is gone may be the one exported last: an hour that has all of its
  /// digests never had it.
  private func mayHaveHad(_ cursor: DigestStore.ExportCursor) throws -> Bool {
    guard try cursor.digest <= integer("SELECT folded FROM store") ?? 0 else { return false }
    guard let hour = cursor.recordedAt.map({ Moment(milliseconds: $0).hour }) else { return true }
    return try !(hasDigests(hour: hour) && hasHours(day: hour / 24))
  }

  /// When a digest was recorded; nil if it was evicted or never existed.
  fileprivate func moment(of digest: Int64) throws -> Int64? {
    try integer("SELECT recorded_at FROM digest WHERE id = \(digest)")
  }

  /// The number of evicted digests in a range, because numbers are consecutive.
  fileprivate func evictedDigests(in ids: ClosedRange<Int64>?) throws -> Int {
    guard let ids else { return 0 }
    let folded = try integer("SELECT folded FROM store") ?? 0
    let last = min(ids.upperBound, folded)
    guard ids.lowerBound <= last else { return 0 }
    let left = try integer(
      "SELECT count(*) FROM digest WHERE id BETWEEN \(ids.lowerBound) AND \(last)")
    return Int(clamping: last - ids.lowerBound + 1 - (left ?? 0))
  }
}
