import CSQLite

/// Brings a file to the schema of this code.
enum Migrator {
  /// What marks a file as ours: "DGST" (SQLite, "PRAGMA application_id").
  static let applicationID: Int64 = 0x4447_5354

  /// Checks that a file is a digest store that this code can read, and says its version.
  ///
  /// - Throws: ``DigestStoreError`` for a file that is another program's or a newer version's.
  static func version(of connection: Connection, path: String) throws -> Int64 {
    let version = try connection.schemaVersion()
    let isEmpty = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
    if version == 0, isEmpty { return 0 }
    guard try connection.integer("PRAGMA application_id") == applicationID else {
      throw DigestStoreError(
        .notAStore,
        "\(path) is a database of another program; choose another path"
      )
    }
    guard version <= Migration.currentVersion else {
      throw DigestStoreError(
        .newerStore,
        "\(path) has schema \(version), and this version knows \(Migration.currentVersion): "
          + "use a newer version, the file is left as it is"
      )
    }
    guard version > 0 else {
      throw SQLiteError(
        code: SQLITE_CORRUPT, message: "the schema has the version \(version)", sql: nil)
    }
    return version
  }

  /// Makes an older file look to a connection that only reads as though it were migrated.
  ///
  /// When another process does migrate it, the columns of the file itself come first.
  static func imitateMigrations(since version: Int64, on connection: Connection) throws {
    for migration in Migration.all where migration.version > version {
      try connection.execute(migration.readingWithout)
    }
  }

  /// Runs the migrations that a file does not have yet, each in a transaction of its own.
  ///
  /// - Parameter last: the version to which it is brought.
  static func migrate(
    _ connection: Connection,
    path: String,
    to last: Int64 = Migration.currentVersion
  ) throws {
    for migration in Migration.all where migration.version <= last {
      guard try version(of: connection, path: path) < migration.version else { continue }
      try connection.transaction {
        // Another process may have done it while this one waited for the lock.
        guard try version(of: connection, path: path) < migration.version else { return }
        try connection.execute(migration.sql)
        try migration.finish(connection)
        // Pragmas take no parameters; both are numbers of ours.
        try connection.execute("PRAGMA application_id = \(applicationID)")
        try connection.execute("PRAGMA user_version = \(migration.version)")
      }
    }
  }
}

extension Connection {
  /// The version of the file's schema, at this moment.
  func schemaVersion() throws -> Int64 {
    try integer("PRAGMA user_version") ?? 0
  }
}
