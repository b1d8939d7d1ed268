import DigestStore

extension Push {
  /// Runs a transaction that enters something of the store, alone among those that do.
  ///
  /// - Throws: ``Interference`` when another push has entered something since this one has looked.
  @discardableResult
  func entering<Value>(_ body: () throws -> Value) throws -> Value {
    let revision = self.revision
    let value = try connection.repeating {
      try connection.transaction {
        let row = try connection.run(
          """
          UPDATE digests.source SET revision = revision + 1, last_pushed_at = now()
          WHERE id = $1 AND revision = $2 RETURNING id
          """, [.integer(source.id), .integer(revision)]
        ).first
        guard row != nil else { throw Interference.otherPush }
        return try body()
      }
    }
    self.revision += 1
    return value
  }

  /// Writes by what the store is known again, once all that it has counted is there.
  func finish() throws {
    try entering {
      try connection.run(
        """
        UPDATE digests.source SET name = $2, last_digest = $3, last_recorded_at = $4,
          last_moment = greatest(last_moment, $5::bigint)
        WHERE id = $1
        """,
        [
          .integer(source.id), .text(FleetText.encode(name)), .integer(tallies.lastDigest),
          .integer(tallies.lastRecordedAt), .integer(tallies.lastMoment),
        ])
      // Of one that was evicted before the push nobody could tell whether it is the same.
      guard tallies.lastDigest > source.lastDigest, tallies.lastRecordedAt > 0 else { return }
      try connection.run(
        "INSERT INTO digests.push VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        [
          .integer(source.id), .integer(tallies.lastDigest), .integer(tallies.lastRecordedAt),
        ])
    }
  }
}
