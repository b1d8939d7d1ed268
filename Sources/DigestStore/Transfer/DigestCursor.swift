/// A digest as stored in its row. The bytes are only valid until the next row is read.
struct StoredDigest {
  let id: Int64
  let recordedAt: Moment
  let model: Int64
  let release: Int64

  /// The id that the digest was imported with; nil if it was recorded here.
  let foreignID: String?

  /// Reads the entries and omissions.
  let reader: EntryReader
}

/// The end of a page of digests.
struct PageEnd {
  /// The ids that are left to read; nil after the last page.
  var rest: ClosedRange<Int64>?

  /// The number of digests of the page that cannot be read, and are skipped.
  var unreadable = 0

  /// The problems of the first ten skipped digests, as in `digest 3: the entries cannot be read`.
  var problems: [String] = []

  fileprivate mutating func skip(_ id: Int64, _ row: UnreadableRow) {
    unreadable += 1
    if problems.count < 10 { problems.append("digest \(id): \(row.description)") }
  }
}

/// Reads the digests that match a filter, one page at a time.
///
/// Between pages the reader releases the file, so that its write-ahead log can be emptied.
struct DigestCursor: Sendable {
  /// The number of digests that a page examines.
  private static let page: Int64 = 4_000

  let filter: DigestFilter
  private let values: [String: SQLiteValue]

  /// Whether the digests written last come first.
  let isNewestFirst: Bool

  /// The digests to examine; nil for all.
  let part: DigestStore.IncrementalExport?

  init(
    _ filter: DigestFilter,
    newestFirst isNewestFirst: Bool = false,
    in part: DigestStore.IncrementalExport? = nil
  ) {
    self.filter = filter
    self.isNewestFirst = isNewestFirst
    self.part = part
    let window = filter.window
    values = filter.values.merging([
      ":since": SQLiteValue(window.since?.milliseconds),
      ":until": SQLiteValue(window.until?.milliseconds),
    ]) { $1 }
  }

  /// Reads a page of digests in the order of their ids, or in reverse.
  ///
  /// Skips a digest that cannot be read: the others do not depend on it.
  ///
  /// - Parameter handle: returns whether there is room for more. If it throws ``UnreadableRow``, it
  ///   must keep nothing of the digest.
  func readPage(
    of ids: ClosedRange<Int64>,
    on connection: Connection,
    _ handle: (StoredDigest) throws -> Bool
  ) throws -> PageEnd {
    let last = try end(ofPageIn: ids, connection)
    let page = isNewestFirst ? last...ids.upperBound : ids.lowerBound...last
    let statement = try Statement(connection, sql)
    try statement.bind(
      named: values.merging([
        ":first": .integer(page.lowerBound), ":last": .integer(page.upperBound),
      ]) { $1 })
    var end = PageEnd(rest: rest(of: ids, behind: last))
    while try statement.step() {
      let id = statement.integer(at: 0)
      do {
        guard try hand(statement, to: handle) else {
          end.rest = rest(of: ids, behind: id)
          return end
        }
      } catch let row as UnreadableRow {
        end.skip(id, row)
      }
    }
    return end
  }

  /// The last id of a page.
  private func end(ofPageIn ids: ClosedRange<Int64>, _ connection: Connection) throws -> Int64 {
    // Counts rows instead of adding to the id, because ids may have gaps.
    let condition = isNewestFirst ? "id <= ? ORDER BY id DESC" : "id >= ? ORDER BY id"
    let start = isNewestFirst ? ids.upperBound : ids.lowerBound
    let end = try Statement(
      connection, "SELECT id FROM digest WHERE \(condition) LIMIT 1 OFFSET \(Self.page - 1)"
    ).firstRow([.integer(start)]) { $0.integer(at: 0) }
    return isNewestFirst
      ? max(ids.lowerBound, end ?? ids.lowerBound) : min(ids.upperBound, end ?? ids.upperBound)
  }

  private func rest(of ids: ClosedRange<Int64>, behind id: Int64) -> ClosedRange<Int64>? {
    if isNewestFirst { return id > ids.lowerBound ? ids.lowerBound...id - 1 : nil }
    return id < ids.upperBound ? id + 1...ids.upperBound : nil
  }

  private func hand(
    _ row: borrowing Statement,
    to handle: (StoredDigest) throws -> Bool
  ) throws -> Bool {
    guard Moment.earliest...Moment.latest ~= row.moment(at: 1) else {
      throw UnreadableRow("recordedAt is not between the years 1970 and 9999")
    }
    return try row.withBytes(at: 5) { entries in
      try row.withBytes(at: 6) { omissions in
        try handle(
          StoredDigest(
            id: row.integer(at: 0),
            recordedAt: row.moment(at: 1),
            model: row.integer(at: 2),
            release: row.integer(at: 3),
            foreignID: row.text(at: 4),
            reader: EntryReader(entries: entries, omissions: omissions)
          ))
      }
    }
  }

  private var sql: String {
    """
    SELECT d.id, d.recorded_at, d.model_id, d.release_id, x.external_id, d.entries, d.omissions
    FROM digest AS d
    \(filter.models.isEmpty ? "" : "JOIN model AS m ON m.id = d.model_id")
    LEFT JOIN foreign_digest AS x ON x.digest_id = d.id
    WHERE d.id BETWEEN :first AND :last
      AND (d.recorded_at >= :since) IS NOT 0 AND (d.recorded_at < :until) IS NOT 0
      AND \(filter.releaseCondition) AND \(filter.modelCondition)
    ORDER BY d.id \(isNewestFirst ? "DESC" : "")
    """
  }
}
