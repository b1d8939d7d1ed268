import ResilientPlatform

/// A fleet in a ClickHouse database, of one server or a cluster.
final class ClickHouseFleet: Fleet {
  let connection: ClickHouseConnection

  var name: String { connection.name }

  /// The database, to name a table of it.
  var database: String { connection.database }

  /// - Throws: ``FleetError`` for a URL that cannot be used, or if this build has no ClickHouse.
  init(_ url: String) throws { connection = try ClickHouseConnection(url) }

  func initialize(_ options: FleetOptions) throws -> Bool {
    guard options.writer == nil, options.reader == nil else {
      throw FleetError(
        .unsuitable,
        "\(name): omit --writer and --reader, and give the users their rights in ClickHouse: SELECT "
          + "on the database to query, and INSERT to push")
    }
    guard !options.isReplicated || options.cluster != nil else {
      throw FleetError(.unsuitable, "\(name): --replicated needs --cluster NAME")
    }
    return try connection.mappingErrors(.owner) {
      if let known = try settings() { return try check(known, options) }
      try checkCluster(options)
      try checkTables()
      try make(options)
      return true
    }
  }

  /// - Returns: false, as the tables are there already.
  private func check(_ known: Settings, _ options: FleetOptions) throws -> Bool {
    try checkVersion(of: known)
    guard options.cluster == nil || options.cluster == known.cluster,
      !options.isReplicated || known.isReplicated
    else {
      let made =
        known.cluster.map { "the cluster \($0)\(known.isReplicated ? ", replicated" : "")" }
        ?? "one server"
      throw FleetError(
        .unsuitable,
        "\(name) has tables that were made for \(made); use another database")
    }
    return false
  }

  /// Checks that every server of a shard gets all of its rows.
  private func checkCluster(_ options: FleetOptions) throws {
    guard let cluster = options.cluster else { return }
    let replicas =
      try connection.rows(
        "SELECT toUInt64(max(replica_num)) FROM system.clusters WHERE cluster = \(cluster.sqlLiteral)"
      ) { try $0.integer(UInt64.self) }.first ?? 0
    guard replicas > 0 else {
      throw FleetError(
        .missing,
        "\(name) has no cluster \(cluster); SELECT * FROM system.clusters lists those that it has")
    }
    guard replicas == 1 || options.isReplicated else {
      throw FleetError(
        .unsuitable,
        "\(name): the shards of the cluster \(cluster) have several servers: add --replicated")
    }
  }

  /// Checks that tables of the fleet's names, if there are any, are those of an `init` that was cut off.
  private func checkTables() throws {
    let found = Dictionary(
      try connection.rows(
        """
        SELECT table, arrayStringConcat(groupArray(concat(name, ' ', type)), ', ') FROM (
          SELECT table, name, type FROM system.columns WHERE database = \(database.sqlLiteral))
        GROUP BY table
        """
      ) { (try $0.text(), try $0.text()) }, uniquingKeysWith: { first, _ in first })
    for table in ClickHouseSchema.tables {
      let expected = table.columns.map { "\($0.name) \($0.type)" }.joined(separator: ", ")
      for name in [table.name, "\(table.name)_local"] {
        guard let columns = found[name] else { continue }
        guard columns == expected, found["fleet"] ?? found["fleet_local"] != nil else {
          throw FleetError(
            .unsuitable,
            "\(self.name) has a table \(name) that is no fleet's; use another database")
        }
      }
    }
  }

  private func make(_ options: FleetOptions) throws {
    let onCluster = options.cluster.map { " ON CLUSTER \($0.sqlLiteral)" } ?? ""
    try connection.execute("CREATE DATABASE IF NOT EXISTS \(database)\(onCluster)")
    for table in ClickHouseSchema.tables {
      let statements = table.statements(
        in: database, cluster: options.cluster, isReplicated: options.isReplicated)
      for statement in statements { try connection.execute(statement) }
    }
    try write(
      Settings(
        schema: ClickHouseSchema.version, cluster: options.cluster,
        isReplicated: options.isReplicated, firstHour: 0, version: 1))
  }
}

extension ClickHouseFleet {
  /// The row of the table `fleet`.
  struct Settings {
    var schema: Int
    var cluster: String?
    var isReplicated: Bool

    /// Before this hour, only counts by day are kept.
    var firstHour: Int64
    var version: UInt64

    /// The time, in milliseconds since 1970: see ``ClickHouseFleet/moment(ofServer:)``.
    var now: Int64 = 0

    /// The settings of the user that let the server answer in part, or before it has stored rows.
    var partialAnswers = ""
  }

  /// The time in milliseconds since 1970, by the server's clock, which counts seconds. Where this machine's
  /// clock agrees with it, by that one.
  static func moment(ofServer seconds: Int64) -> Int64 {
    let (own, server) = (
      Date().milliseconds, seconds.multipliedReportingOverflow(by: 1_000).partialValue
    )
    return (-1_000...2_000).contains(own.subtractingReportingOverflow(server).partialValue)
      ? own : server
  }

  func write(_ settings: Settings) throws {
    var row = RowBinaryWriter()
    row.append(UInt32(settings.schema))
    row.append(settings.cluster ?? "")
    row.append(UInt8(settings.isReplicated ? 1 : 0))
    row.append(settings.firstHour)
    row.append(settings.version)
    let table = ClickHouseSchema.fleet
    try connection.insert(row, into: table.name, table.columnList)
  }

  /// Reads the row of the table `fleet`; nil where there is none.
  func settings() throws -> Settings? {
    do {
      // In later versions a subquery may return NULL, whatever it selects.
      return try connection.rows(
        """
        SELECT max(schema), argMax(cluster, version), argMax(is_replicated, version), max(first_hour),
          max(version), toInt64(toUnixTimestamp(now())), assumeNotNull((
            SELECT arrayStringConcat(groupArray(name), ', ') FROM system.settings
            WHERE name = 'skip_unavailable_shards' AND value NOT IN ('0', 'false')
              OR name = 'wait_for_async_insert' AND value IN ('0', 'false')
              OR name LIKE '%_overflow_mode' AND value IN ('break', 'any')))
        FROM \(database).fleet
        """
      ) { row in
        let schema = Int(try row.integer(UInt32.self))
        let cluster = try row.text()
        return Settings(
          schema: schema, cluster: cluster.isEmpty ? nil : cluster,
          isReplicated: try row.integer(UInt8.self) != 0, firstHour: try row.integer(),
          version: try row.integer(),
          now: Self.moment(ofServer: try row.integer()), partialAnswers: try row.text())
      }.first { $0.schema > 0 }
    } catch let error as ClickHouseError where [60, 81].contains(error.code) {
      return nil
    } catch let error as ClickHouseError where error.code == 47 {
      // UNKNOWN_IDENTIFIER: a table of that name with other columns.
      return nil
    }
  }

  /// Reads the row of the table `fleet`.
  ///
  /// - Throws: ``FleetError`` where there are no tables of the version that this build knows.
  func checkedSettings() throws -> Settings {
    guard let settings = try settings() else {
      throw FleetError(
        .notAFleet, "\(name) has no tables of a fleet; make them with digest-query init URL")
    }
    try checkVersion(of: settings)
    guard settings.partialAnswers.isEmpty else {
      throw FleetError(
        .unsuitable,
        "\(name): the user's settings allow answers in part (\(settings.partialAnswers)); set them to their "
          + "defaults in the user's profile")
    }
    return settings
  }

  private func checkVersion(of settings: Settings) throws {
    guard settings.schema == ClickHouseSchema.version else {
      throw FleetError(
        .otherVersion,
        "\(name) has schema \(settings.schema), and this version knows \(ClickHouseSchema.version): "
          + (settings.schema > ClickHouseSchema.version
            ? "use a newer version" : "have the owner of the tables run digest-query init URL"))
    }
  }
}
