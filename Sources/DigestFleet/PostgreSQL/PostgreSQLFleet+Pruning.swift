import DigestStore
import ResilientPlatform

extension PostgreSQLFleet {
  /// Also adds up what the stores have sent. Reports then read the sums instead of each store.
  ///
  /// Pushes go on meanwhile, and bring nothing back. The server reuses the space (PostgreSQL manual,
  /// "25.1.2. Recovering Disk Space").
  func prune(before moment: Date) throws -> PruningSummary {
    let milliseconds = max(0, moment.milliseconds)
    let day = milliseconds / 86_400_000 * 24
    return try connection.mappingErrors(needing: nil) {
      try checkOwner()
      try checkVersion()
      var summary = try connection.repeating {
        try connection.transaction { try delete(before: milliseconds, day) }
      }
      summary.unreadable = try addUp()
      return summary
    }
  }

  private func delete(before milliseconds: Int64, _ day: Int64) throws -> PruningSummary {
    let row = try connection.run(
      """
      UPDATE digests.fleet SET first_hour = greatest(first_hour, $1::bigint)
      RETURNING first_hour
      """, [.integer(day)]
    ).first
    let firstHour = row?.integer(0) ?? day
    let digests = try connection.run(
      """
      WITH gone AS (
        DELETE FROM digests.digest_page WHERE last_recorded_at < $1 RETURNING digests
      )
      SELECT \(FleetViews.sum("digests")) FROM gone
      """, [.integer(milliseconds)]
    ).first?.integer(0)
    try connection.run(
      // The newest mark of each store stays: a restored copy is compared with it.
      """
      DELETE FROM digests.push AS p WHERE last_recorded_at < $1 AND last_digest < (
        SELECT max(last_digest) FROM digests.push AS q WHERE q.source_id = p.source_id)
      """, [.integer(milliseconds)])
    for table in ["growth", "model_tally", "decode_tally", "pack"] {
      // Rows that a role keeps locked stay until the next time: it must not keep the owner waiting.
      try connection.run(
        """
        DELETE FROM digests.\(table) WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM digests.\(table) WHERE span = 1 AND start < $1
          FOR UPDATE SKIP LOCKED))
        """, [.integer(firstHour)])
    }
    return PruningSummary(
      digests: Int(digests ?? 0), hoursBefore: Date(milliseconds: firstHour &* 3_600_000))
  }
}
