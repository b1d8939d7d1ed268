/// The SQL that counts: the same for folding, for what is not folded yet, and for a recount.
///
/// The view `counts` says it once more, in words that a migration has frozen.
enum CountSQL {
  /// The value of what was found for `failure AS f`: text, or where it is a number the novel value.
  static let foundValue = "iif(typeof(f.found_value) = 'integer', f.novel_value, f.found_value)"

  /// A row for each failure of each digest for which a condition on `digest AS d` holds.
  ///
  /// `shared` says that an earlier failure of the digest has the same novel value.
  static func digestFailures(where condition: String) -> String {
    """
    SELECT digest_id, recorded_at, release_id, failure_id, occurrences,
      value_id IS NOT NULL AND row_number() OVER (
        PARTITION BY digest_id, value_id ORDER BY failure_id) > 1 AS shared
    FROM (
      SELECT h.digest_id, h.recorded_at, h.release_id, h.failure_id, f.value_id,
        sum(h.occurrences) AS occurrences
      FROM (\(hits(where: condition))) AS h
      JOIN failure AS f ON f.id = h.failure_id
      GROUP BY h.digest_id, h.failure_id
    )
    """
  }

  /// A row for each entry and omission of the digests for which the condition holds.
  static func hits(where condition: String) -> String {
    """
    SELECT d.id AS digest_id, d.recorded_at, d.release_id,
      json_extract(e.value, '$[0]') AS failure_id, 1 AS occurrences
    FROM digest AS d, json_each(d.entries) AS e
    WHERE \(condition)
    UNION ALL
    SELECT d.id, d.recorded_at, d.release_id,
      json_extract(o.value, '$[0]'), json_extract(o.value, '$[1]')
    FROM digest AS d, json_each(d.omissions) AS o
    WHERE d.omissions IS NOT NULL AND \(condition)
    """
  }

  /// The rows of the table `tally`, of every span, for the digests for which the condition holds.
  static func tallies(where condition: String) -> String {
    """
    WITH span (hours) AS (VALUES (0), (24), (1)),
      hourly AS MATERIALIZED (
        SELECT recorded_at / \(Moment.hour) AS hour, failure_id, release_id,
          sum(occurrences) AS occurrences, count(*) AS digests, sum(shared) AS shared_digests,
          min(recorded_at) AS first_seen, max(recorded_at) AS last_seen
        FROM (\(digestFailures(where: condition)))
        GROUP BY 1, failure_id, release_id
      )
    SELECT span.hours AS span, iif(span.hours = 0, 0, hour / span.hours * span.hours) AS period,
      failure_id, release_id, sum(occurrences) AS occurrences, sum(digests) AS digests,
      sum(shared_digests) AS shared_digests, min(first_seen) AS first_seen,
      max(last_seen) AS last_seen
    FROM span CROSS JOIN hourly
    WHERE true
    GROUP BY 1, 2, failure_id, release_id
    """
  }
}
