#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// How far someone has exported a store: to be kept until the next export, by whatever means.
///
/// It knows the store again, also one that was restored from a backup in the meantime.
public struct ExportCursor: Codable, Sendable, Hashable {
  /// The identity of the store.
  let store: String

  /// The number of the last digest that there was, 0 where there was none.
  let digest: Int64

  /// The moment of that digest, in milliseconds since 1970: another one has got its number where it
  /// is another one. Nil where nobody knew it any more, for it had been evicted.
  let recordedAt: Int64?
}

/// The digests that have come since an earlier export, as many as there were at one moment.
public struct IncrementalExport: Sendable {
  /// Where a part begins.
  public enum Beginning: Sendable, Hashable {
    /// Behind the earlier export.
    case behindCursor
    /// With the first digest, for there was no earlier export.
    case first
    /// With the first digest, for the earlier export was one of another store.
    case firstOfAnotherStore
    /// With the first digest, for the store has lost what was exported last, as it does when it is
    /// restored from a backup, or when the power is cut.
    case firstOfRestoredStore
  }

  /// Where it begins.
  public let beginning: Beginning

  /// What to keep for the next export, once this part is where it is to be.
  public let end: ExportCursor

  /// How many digests were evicted before they could be exported.
  public let evicted: Int

  /// When the last digest of the earlier export was recorded; nil where it begins with the first
  /// digest, and where nobody knows.
  public let lastExported: Date?

  /// The numbers of the digests, of which some may be gone; nil where there are none.
  let ids: ClosedRange<Int64>?
}

extension DigestStore {
  /// Tells which digests have come since an earlier export.
  ///
  ///     let part = try store.exportPart(after: cursor)
  ///     try store.exportDigests(in: part) { line in send(line) }
  ///     cursor = part.end
  ///
  /// Whoever keeps ``IncrementalExport/end`` only when all was handed over and is safe exports every digest
  /// at least once: when the process dies between the two, the next part has the same digests
  /// again. An import knows them by their ids.
  ///
  /// - Parameter cursor: what the earlier export has left; nil for all digests.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func exportPart(after cursor: ExportCursor? = nil) throws -> IncrementalExport {
    try snapshot { snapshot in
      let beginning = try snapshot.beginning(after: cursor)
      return try snapshot.part(beginning, after: beginning == .behindCursor ? cursor : nil)
    }
  }

  /// Tells which digests were written after one of them.
  ///
  /// - Parameter id: the whole id of that digest.
  /// - Returns: nil where the store has no such digest, or has it no longer.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  package func exportPart(afterDigest id: String) throws -> IncrementalExport? {
    try snapshot { snapshot in
      let finder = try DigestIDLookup(snapshot.connection)
      return try finder.number(of: id).map { number in
        let cursor = ExportCursor(
          store: finder.identity, digest: number, recordedAt: try snapshot.moment(of: number))
        return try snapshot.part(.behindCursor, after: cursor)
      }
    }
  }

  /// Counts the digests of a part that are evicted by now.
  ///
  /// Those that go while the part is exported, and are more than ``IncrementalExport/evicted``, may have
  /// been exported or not.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func evictedDigests(of part: IncrementalExport) throws -> Int {
    try snapshot { try $0.evictedDigests(in: part.ids) }
  }
}

extension Snapshot {
  /// The number of the last digest; it is never given twice, also when digests have been deleted.
  private var lastDigest: Int64 {
    get throws { max(try connection.integer("SELECT max(id) FROM digest") ?? 0, foldedThrough) }
  }

  private var identity: String {
    get throws { try connection.text("SELECT identity FROM store") ?? "" }
  }

  /// The part behind a cursor of this store; nil for all digests.
  fileprivate func part(
    _ beginning: IncrementalExport.Beginning, after cursor: ExportCursor?
  ) throws -> IncrementalExport {
    let last = try lastDigest
    let first = (cursor?.digest ?? 0) + 1
    let ids = first <= last ? first...last : nil
    // It may have been evicted since.
    let known = cursor?.digest == last ? cursor?.recordedAt : nil
    return IncrementalExport(
      beginning: beginning,
      end: ExportCursor(
        store: try identity, digest: last, recordedAt: try moment(of: last) ?? known),
      evicted: try evictedDigests(in: ids),
      lastExported: cursor?.recordedAt.map { Moment(milliseconds: $0).date },
      ids: ids
    )
  }

  fileprivate func beginning(after cursor: ExportCursor?) throws -> IncrementalExport.Beginning {
    guard let cursor else { return .first }
    guard cursor.store == (try identity) else { return .firstOfAnotherStore }
    guard 0...(try lastDigest) ~= cursor.digest else { return .firstOfRestoredStore }
    let isTheSame =
      try moment(of: cursor.digest).map { $0 == cursor.recordedAt } ?? mayHaveHad(cursor)
    return isTheSame ? .behindCursor : .firstOfRestoredStore
  }

  /// Whether a digest that is gone may be the one that was exported last: the hours remember between
  /// which ids their digests were.
  private func mayHaveHad(_ cursor: ExportCursor) throws -> Bool {
    guard cursor.digest <= evictedThrough else { return false }
    guard let hour = cursor.recordedAt.map({ Moment(milliseconds: $0).hour }),
      hour >= firstFineHour
    else { return true }
    let find = "SELECT 1 FROM hour WHERE hour = ? AND ? BETWEEN first_digest_id AND last_digest_id"
    return try Statement(connection, find)
      .firstRow([.integer(hour), .integer(cursor.digest)]) { _ in true } ?? false
  }

  /// The moment of a digest; nil where it is gone, or never was.
  fileprivate func moment(of digest: Int64) throws -> Int64? {
    try Statement(connection, "SELECT recorded_at FROM digest WHERE id = ?")
      .firstRow([.integer(digest)]) { $0.integer(at: 0) }
  }

  /// How many digests of a range are gone: the numbers follow each other.
  fileprivate func evictedDigests(in ids: ClosedRange<Int64>?) throws -> Int {
    guard let ids, ids.lowerBound <= evictedThrough else { return 0 }
    let last = min(ids.upperBound, evictedThrough)
    let left = try Statement(connection, "SELECT count(*) FROM digest WHERE id BETWEEN ? AND ?")
      .firstRow([.integer(ids.lowerBound), .integer(last)]) { $0.integer(at: 0) }
    return Int(last - ids.lowerBound + 1 - (left ?? 0))
  }
}
