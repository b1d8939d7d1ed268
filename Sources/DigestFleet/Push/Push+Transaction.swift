#if PostgreSQL
  import DigestStore

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  extension Push {
    /// How often a transaction is run again that got in another one's way.
    private static let attempts = 20

    /// Runs a transaction that enters something of the store, alone among those that do.
    ///
    /// - Throws: ``Interference`` when another push has entered something since this one has looked.
    func entering<Value>(_ body: () throws -> Value) throws -> Value {
      let revision = self.revision
      let value = try repeating {
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

    /// Runs what the server may refuse because of what others do at the same time, and again then.
    @discardableResult
    func repeating<Value>(_ body: () throws -> Value) throws -> Value {
      var attempt = 0
      while true {
        do {
          return try body()
        } catch let error as PostgreSQLError where error.isTransient && attempt < Self.attempts {
          attempt += 1
          // Those that got in each other's way do not come back at the same moment.
          usleep(UInt32.random(in: 0..<20_000 * UInt32(attempt)))
        }
      }
    }
  }
#endif
