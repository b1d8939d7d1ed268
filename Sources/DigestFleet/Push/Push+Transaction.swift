#if PostgreSQL
  import DigestStore

  extension Push {
    /// Runs a transaction that enters something of the store, alone among those that do.
    ///
    /// - Throws: ``Interference`` when another push has entered something since this one has looked.
    func entering<Value>(_ body: () throws -> Value) throws -> Value {
      let revision = self.revision
      let value = try connection.repeating {
        try connection.transaction {
          let row = try connection.run(
            """
            UPDATE digests.source SET revision = revision + 1, last_digest = $3,
              last_recorded_at = $4, name = $5, last_pushed_at = now()
            WHERE id = $1 AND revision = $2 RETURNING id
            """,
            [
              .integer(source.id), .integer(revision), .integer(tallies.lastDigest),
              .integer(tallies.lastRecordedAt), .text(FleetText.encode(name)),
            ]
          ).first
          guard row != nil else { throw Interference.otherPush }
          return try body()
        }
      }
      self.revision += 1
      return value
    }
  }
#endif
