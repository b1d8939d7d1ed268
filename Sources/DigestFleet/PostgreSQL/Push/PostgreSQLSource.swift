import DigestStore

extension FleetSource {
  /// The state of a store in the fleet, as a push needs it.
  struct Row {
    let id: Int64
    let name: String
    let revision: Int64
    let lastDigest: Int64
    let lastRecordedAt: Int64

    /// The number up to which digests were sent themselves, or evicted before that; 0 if none was.
    let digestsThrough: Int64

    /// Reads the row of a store, or inserts it.
    ///
    /// - Throws: ``FleetError`` if another role owns the store, as its row is not visible; or if the push
    ///   would rename the store or take the name of another one, and may not.
    static func find(
      of store: DigestReader, _ name: SourceName, on connection: PostgreSQLConnection
    ) throws -> Row {
      let identity = try store.identity()
      let find = """
        SELECT id, name, revision, last_digest, last_recorded_at, digests_through
        FROM digests.source WHERE identity = $1 AND role = current_user
        """
      if let row = try connection.run(find, [.text(identity)]).first {
        return try Row(row).named(name, on: connection)
      }
      let newName = name.given ?? name.fallback
      // A store that replaces a damaged one takes its name without being asked to.
      let isSuccessor = try store.losses().contains { $0.reason == .quarantined }
      try connection.transaction {
        // Other first pushes that would take the name wait until this transaction ends. The check
        // is a statement of its own, so that it sees what was inserted while this one waited.
        try connection.run(
          "SELECT pg_advisory_xact_lock(hashtextextended(current_user || ' ' || $1, 0))",
          [.text(FleetText.encode(newName))])
        if !name.isTaken, !isSuccessor { try checkIsFree(newName, for: identity, on: connection) }
        try connection.run(
          """
          INSERT INTO digests.source (identity, name) VALUES ($1, $2) ON CONFLICT (identity) DO NOTHING
          """, [.text(identity), .text(FleetText.encode(newName))])
      }
      guard let row = try connection.run(find, [.text(identity)]).first else {
        let role = try connection.run("SELECT current_user").first?.text(0) ?? ""
        throw FleetError(
          .notPermitted,
          "\(connection.name): another role than \(role) has pushed this store: push it as that one, or "
            + "have the owner of the tables change the role in digests.source, for identity \(identity)"
        )
      }
      return try Row(row).named(name, on: connection)
    }

    private init(_ row: PostgreSQLRow) {
      id = row.integer(0)
      name = FleetText.decode(row.text(1) ?? "")
      revision = row.integer(2)
      lastDigest = row.integer(3)
      lastRecordedAt = row.integer(4)
      digestsThrough = row.integer(5)
    }
  }
}

extension FleetSource.Row {
  /// Checks that the push does not rename the store, or may do so.
  private func named(
    _ name: SourceName, on connection: PostgreSQLConnection
  ) throws -> Self {
    try name.check(against: self.name, in: connection.name)
    return self
  }

  /// Checks that no other store of the same role has a name. Stores of other roles are not visible.
  private static func checkIsFree(
    _ name: String, for identity: String, on connection: PostgreSQLConnection
  ) throws {
    let row = try connection.run(
      """
      SELECT identity, to_char(last_pushed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"')
      FROM digests.source WHERE name = $1 AND identity <> $2 AND role = current_user
      ORDER BY last_pushed_at DESC LIMIT 1
      """, [.text(FleetText.encode(name)), .text(identity)]
    ).first
    guard let row else { return }
    throw SourceName.conflict(
      over: name, with: row.text(0) ?? "", pushedAt: row.text(1) ?? "", in: connection.name)
  }
}
