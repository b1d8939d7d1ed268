/// The public views, for people and other programs.
enum FleetViews {
  static let sql = """
    -- As in a store's file, except that NUL is written as U+10FFFE and 0, and U+10FFFE twice.
    CREATE VIEW digests.failures AS
    SELECT f.id, m.name AS model, f.coding_path, f.kind, f.expected_type, f.novel_value,
      f.value_type, t.occurrences, t.digests, to_timestamp(t.first_seen / 1000.0) AS first_seen,
      to_timestamp(t.last_seen / 1000.0) AS last_seen, f.found_type, f.found_value
    FROM (SELECT failure_id, \(sum("occurrences")) AS occurrences, \(sum("digests")) AS digests,
        min(first_seen) AS first_seen, max(last_seen) AS last_seen
      FROM digests.failure_tally GROUP BY failure_id) AS t
    JOIN digests.failure AS f ON f.id = t.failure_id
    JOIN digests.model AS m ON m.id = f.model_id;

    CREATE VIEW digests.novel_values AS
    SELECT m.name AS model, f.coding_path, f.novel_value, f.value_type,
      \(sum("t.occurrences")) AS occurrences,
      \(sum("t.digests - t.shared_digests")) AS digests,
      to_timestamp(min(t.first_seen) / 1000.0) AS first_seen,
      to_timestamp(max(t.last_seen) / 1000.0) AS last_seen
    FROM digests.failure_tally AS t
    JOIN digests.failure AS f ON f.id = t.failure_id
    JOIN digests.model AS m ON m.id = f.model_id
    WHERE f.value_identity IS NOT NULL
    GROUP BY f.value_identity, m.name, f.coding_path, f.novel_value, f.value_type;

    -- The errors of each model by hour, for charts, as far as hours have not been pruned.
    CREATE VIEW digests.hours AS
    SELECT to_timestamp(t.start * 3600) AS hour, m.name AS model, r.name AS release,
      \(sum("t.occurrences")) AS occurrences, \(sum("t.digests")) AS digests
    FROM digests.model_tally AS t
    JOIN digests.model AS m ON m.id = t.model_id
    JOIN digests.release AS r ON r.id = t.release_id
    WHERE t.span = 1 AND t.start >= (SELECT first_hour FROM digests.fleet)
    GROUP BY t.start, t.model_id, m.name, t.release_id, r.name;

    -- The decodes of each model, with and without errors, by hour.
    CREATE VIEW digests.decodes AS
    SELECT m.name AS model, r.name AS release, to_timestamp(t.start * 3600) AS hour,
      \(sum("t.decodes")) AS decodes
    FROM (
        SELECT start, model_id, release_id, decodes FROM digests.decode_tally WHERE span = 1
        UNION ALL
        SELECT start, model_id, release_id, digests FROM digests.model_tally WHERE span = 1
      ) AS t
    JOIN digests.model AS m ON m.id = t.model_id
    JOIN digests.release AS r ON r.id = t.release_id
    WHERE t.start >= (SELECT first_hour FROM digests.fleet)
    GROUP BY t.start, t.model_id, m.name, t.release_id, r.name;

    CREATE VIEW digests.sources AS
    SELECT identity, name, occurrences::bigint, digests::bigint,
      CASE WHEN last_moment > 0 THEN to_timestamp(last_moment / 1000.0) END
        AS last_recorded_at,
      first_pushed_at, last_pushed_at, role
    FROM digests.source;
    """

  /// A sum of counts that fits a bigint; 0 for no rows.
  static func sum(_ counts: String) -> String {
    "least(coalesce(sum(\(counts)), 0), \(FleetSchema.maximumCount))::bigint"
  }
}
