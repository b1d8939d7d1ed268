package import ResilientPlatform

extension DigestStore {
  /// A store whose digests are counted in this one: this store itself, or one that was pushed.
  package struct Source: Sendable, Hashable {
    /// The name that its last push gave it, such as its host's; nil without one.
    package let name: String?

    /// 32 hexadecimal digits.
    package let identity: String

    /// Whether all its digests are counted here: its last push has ended.
    package let isWhole: Bool

    /// The number of errors.
    package let occurrences: Int

    /// The number of digests.
    package let digests: Int

    /// The number of decodes, with and without errors.
    package let decodes: Int

    /// When it was pushed last, even if the push brought nothing new; nil if it never was.
    package let pushedAt: Date?

    /// When the last error was recorded; nil without errors.
    package let lastSeen: Date?
  }
}

extension DigestReader {
  /// Returns the identities of the stores whose last push has not ended, sorted. Their
  /// counts are partly missing until it is repeated.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  package func interruptedPushes() throws -> [String] {
    try snapshot { engine in
      let ids = try engine.interruptedSources()
      guard !ids.isEmpty else { return [] }
      let list = ids.map(String.init).joined(separator: ", ")
      return try engine.rows(
        "SELECT identity FROM source WHERE id IN (\(list)) ORDER BY identity"
      ) { $0.text(at: 0) ?? "" }
    }
  }

  /// Lists the stores whose digests are counted here, and those that were pushed without any. The
  /// store whose last push is longest ago comes first.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  package func sources() throws -> [DigestStore.Source] {
    try snapshot { connection in
      let window = TimeWindow(since: nil, until: nil)
      let totals = try TotalRows(connection, DigestFilter(), splitsContexts: true)
      let decodes = try Counts(
        connection, of: .decodes, DigestFilter(), in: window, by: [.context]
      ).sql
      // No source has the id 0, and a list can't be empty.
      let interrupted = try ([0] + connection.interruptedSources()).map(String.init)
        .joined(separator: ", ")
      return try connection.rows(
        """
        SELECT s.identity,
          CASE WHEN s.id NOT IN (\(interrupted)) THEN 1 ELSE 0 END,
          c.occurrences, c.digests, c.decodes, c.last_seen, nullif(s.name, ''),
          nullif(s.pushed_at, 0)
        FROM (
          SELECT source, sum(occurrences) AS occurrences, sum(digests) AS digests,
            sum(decodes) AS decodes, max(last_seen) AS last_seen
          FROM (
            SELECT x.source, t.occurrences, 0 AS digests, 0 AS decodes, t.last_seen
            FROM (\(totals.sql())) AS t
            CROSS JOIN context AS x ON x.id = t.context CROSS JOIN failure AS f ON f.id = t.failure
            WHERE \(ErrorKinds.condition("f.kind"))
            UNION ALL
            SELECT x.source, 0, d.digests, d.decodes, NULL
            FROM (\(decodes)) AS d CROSS JOIN context AS x ON x.id = d.context
            UNION ALL
            SELECT id, 0, 0, 0, NULL FROM source
          ) AS r
          GROUP BY 1
        ) AS c
        CROSS JOIN source AS s ON s.id = c.source
        -- A fleet records nothing itself, and of a source that was forgotten only the id is left.
        WHERE c.decodes > 0 OR s.pushed_at > 0 OR s.id IN (\(interrupted))
        ORDER BY nullif(s.pushed_at, 0) NULLS LAST, s.identity
        """
      ) { row in
        DigestStore.Source(
          name: row.text(at: 6), identity: row.text(at: 0) ?? "", isWhole: row.integer(at: 1) == 1,
          occurrences: Int(clamping: row.count(at: 2)), digests: Int(clamping: row.count(at: 3)),
          decodes: Int(clamping: row.count(at: 4)), pushedAt: row.optionalMoment(at: 7)?.date,
          lastSeen: row.optionalMoment(at: 5)?.date)
      }
    }
  }
}
