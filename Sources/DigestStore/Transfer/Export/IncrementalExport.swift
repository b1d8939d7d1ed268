extension DigestStore {
  /// A bookmark of where an export ended. Store it until the next export.
  public struct ExportCursor: Codable, Sendable, Hashable {
    /// The identity of the store.
    let store: String

    /// The number of the last digest, or 0 if there was none.
    let digest: Int64

    /// When that digest was recorded, in milliseconds since 1970. A different time means that
    /// another digest has the number, as after a backup was restored.
    let recordedAt: Int64
  }
}

extension DigestStore {
  /// The digests written since an earlier export, as of one snapshot.
  public struct IncrementalExport: Sendable {
    /// Whether this part begins with the first digest.
    ///
    /// It does if there was no earlier export, and if the store does not have the digest that was
    /// exported last: it is another store, it was restored from a backup, or the digest was evicted.
    public let isFromStart: Bool

    /// The cursor for the next export. Store it once this part is written.
    public let end: ExportCursor

    /// The numbers of the digests; nil if there are none.
    let ids: ClosedRange<Int64>?

    /// When the last digest of the earlier export was recorded; the earliest time from the start.
    let lastExported: Moment
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
      func lastDigest(_ condition: String, _ values: [String: SQLValue] = [:]) throws
        -> DigestStore.ExportCursor?
      {
        try connection.rows(
          """
          SELECT s.identity, d.id, d.recorded_at FROM digest AS d CROSS JOIN store AS s
          WHERE \(condition) ORDER BY d.id DESC LIMIT 1
          """, values
        ) {
          DigestStore.ExportCursor(
            store: $0.text(at: 0) ?? "", digest: $0.integer(at: 1), recordedAt: $0.integer(at: 2))
        }.first
      }
      let first = try cursor.flatMap { cursor in
        try lastDigest("d.id = :id", [":id": .integer(cursor.digest)]).flatMap {
          $0 == cursor ? cursor : nil
        }
      }
      let last = try lastDigest("true")
      let begin = (first?.digest ?? 0) + 1
      return DigestStore.IncrementalExport(
        isFromStart: first == nil,
        end: last ?? DigestStore.ExportCursor(store: "", digest: 0, recordedAt: 0),
        ids: last.flatMap { begin <= $0.digest ? begin...$0.digest : nil },
        lastExported: first.map { Moment(milliseconds: $0.recordedAt) } ?? .earliest)
    }
  }
}
