#if PostgreSQL
  import DigestStore

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  extension Push {
    /// Enters what the store could not keep.
    ///
    /// A day that it has dropped since it was last sent it begins to count anew, should one of its
    /// digests still come.
    func enterLosses() throws {
      let losses = tallies.losses
      try entering {
        try connection.run(
          """
          DELETE FROM digests.pack AS p
          USING unnest($2::bigint[], $3::bigint[]) AS n (hour, occurrences)
          WHERE p.source_id = $1::bigint AND p.span = 24 AND p.start = n.hour
            AND n.occurrences > coalesce((
              SELECT l.occurrences FROM digests.loss AS l
              WHERE l.source_id = $1::bigint AND l.reason = '\(Loss.undated)' AND l.hour = n.hour), 0)
          """,
          [.integer(source.id)] + Self.columns(losses.filter { $0.reason == Loss.undated }))
        try connection.run(
          """
          INSERT INTO digests.loss AS l (source_id, reason, hour, digests, occurrences, note)
          SELECT $1::bigint, n.reason, n.hour, n.digests, n.occurrences, n.note
          FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[])
            AS n (reason, hour, digests, occurrences, note)
          ORDER BY n.reason, n.hour
          ON CONFLICT (source_id, reason, hour) DO UPDATE SET
            digests = excluded.digests, occurrences = excluded.occurrences, note = excluded.note
          WHERE (l.digests, l.occurrences) IS DISTINCT FROM (excluded.digests, excluded.occurrences)
          """,
          [
            .integer(source.id), .texts(losses.lazy.map { FleetText.encode($0.reason) }),
            Self.columns(losses)[0], .integers(losses.lazy.map { Int64($0.digests) }),
            Self.columns(losses)[1],
            .texts(losses.lazy.map { $0.note.map(FleetText.encode) }),
          ])
      }
    }

    /// The hours, and how many errors.
    private static func columns(_ losses: [Loss]) -> [PostgreSQLValue] {
      [
        .integers(losses.lazy.map { Int64($0.hour.timeIntervalSince1970) / 3_600 }),
        .integers(losses.lazy.map { Int64($0.occurrences) }),
      ]
    }
  }
#endif
