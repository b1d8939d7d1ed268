extension DigestStore {
  /// A failure of one operation, and its counts.
  public struct OperationFailure: Sendable, Hashable, Codable {
    /// The failure, with the counts and times of this operation. It has no
    /// ``DigestStore/FailureCount/firstRelease``.
    public let failure: FailureCount
    /// The operation, such as `GET /listings`; nil for digests without one.
    public let operation: String?
    /// The releases with these errors, oldest first. Digests without a release have none.
    public let releases: [String]

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
      var rows: [OperationRow] = []
      try connection.forEachOperationRow(filter) { row in
        let last = rows.count - 1
        if last >= 0, rows[last].id == row.id, rows[last].operation == row.operation {
          rows[last].releases += row.releases
        } else if rows.count < limit ?? .max {
          rows.append(row)
        } else {
          return false
        }
        return true
      }
      return rows.map(DigestStore.OperationFailure.init)
    }
  }
}

/// A failure of one operation, with some of the releases that have it.
private struct OperationRow {
  let id: Int64
  let operation: BinaryString
  let failure: FailureRow
  var releases: [String]

  init(_ row: any Row) {
    let names = StoredFailure.columnCount
    id = row.integer(at: names + 6)
    operation = BinaryString(row.text(at: names + 1) ?? "")
    failure = FailureRow(
      id: id, model: row.text(at: names) ?? "", failure: StoredFailure(row),
      occurrences: row.count(at: names + 2), digests: row.count(at: names + 3),
      firstSeen: row.moment(at: names + 4), lastSeen: row.moment(at: names + 5), firstRelease: nil)
    releases = [row.text(at: names + 7) ?? ""].filter { !$0.isEmpty }
  }
}

extension DigestStore.OperationFailure {
  fileprivate init(_ row: OperationRow) {
    self.init(
      failure: DigestStore.FailureCount(row.failure),
      operation: row.operation.text.isEmpty ? nil : row.operation.text,
      releases: row.releases.sortedByAge)
  }
}

extension Engine {
  /// Reads failures by operation and release: all releases of a failure and operation one after the
  /// other.
  fileprivate func forEachOperationRow(
    _ filter: DigestFilter, _ body: (OperationRow) throws -> Bool
  ) throws {
    let window = try widened(filter.window)
    let totals = try TotalRows(self, filter, splitsContexts: true)
    func ofAllTime(where failures: String) -> String {
      """
      SELECT t.failure AS failure, x.operation AS operation, x.release AS release,
        sum(t.occurrences) AS occurrences, sum(t.digests) AS digests,
        min(t.first_seen) AS first_seen, max(t.last_seen) AS last_seen
      FROM (\(totals.sql(where: failures))) AS t
      CROSS JOIN context AS x ON x.id = t.context GROUP BY 1, 2, 3
      """
    }
    let isOfAllTime = window.since == nil && window.until == nil
    let counted =
      try isOfAllTime
      ? ofAllTime(where: "true")
      : """
      SELECT c.failure AS failure, x.operation AS operation, x.release AS release,
        sum(c.occurrences) AS occurrences, sum(c.digests) AS digests
      FROM (\(Counts(self, filter, in: window, by: [.context]).sql)) AS c
      CROSS JOIN context AS x ON x.id = c.context GROUP BY 1, 2, 3
      """
    let counts = try temporaryTable(counted, filter.values(), key: "failure, operation")
    // The counts of all time have times.
    let sums =
      isOfAllTime
      ? """
      SELECT failure, operation, sum(occurrences) AS occurrences, sum(digests) AS digests,
        min(first_seen) AS first_seen, max(last_seen) AS last_seen
      FROM \(counts) AS counts GROUP BY 1, 2
      """
      : """
      SELECT failure, operation, sum(occurrences) AS occurrences, sum(digests) AS digests,
        min(first_seen) AS first_seen, max(last_seen) AS last_seen
      FROM (
        SELECT failure, operation, occurrences, digests, 1 AS counted, NULL AS first_seen,
          NULL AS last_seen
        FROM \(counts) AS counts
        UNION ALL
        SELECT failure, operation, 0, 0, 0, first_seen, last_seen
        FROM (\(ofAllTime(where: "failure IN (SELECT failure FROM \(counts))"))) AS a
      ) AS c
      GROUP BY 1, 2 HAVING sum(counted) > 0
      """
    let sql = """
      SELECT \(StoredFailure.columns), m.name, s.operation, s.occurrences, s.digests, s.first_seen,
        s.last_seen, s.failure, c.release
      FROM (\(sums)) AS s
      CROSS JOIN failure AS f ON f.id = s.failure CROSS JOIN model AS m ON m.id = f.model
      CROSS JOIN \(counts) AS c ON c.failure = s.failure AND c.operation = s.operation
      WHERE \(filter.errorCondition())
      ORDER BY s.occurrences DESC, m.name, \(StoredFailure.order), s.operation, c.release
      """
    try forEachRow(sql, filter.values()) { try body(OperationRow($0)) }
  }
}
