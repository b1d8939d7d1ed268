import ResilientPlatform

extension ClickHouseFleet {
  func sources(named glob: String?) throws -> [FleetSource] {
    connection.refusesLaggingReplicas = true
    return try connection.mappingErrors {
      _ = try checkedSettings()
      let sources = try sources(
        where: glob.map { ClickHouseConditions.isNamed([$0], "name") } ?? "1")
      if glob != nil, sources.isEmpty { throw FleetError.noSuchSource(in: name) }
      return sources
    }
  }

  private func sources(where condition: String) throws -> [FleetSource] {
    let totals = try totals(where: "1")
    return try connection.rows(
      """
      SELECT name, identity, id, last_moment, pushed_at,
        toInt64(toUnixTimestamp(now())), role
      FROM \(ClickHouseSchema.source.latest(in: database)) AND \(condition)
      ORDER BY pushed_at, name, identity
      """
    ) { row in
      let (name, identity) = (try row.text(), try row.text())
      let totals = totals[try row.integer(UInt64.self)]
      let (lastMoment, pushedAt) = (try row.integer(Int64.self), try row.integer(Int64.self))
      let now = Self.moment(ofServer: try row.integer())
      return FleetSource(
        name: name, identity: identity, occurrences: Int(totals?.occurrences ?? 0),
        digests: Int(totals?.digests ?? 0),
        lastRecordedAt: lastMoment > 0 ? Date(milliseconds: lastMoment) : nil,
        lastPushedAt: Date(milliseconds: pushedAt),
        lag: Double(max(0, now.subtractingReportingOverflow(pushedAt).partialValue)) / 1_000,
        role: try row.text())
    }
  }

  func forget(_ source: String) throws -> ForgottenSource {
    try connection.mappingErrors(.owner) {
      let settings = try checkedSettings()
      let name = source.sqlLiteral
      let found = try sources(where: "(name = \(name) OR identity = \(name))")
      let forgotten = try FleetSource.only(of: found, named: source, in: self.name)
      let id = FleetID(of: [forgotten.identity]).low
      // The packs first, because they mark counts as sent. The store last, so that it can be forgotten
      // again if this is cut off.
      for table in [
        ClickHouseSchema.pack, ClickHouseSchema.counts, ClickHouseSchema.digestPage,
        ClickHouseSchema.loss, ClickHouseSchema.push,
      ] {
        try delete(from: table, "source = \(id)", settings)
      }
      try delete(from: ClickHouseSchema.source, "id = \(id)", settings)
      return ForgottenSource(source: forgotten, remaining: 0)
    }
  }

  /// Returns the stores whose names match, by id.
  func names(ofSources glob: String) throws -> [UInt64: String] {
    let names = try connection.rows(
      "SELECT id, name FROM \(ClickHouseSchema.source.latest(in: database)) AND \(ClickHouseConditions.isNamed([glob], "name"))"
    ) { (try $0.integer(UInt64.self), try $0.text()) }
    guard !names.isEmpty else { throw FleetError.noSuchSource(in: name) }
    return Dictionary(names) { first, _ in first }
  }
}
