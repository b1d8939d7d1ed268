/// The end of a page of digests.
struct PageEnd {
  /// The ids that are left to read; nil after the last page.
  var rest: ClosedRange<Int64>?

  /// The number of digests of the page that cannot be read, and are skipped.
  var unreadable = 0
}

/// The errors of a digest, as they are in the column `errors`.
struct DigestErrors: Sendable {
  let recordedAt: Moment
  let release: String?
  let errors: String
}

/// Reads the digests that match a filter, one page at a time.
///
/// Between pages the reader releases the file, so that its write-ahead log can be emptied.
struct DigestCursor: Sendable {
  /// The number of digests that a page examines.
  private static let page: Int64 = 4_000

  let filter: DigestFilter

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
  }

  /// Reads a page of digests in the order of their ids, or in reverse.
  ///
  /// Skips a digest that cannot be read: the others do not depend on it.
  ///
  /// - Parameters:
  ///   - row: receives a row of a digest.
  ///   - endDigest: called after the rows of each digest, with its id and whether the digest can be
  ///     read. If not, forget its rows. Returns whether there is room for more.
  func readPage(
    of ids: ClosedRange<Int64>, on connection: any Engine, _ query: ErrorQuery,
    row: (any Row) throws -> Void, endDigest: (_ id: Int64, _ isReadable: Bool) throws -> Bool
  ) throws -> PageEnd {
    var last = try end(ofPageIn: ids, connection)
    let digests = condition(isNewestFirst ? last...ids.upperBound : ids.lowerBound...last)
    var tables = connection
    if !(connection is Connection) {
      let copy = try DigestCopy.make(
        of: connection, where: "\(filter.modelCondition()) AND \(digests)", filter.values())
      (tables, last) = (copy.connection, copy.last ?? last)
    }
    var end = PageEnd(rest: rest(of: ids, behind: last))
    var digest: (id: Int64, count: Int64, isReadable: Bool)?
    func hasRoom() throws -> Bool {
      guard let (id, count, isSound) = digest else { return true }
      digest = nil
      let isReadable = isSound && count <= DigestRecord.maximumCount
      if !isReadable { end.unreadable += 1 }
      guard try !endDigest(id, isReadable) else { return true }
      end.rest = rest(of: ids, behind: id)
      return false
    }
    try tables.forEachRow(
      query.sql(digests: digests, models: filter.modelCondition()), filter.values()
    ) { next in
      let id = next.integer(at: 0)
      if id != digest?.id {
        guard try hasRoom() else { return false }
        digest = (id, 0, true)
      }
      let count = digest?.count ?? 0
      // A file may have any numbers.
      digest?.count = count.adding(count: next.count(at: 2))
      if next.integer(at: 1) != 0 {
        try row(next)
      } else {
        digest?.isReadable = false
      }
      return true
    }
    _ = try hasRoom()
    return end
  }

  /// The length of text, in bytes, at which a page ends, including the digest that reaches it.
  static let fullPage = 1 << 19

  /// Reads a page of lines, each with its line break.
  ///
  /// - Parameter maximumBytes: the most bytes, if there is more than one line; nil for about
  ///   ``fullPage``.
  func readLines(
    of ids: ClosedRange<Int64>, on connection: any Engine, maximumBytes: Int? = nil
  ) throws -> ([UInt8], PageEnd) {
    var next: Int64?
    var (page, line): ([UInt8], [UInt8]) = ([], [])
    var isMatching = !filter.choosesFailures
    let first = ErrorQuery.firstColumn
    var end = try readPage(of: ids, on: connection, .lines(filter)) { row in
      line.append(contentsOf: (row.text(at: first)?.escapingLineEnds ?? ",").utf8)
      line.append(contentsOf: (row.text(at: first + 1)?.escapingLineEnds ?? "").utf8)
      isMatching = isMatching || row.integer(at: first + 2) != 0
    } endDigest: { id, isReadable in
      if isReadable, isMatching {
        line.append(contentsOf: "]}\n".utf8)
        if let maximumBytes, !page.isEmpty, page.count + line.count > maximumBytes {
          next = id
          return false
        }
        page.append(contentsOf: line)
      }
      line.removeAll(keepingCapacity: true)
      isMatching = !filter.choosesFailures
      return page.count < maximumBytes ?? Self.fullPage
    }
    if let next { end.rest = next...ids.upperBound }
    return (page, end)
  }

  /// Reads a page of elements, one for each error that the filter selects. A page ends with the
  /// digest that gives it a number of elements.
  ///
  /// - Parameter append: appends a row of ``ErrorQuery/occurrences(_:)``.
  func readOccurrences<Element>(
    of ids: ClosedRange<Int64>, on connection: any Engine, fullPage: Int,
    _ append: (any Row, inout [Element]) -> Void
  ) throws -> ([Element], PageEnd) {
    var (page, digest): ([Element], [Element]) = ([], [])
    let end = try readPage(of: ids, on: connection, .occurrences(filter)) { row in
      if row.integer(at: ErrorQuery.isMatching) != 0 { append(row, &digest) }
    } endDigest: { _, isReadable in
      if isReadable { page += digest }
      digest.removeAll(keepingCapacity: true)
      return page.count < fullPage
    }
    return (page, end)
  }

  /// Reads a page of digests with their errors as JSON. A page ends with the digest that makes it
  /// full.
  func readErrors(
    of ids: ClosedRange<Int64>, on connection: any Engine
  ) throws -> ([DigestErrors], PageEnd) {
    let last = try end(ofPageIn: ids, connection)
    var end = PageEnd(rest: rest(of: ids, behind: last))
    var (digests, bytes) = ([DigestErrors](), 0)
    let page = condition(isNewestFirst ? last...ids.upperBound : ids.lowerBound...last)
    try connection.forEachRow(
      """
      SELECT d.id, d.recorded_at, nullif(x.release, ''), d.errors
      FROM digest AS d \(ErrorQuery.names) WHERE \(filter.modelCondition()) AND \(page)
      """, filter.values()
    ) { row in
      let errors = row.text(at: 3) ?? ""
      digests.append(
        DigestErrors(
          recordedAt: row.moment(at: 1), release: row.text(at: 2), errors: errors))
      bytes += errors.utf8.count
      guard bytes >= DigestCopy.maximumBytes else { return true }
      end.rest = rest(of: ids, behind: row.integer(at: 0))
      return false
    }
    return (digests, end)
  }

  /// The last id of a page.
  private func end(ofPageIn ids: ClosedRange<Int64>, _ connection: any Engine) throws -> Int64 {
    // Counts rows instead of adding to the id, because ids may have gaps.
    let condition =
      isNewestFirst
      ? "id <= \(ids.upperBound) ORDER BY id DESC" : "id >= \(ids.lowerBound) ORDER BY id"
    let end = try connection.integer(
      "SELECT id FROM digest WHERE \(condition) LIMIT 1 OFFSET \(Self.page - 1)")
    return isNewestFirst
      ? max(ids.lowerBound, end ?? ids.lowerBound) : min(ids.upperBound, end ?? ids.upperBound)
  }

  private func rest(of ids: ClosedRange<Int64>, behind id: Int64) -> ClosedRange<Int64>? {
    if isNewestFirst { return id > ids.lowerBound ? ids.lowerBound...id - 1 : nil }
    return id < ids.upperBound ? id + 1...ids.upperBound : nil
  }

  /// The condition on `digest AS d` for those of a page, and their order.
  private func condition(_ page: ClosedRange<Int64>) -> String {
    let window = filter.window
    // A cast hides the column from its index: the ids find the digests.
    let time = "CAST(d.recorded_at AS bigint)"
    let since = window.since.map { "\(time) >= \($0.milliseconds)" } ?? "true"
    let until = window.until.map { "\(time) < \($0.milliseconds)" } ?? "true"
    return """
      d.id BETWEEN \(page.lowerBound) AND \(page.upperBound) AND \(since) AND \(until)
      AND \(filter.contextsOfDigests("d.context")) ORDER BY d.id \(isNewestFirst ? "DESC" : "")
      """
  }
}

extension DigestReader {
  /// Reads pages of digests, and releases the file before it handles each.
  ///
  /// - Parameters:
  ///   - readPage: reads a page, and returns its end.
  ///   - handle: returns whether to go on.
  ///   - progress: called with the number of digests examined so far.
  /// - Returns: the number of digests that were skipped because they cannot be read.
  @discardableResult
  func forEachPage<Page: Sendable>(
    of cursor: DigestCursor,
    read readPage: @Sendable (ClosedRange<Int64>, any Engine) throws -> (Page, PageEnd),
    handle: (Page) throws -> Bool,
    progress: ((DigestReader.Progress) -> Void)? = nil
  ) throws -> Int {
    let ranges = try read { try cursor.ranges($0) }
    let total = ranges.sum(of: \.count)
    var (done, unreadable) = (0, 0)
    for range in cursor.isNewestFirst ? ranges.reversed() : ranges {
      var rest: ClosedRange<Int64>? = range
      while let ids = rest {
        let (page, end) = try read { try readPage(ids, $0) }
        rest = end.rest
        unreadable += end.unreadable
        done = done.adding(count: ids.count - (end.rest?.count ?? 0))
        guard try handle(page) else { return unreadable }
        progress?(DigestReader.Progress(unit: .digests, done: done, total: total))
      }
    }
    return unreadable
  }
}

extension DigestCursor {
  /// The longest gap between two ranges, in ids, that is read rather than skipped.
  private static let smallGap: Int64 = 1_000

  /// Ranges of ids that contain all digests of the filter, and may contain others, in ascending
  /// order.
  ///
  /// Digests written later are not included.
  func ranges(_ connection: any Engine) throws -> [ClosedRange<Int64>] {
    guard let ids = try idsToLookAt(connection) else { return [] }
    let window = filter.window
    guard window.since != nil || window.until != nil || filter.choosesFailures,
      ids.upperBound - ids.lowerBound >= Self.smallGap
    else { return [ids] }
    guard !window.isEmpty else { return [] }
    return try merged(hours(connection), in: ids)
  }

  /// The range of all ids, limited to the part.
  private func idsToLookAt(_ connection: any Engine) throws -> ClosedRange<Int64>? {
    guard let first = try connection.integer("SELECT min(id) FROM digest"),
      let last = try connection.integer("SELECT max(id) FROM digest"), first <= last
    else { return nil }
    // A file may have any id.
    let ids = (first...last).clamped(to: 1...Int64.max)
    guard let part else { return ids }
    guard let wanted = part.ids, wanted.overlaps(ids) else { return nil }
    return ids.clamped(to: wanted)
  }

  /// The ids of the folded digests of the window's hours, and those that are not folded.
  ///
  /// With a filter for failures, hours in which none of them occurred are left out, by days first.
  private func hours(_ connection: any Engine) throws -> [ClosedRange<Int64>] {
    let window = filter.window.range
    let tallies = """
      SELECT start FROM tally
      WHERE context = 0 AND failure IN (
        SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
        WHERE \(filter.failureCondition()))
      """
    let occurs =
      filter.choosesFailures
      ? """
      AND (h.start IN (
          SELECT t.start FROM (\(tallies) AND span = 24 AND start BETWEEN :first / 24 AND :last / 24
            GROUP BY 1) AS d
          CROSS JOIN tally AS t ON t.span = 1 AND t.context = 0 AND t.start / 24 = d.start
          WHERE t.start BETWEEN d.start * 24 AND d.start * 24 + 23 AND t.failure IN (
            SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
            WHERE \(filter.failureCondition())))
        OR h.start NOT IN (
          SELECT start FROM tally WHERE span = 1 AND context = 0 AND start BETWEEN :first AND :last))
      """ : ""
    let values = filter.values().merging([
      ":first": .integer(window.lowerBound.hour),
      ":last": .integer((window.upperBound.milliseconds - 1) / Moment.hour),
    ]) { first, _ in first }
    let folded = try connection.integer("SELECT folded FROM store") ?? 0
    return try connection.rows(
      """
      SELECT first, last FROM (
        SELECT d.recorded_at / \(Moment.hour) AS start, min(d.id) AS first, max(d.id) AS last
        FROM digest AS d WHERE \(SingleDigests.folded(window)) GROUP BY 1
      ) AS h
      WHERE start BETWEEN :first AND :last \(occurs)
      ORDER BY 1
      """, values
    ) { row -> ClosedRange<Int64>? in
      let (first, last) = (row.integer(at: 0), row.integer(at: 1))
      return first <= last ? first...last : nil
    }.compactMap(\.self) + [min(folded, .max - 1) + 1...Int64.max]
  }

  private func merged(
    _ ranges: [ClosedRange<Int64>], in ids: ClosedRange<Int64>
  ) -> [ClosedRange<Int64>] {
    var merged: [ClosedRange<Int64>] = []
    // The last digests of an hour may have been evicted.
    for range in ranges where range.overlaps(ids) {
      let range = range.clamped(to: ids)
      if let last = merged.last, range.lowerBound - Self.smallGap <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }
}

extension String {
  /// The JSON with escapes for the characters that some readers of NDJSON take for line ends.
  fileprivate var escapingLineEnds: String {
    guard utf8.contains(where: { $0 == 0xC2 || $0 == 0xE2 }) else { return self }
    return replacingScalars("\u{85}", with: "\\u0085")
      .replacingScalars("\u{2028}", with: "\\u2028").replacingScalars("\u{2029}", with: "\\u2029")
  }
}
