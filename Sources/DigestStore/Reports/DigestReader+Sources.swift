package import ResilientPlatform

extension DigestStore {
  /// A store whose digests are counted in this one: this store itself, or one that was merged or
  /// imported.
  package struct Source: Sendable, Hashable {
    /// 32 hexadecimal digits; `import` for digests whose ids have another form.
    package let identity: String

    /// Whether all its digests are counted here, and not only those that were imported.
    package let isWhole: Bool

    /// The number of errors.
    package let occurrences: Int

    /// The number of digests.
    package let digests: Int

    /// The number of decodes, with and without errors.
    package let decodes: Int

    /// When the last error was recorded; nil without errors.
    package let lastSeen: Date?
  }
}

extension DigestReader {
  /// Lists the stores whose digests are counted here, that whose last error is longest ago first.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  package func sources() throws -> [DigestStore.Source] {
    try snapshot { connection in
      let window = TimeWindow(since: nil, until: nil)
      let totals = try Totals(connection, DigestFilter(), splitsContexts: true)
      let decodes = try DecodeRows(connection, DigestFilter(), in: window, by: [.context]).sql()
      return try connection.rows(
        """
        WITH errors AS (
          SELECT c.source AS source, sum(t.occurrences) AS occurrences, max(t.last_seen) AS last_seen
          FROM (\(totals.sql())) AS t
          CROSS JOIN context AS c ON c.id = t.context CROSS JOIN failure AS f ON f.id = t.failure
          WHERE \(ErrorKinds.condition("f.kind")) GROUP BY 1
        ),
        decoded AS (
          SELECT c.source AS source, sum(d.digests) AS digests, sum(d.decodes) AS decodes
          FROM (\(decodes)) AS d CROSS JOIN context AS c ON c.id = d.context GROUP BY 1
        )
        SELECT s.identity, CASE WHEN s.id = 1 OR s.counted > 0 THEN 1 ELSE 0 END,
          coalesce(e.occurrences, 0), coalesce(d.digests, 0), coalesce(d.decodes, 0), e.last_seen
        FROM source AS s LEFT JOIN errors AS e ON e.source = s.id
        LEFT JOIN decoded AS d ON d.source = s.id
        -- A fleet records nothing itself.
        WHERE s.id <> 1 OR d.decodes > 0
        ORDER BY e.last_seen NULLS FIRST, s.identity
        """
      ) { row in
        DigestStore.Source(
          identity: row.text(at: 0) ?? "", isWhole: row.integer(at: 1) == 1,
          occurrences: Int(clamping: row.count(at: 2)), digests: Int(clamping: row.count(at: 3)),
          decodes: Int(clamping: row.count(at: 4)),
          lastSeen: row.optionalInteger(at: 5).map { Moment(milliseconds: $0).date })
      }
    }
  }
}
