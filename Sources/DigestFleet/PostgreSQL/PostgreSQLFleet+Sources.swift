import ResilientPlatform

extension PostgreSQLFleet {
  func sources(named glob: String?) throws -> [FleetSource] {
    try connection.mappingErrors {
      try checkVersion()
      let ids = try glob.map { PostgreSQLValue.integers(try self.ids(ofSources: $0)) }
      return try sources("$1::bigint[] IS NULL OR id = ANY ($1)", [ids ?? .text(nil)])
    }
  }

  func sources(_ condition: String, _ values: [PostgreSQLValue]) throws -> [FleetSource] {
    try connection.run(
      """
      SELECT name, identity, occurrences, digests, last_moment,
        floor(extract(epoch FROM last_pushed_at) * 1000)::bigint,
        floor(extract(epoch FROM now() - last_pushed_at) * 1000)::bigint, role::text
      FROM digests.source
      WHERE \(condition)
      ORDER BY last_pushed_at, name COLLATE "C", identity
      """, values
    ).map { row in
      FleetSource(
        name: FleetText.decode(row.text(0) ?? ""),
        identity: row.text(1) ?? "",
        occurrences: Int(row.integer(2)),
        digests: Int(row.integer(3)),
        lastRecordedAt: row.integer(4) > 0 ? Date(milliseconds: row.integer(4)) : nil,
        lastPushedAt: Date(milliseconds: row.integer(5)),
        lag: Double(row.integer(6)) / 1_000,
        role: row.text(7) ?? ""
      )
    }
  }
}
