#if PostgreSQL
  import DigestStore

  /// What a fleet knows of one store.
  struct Source {
    let id: Int64
    let revision: Int64
    let lastDigest: Int64
    let lastRecordedAt: Int64

    /// When the last of what it has counted was recorded; 0 where that is nothing.
    let lastMoment: Int64

    /// The number of the last digest that was sent itself, or was gone before; 0 where none was.
    let digestsThrough: Int64

    /// The row of a store, which is made where there is none.
    static func find(
      _ identity: String, _ name: String, on connection: PostgreSQLConnection
    ) throws -> Source {
      let find = """
        SELECT id, revision, last_digest, last_recorded_at, digests_through, last_moment
        FROM digests.source WHERE identity = $1
        """
      if let row = try connection.run(find, [.text(identity)]).first { return Source(row) }
      try connection.run(
        """
        INSERT INTO digests.source (identity, name) VALUES ($1, $2) ON CONFLICT (identity) DO NOTHING
        """, [.text(identity), .text(FleetText.encode(name))])
      guard let row = try connection.run(find, [.text(identity)]).first else {
        throw FleetError(.failed, "\(connection.name): a store that was entered is not there")
      }
      return Source(row)
    }

    private init(_ row: PostgreSQLRow) {
      id = row.integer(0)
      revision = row.integer(1)
      lastDigest = row.integer(2)
      lastRecordedAt = row.integer(3)
      digestsThrough = row.integer(4)
      lastMoment = row.integer(5)
    }
  }
#endif
