import DigestStore

extension PostgreSQLPush {
  /// Runs a transaction that adds something of the store, and raises the store's revision.
  ///
  /// - Throws: ``ConcurrentPush`` if another push has raised it since this one read it.
  @discardableResult
  func withRevision<Value>(_ body: () throws -> Value) throws -> Value {
    let revision = self.revision
    let value = try connection.repeating {
      try connection.transaction {
        let row = try connection.run(
          """
          UPDATE digests.source SET revision = revision + 1, last_pushed_at = now()
          WHERE id = $1 AND revision = $2 RETURNING id
          """, [.integer(source.id), .integer(revision)]
        ).first
        guard row != nil else { throw ConcurrentPush() }
        return try body()
      }
    }
    self.revision += 1
    return value
  }

  /// Stores how the next push recognizes the file, once all counts have arrived.
  func finish() throws {
    try withRevision {
      try connection.run(
        """
        UPDATE digests.source SET name = $2, last_digest = $3, last_recorded_at = $4,
          last_moment = greatest(last_moment, $5::bigint)
        WHERE id = $1
        """,
        [
          .integer(source.id), .text(FleetText.encode(name)), .integer(counts.lastDigest),
          .integer(counts.lastRecordedAt), .integer(counts.lastMoment),
        ])
      // A digest that was evicted before the push has no time to recognize it by.
      guard counts.lastDigest > source.lastDigest, counts.lastRecordedAt > 0 else { return }
      try connection.run(
        "INSERT INTO digests.push VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        [
          .integer(source.id), .integer(counts.lastDigest), .integer(counts.lastRecordedAt),
        ])
    }
  }
}
