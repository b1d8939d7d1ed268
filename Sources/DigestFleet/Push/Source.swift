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
    ///
    /// - Throws: ``FleetError`` where another role has pushed the store: its row is not visible.
    static func find(
      _ identity: String, _ name: String, on connection: PostgreSQLConnection
    ) throws -> Source {
      let find = """
        SELECT id, revision, last_digest, last_recorded_at, digests_through, last_moment
        FROM digests.source WHERE identity = $1 AND role = current_user
        """
      if let row = try connection.run(find, [.text(identity)]).first { return Source(row) }
      try connection.run(
        """
        INSERT INTO digests.source (identity, name) VALUES ($1, $2) ON CONFLICT (identity) DO NOTHING
        """, [.text(identity), .text(FleetText.encode(name))])
      guard let row = try connection.run(find, [.text(identity)]).first else {
        let role = try connection.run("SELECT current_user").first?.text(0) ?? ""
        throw FleetError(
          .notPermitted,
          "\(connection.name): another role than \(role) has pushed this store: push it as that one, or "
            + "have the owner of the tables change the role in digests.source, for identity \(identity)"
        )
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
