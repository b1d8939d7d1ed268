extension DigestReader {
  /// Passes the clean decodes of a store to `body` as lines of NDJSON, some at a time.
  ///
  /// A filter for coding paths, kinds or novel values selects none of them.
  ///
  /// - Parameter part: the lines changed since an earlier export; nil for all.
  func forEachPageOfDecodes(
    matching filter: DigestFilter, in part: DigestStore.IncrementalExport?,
    _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    guard !filter.choosesFailures else { return }
    var position: DecodeCursor? = DecodeCursor(writtenAfter: part?.previous ?? 0)
    while let cursor = position {
      let (page, next) = try snapshot { try $0.decodes(matching: filter, from: cursor) }
      var bytes: [UInt8] = []
      for record in page { record.appendLine(to: &bytes) }
      if !bytes.isEmpty { try body(bytes[...]) }
      position = next
    }
  }
}

/// A position between the rows of clean decodes.
struct DecodeCursor {
  /// The number of rows of a page.
  fileprivate static let page = 2_000

  /// Rows changed before this digest was written are left out.
  let writtenAfter: Int64

  /// The key of the last row; nil at the beginning.
  fileprivate var last: [Int64]?

  init(writtenAfter: Int64 = 0) {
    self.writtenAfter = writtenAfter
  }
}

extension Snapshot {
  /// The hours with evicted digests. Their clean decodes would lower the rates of a store that does
  /// not have these digests.
  private static let evictedHours =
    "SELECT hour FROM hour WHERE first_digest_id <= (SELECT evicted_through FROM store)"

  /// Reads a page of clean decodes that can be copied to other stores: those of hours whose digests
  /// the store still has.
  ///
  /// - Returns: the page, and the position behind it; nil at the end.
  func decodes(
    matching filter: DigestFilter = DigestFilter(), from cursor: DecodeCursor
  ) throws -> ([DecodeRecord], next: DecodeCursor?) {
    let hours = filter.window.range
    let rows = try connection.rows(
      """
      SELECT d.hour, d.model_id, d.release_id, d.origin, m.name, r.name, d.decodes
      FROM decode AS d JOIN model AS m ON m.id = d.model_id JOIN release AS r ON r.id = d.release_id
      WHERE (d.hour, d.model_id, d.release_id, d.origin) > (:hour, :model, :release, :origin)
        AND d.hour BETWEEN :first AND :end AND d.origin > \(DecodeOrigin.sums)
        AND d.hour NOT IN (\(Self.evictedHours)) AND d.written_after >= :after
        AND d.decodes BETWEEN 1 AND \(Int64.maximumCount)
        AND m.name <> '' AND \(filter.modelCondition)
        AND \(filter.releaseCondition)
      ORDER BY d.hour, d.model_id, d.release_id, d.origin LIMIT \(DecodeCursor.page)
      """,
      filter.values.merging([
        ":hour": .integer(cursor.last?[0] ?? -2), ":model": .integer(cursor.last?[1] ?? 0),
        ":release": .integer(cursor.last?[2] ?? 0), ":origin": .integer(cursor.last?[3] ?? 0),
        ":first": .integer(hours.lowerBound.hour),
        ":end": .integer(Moment(milliseconds: hours.upperBound.milliseconds - 1).hour),
        ":after": .integer(cursor.writtenAfter),
      ]) { first, _ in first }
    ) { row in
      (
        (0...3).map { row.integer(at: $0) },
        DecodeRecord(
          origin: row.integer(at: 3), hour: row.integer(at: 0), model: row.text(at: 4) ?? "",
          release: row.text(at: 5), decodes: row.integer(at: 6))
      )
    }
    var next: DecodeCursor?
    if rows.count == DecodeCursor.page {
      next = cursor
      next?.last = rows.last?.0
    }
    return (rows.map(\.1), next)
  }
}
