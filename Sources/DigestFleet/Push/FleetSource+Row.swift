import DigestStore

/// What a fleet knows of one store.
struct Source {
  let id: Int64
  let name: String
  let revision: Int64
  let lastDigest: Int64
  let lastRecordedAt: Int64

  /// The number of the last digest that was sent itself, or was gone before; 0 where none was.
  let digestsThrough: Int64

  /// The row of a store, which is made where there is none.
  ///
  /// - Throws: ``FleetError`` where another role has pushed the store: its row is not visible; and
  ///   where its name would be changed, or is another store's, unless it may take it.
  static func find(
    of store: DigestStore, _ name: SourceName, on connection: PostgreSQLConnection
  ) throws -> Source {
    let identity = try store.identity()
    let find = """
      SELECT id, name, revision, last_digest, last_recorded_at, digests_through
      FROM digests.source WHERE identity = $1 AND role = current_user
      """
    if let row = try connection.run(find, [.text(identity)]).first {
      return try Source(row).named(name, on: connection)
    }
    let newName = name.given ?? name.fallback
    // A store that was begun in the place of a damaged one has its name, with no one there to say so.
    let isSuccessor = try store.losses().contains { $0.reason == Loss.quarantined }
    try connection.transaction {
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
    return try Source(row).named(name, on: connection)
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

/// The name by which a push lists its store.
struct SourceName {
  /// The one that was given; nil for the one that the fleet has.
  let given: String?

  /// The one of a store that the fleet does not know, where none was given.
  let fallback: String

  /// Whether the store gets it even if that renames it, or if another store has the name.
  let isTaken: Bool
}

extension Source {
  /// - Throws: ``FleetError`` where that would rename it, unless it may take the name.
  private func named(
    _ name: SourceName, on connection: PostgreSQLConnection
  ) throws -> Source {
    guard let given = name.given, given != self.name, !name.isTaken else { return self }
    throw FleetError(
      .nameConflict,
      "\(connection.name) knows this store as \(self.name): leave --name out, or add --take-name to "
        + "rename it; a copy of its file is no store of its own")
  }

  /// Checks that no other store of the same role has a name. Those of other roles are not visible.
  ///
  /// Until the transaction ends, other first pushes wait that would take the name.
  ///
  /// - Throws: ``FleetError`` where one has it.
  private static func checkIsFree(
    _ name: String, for identity: String, on connection: PostgreSQLConnection
  ) throws {
    // A statement of its own: the next one sees what was entered while this one waited.
    try connection.run(
      "SELECT pg_advisory_xact_lock(hashtextextended(current_user || ' ' || $1, 0))",
      [.text(FleetText.encode(name))])
    let row = try connection.run(
      """
      SELECT identity, to_char(last_pushed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"')
      FROM digests.source WHERE name = $1 AND identity <> $2 AND role = current_user
      ORDER BY last_pushed_at DESC LIMIT 1
      """, [.text(FleetText.encode(name)), .text(identity)]
    ).first
    guard let row else { return }
    throw FleetError(
      .nameConflict,
      "\(connection.name) has another store of the name \(name) (identity \(row.text(0) ?? ""), pushed "
        + "\(row.text(1) ?? "")): give this one another with --name, or add --take-name if it takes "
        + "that one's place")
  }
}
