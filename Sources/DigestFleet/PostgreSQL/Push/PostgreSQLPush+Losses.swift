import DigestStore
import ResilientPlatform

extension PostgreSQLPush {
  /// Writes the store's losses, and the remaining counts of days for which it has dropped some.
  ///
  /// The sums keep the dropped counts. A dropped day that gets another digest is counted anew.
  func enterLosses(_ dropped: [PackedCounts]) throws {
    let losses = counts.losses
    let days = Set(undated.map(\.startingHour))
    let gone = marked.filter {
      $0.span == 24 && days.contains($0.start) && !counts.days.contains($0)
    }
    try readReleases(Array(Set(gone.compactMap(\.release)).map(\.text))[...])
    try withRevision {
      try remove(gone.map { PackedCounts(key: $0, bytes: []) })
      let earlier = try earlierPacks(dropped)
      _ = try enter(
        dropped,
        growth: dropped.map { pack in
          (
            pack.key,
            try reading { try pack.growth(sinceLossOf: earlier[pack.key] ?? []) }
          )
        })
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
          .integer(source.id), .texts(losses.lazy.map { FleetText.encode($0.reason.rawValue) }),
          Self.columns(losses)[0], .integers(losses.lazy.map { Int64($0.digests) }),
          Self.columns(losses)[1],
          .texts(losses.lazy.map { $0.note.map(FleetText.encode) }),
        ])
    }
  }

  /// The hours, and the numbers of errors.
  private static func columns(_ losses: [DigestStore.Loss]) -> [PostgreSQLValue] {
    [
      .integers(losses.lazy.map(\.startingHour)),
      .integers(losses.lazy.map { Int64($0.occurrences) }),
    ]
  }
}
