#if PostgreSQL
  /// A step from one version of a fleet's tables to the next.
  ///
  /// The tables are in the schema `digests` of a database. Moments are milliseconds since 1970, periods
  /// hours since 1970, as in a store's file. A statement touches rows in the order of their keys, so
  /// that pushes wait for each other and never for ever.
  struct FleetMigration: Sendable {
    let version: Int64

    /// Statements, run before ``finish``.
    let sql: String

    /// What SQL cannot do.
    var finish: @Sendable (PostgreSQLConnection) throws -> Void = { _ in }

    /// Statements that are run when the views do not need any more what they drop.
    var cleanup = ""

    static let all = [tables, growth]

    static let currentVersion = Int64(all.count)
  }

  extension PostgreSQLConnection {
    /// Brings the tables to the schema of this code, in the transaction that runs.
    ///
    /// - Parameter version: that of the tables; 0 where there are none.
    func migrate(from version: Int64) throws {
      guard version < FleetMigration.currentVersion else { return }
      // No push of an older version comes between.
      if version > 0 { try run("LOCK TABLE digests.source IN ACCESS EXCLUSIVE MODE") }
      let roles = version > 0 ? try FleetRole.granted(on: self) : []
      let migrations = FleetMigration.all.filter { $0.version > version }
      for migration in migrations {
        try run(migration.sql)
        try migration.finish(self)
      }
      try run(FleetViews.sql)
      for migration in migrations { try run(migration.cleanup) }
      try run(
        "UPDATE digests.fleet SET schema_version = $1::bigint",
        [.integer(FleetMigration.currentVersion)])
      // Those of before may do the same with what is new.
      for (role, name) in roles { try grant(role, to: name) }
    }
  }
#endif
