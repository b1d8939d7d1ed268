extension DigestStore {
  /// A failure of one operation, and its counts.
  public struct OperationFailure: Sendable, Hashable, Codable {
    /// The failure, with the counts, times and ``DigestStore/FailureCount/rate`` of this operation. It
    /// has no ``DigestStore/FailureCount/firstRelease``.
    public let failure: FailureCount
    /// The operation, such as `GET /listings`; nil for digests without one.
    public let operation: String?
    /// The releases with these errors, oldest first. Digests without a release have none.
    public let releases: [String]
    /// The decodes of the model in this operation, in the same whole hours as the rate; nil if decodes were
    /// not counted.
    public let decodes: Int?

    /// Whether the row counts several operations over the limit of contexts.
    package var isOfOtherOperations: Bool { operation == Overflow.operation }
  }
}

extension DigestReader {
  /// Counts the failures of each operation, most frequent first.
  ///
  /// Together the counts are those of ``failures(matching:limit:)``. Equally frequent rows are sorted
  /// as there, then by operation.
  ///
  /// - Parameters:
  ///   - filter: the errors to count.
  ///   - limit: the most rows to return; nil for all.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func failuresByOperation(
    matching filter: DigestFilter = DigestFilter(), limit: Int? = nil
  ) throws -> [DigestStore.OperationFailure] {
    try snapshot { connection in
      let window = try connection.widened(filter.window)
      var rows: [OperationRow] = []
      try connection.forEachOperationRow(filter, in: window) { row in
        let last = rows.count - 1
        if last >= 0, rows[last].row.id == row.row.id, rows[last].operation == row.operation {
          rows[last].releases += row.releases
        } else if rows.count < limit ?? .max {
          rows.append(row)
        } else {
          return false
        }
        return true
      }
      let rates = try FailureRates(connection, filter, reportWindow: window, by: .operation)
      return rows.map { row in
        var failure = row.row.failure
        let rate = rates.rate(
          ofFailure: row.row.id, failure.model, in: row.operation, digests: failure.digests)
        failure.rate = rate?.share
        return DigestStore.OperationFailure(
          failure: failure, operation: row.operation.text.isEmpty ? nil : row.operation.text,
          releases: row.releases.sortedByAge, decodes: rate.map { Int(clamping: $0.decodes) })
      }
    }
  }
}

/// A failure of one operation, with some of the releases that have it.
private struct OperationRow {
  let row: FailureRow
  let operation: BinaryString
  var releases: [String]

  init(_ row: any Row) {
    self.row = FailureRow(row)
    operation = BinaryString(row.text(at: FailureRow.columnCount) ?? "")
    releases = [row.text(at: FailureRow.columnCount + 1) ?? ""].filter { !$0.isEmpty }
  }
}

extension Engine {
  /// Reads failures by operation and release: all releases of a failure and operation one after the
  /// other.
  fileprivate func forEachOperationRow(
    _ filter: DigestFilter, in window: TimeWindow, _ body: (OperationRow) throws -> Bool
  ) throws {
    let counts = try temporaryTable(
      """
      SELECT c.failure AS failure, x.operation AS operation, x.release AS release,
        sum(c.occurrences) AS occurrences, sum(c.digests) AS digests,
        min(c.first_seen) AS first_seen, max(c.last_seen) AS last_seen, sum(c.counted) AS counted
      FROM (\(countsWithTimes(filter, in: window, splitsContexts: true))) AS c
      CROSS JOIN context AS x ON x.id = c.context GROUP BY 1, 2, 3
      """, filter.values(), key: "failure, operation")
    let sql = """
      SELECT \(StoredFailure.columns), m.name, s.occurrences, s.digests, s.first_seen, s.last_seen,
        '', s.failure, s.operation, c.release
      FROM (
        SELECT failure, operation, sum(occurrences) AS occurrences, sum(digests) AS digests,
          min(first_seen) AS first_seen, max(last_seen) AS last_seen
        FROM \(counts) AS counts GROUP BY 1, 2 HAVING sum(counted) > 0
      ) AS s
      CROSS JOIN failure AS f ON f.id = s.failure CROSS JOIN model AS m ON m.id = f.model
      CROSS JOIN \(counts) AS c
        ON c.failure = s.failure AND c.operation = s.operation AND c.counted > 0
      WHERE \(filter.errorCondition())
      ORDER BY s.occurrences DESC, m.name, \(StoredFailure.order), s.operation, c.release
      """
    try forEachRow(sql, filter.values()) { try body(OperationRow($0)) }
  }
}
