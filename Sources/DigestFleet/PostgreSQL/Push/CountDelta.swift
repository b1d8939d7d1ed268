import DigestStore

/// Additions to counts that are stored as rows, column by column, as parameters of a statement.
struct CountDelta {
  /// The parameters as a table.
  static let rows = """
    unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
        $7::bigint[], $8::bigint[], $9::bigint[])
      AS n (span, start, release_id, id, occurrences, digests, shared_digests, first_seen,
        last_seen)
    """

  private var columns = [[Int64]](repeating: [], count: 9)

  var isEmpty: Bool { columns[0].isEmpty }

  /// The added errors and digests of all time.
  private(set) var totals: (occurrences: Int64, digests: Int64) = (0, 0)

  var values: [PostgreSQLValue] { columns.map { .integers($0) } }

  mutating func add(_ growth: [Count], of key: PackedCounts.Key, release: Int64) {
    for count in growth {
      if key.span == 0 {
        totals.occurrences = totals.occurrences.adding(count: count.occurrences)
        totals.digests = totals.digests.adding(count: count.digests)
      }
      let row = [
        key.span, key.start, release, count.id, count.occurrences, count.digests,
        count.sharedDigests, count.first, count.last,
      ]
      for (index, value) in row.enumerated() { columns[index].append(value) }
    }
  }
}
