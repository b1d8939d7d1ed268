import CSQLite

/// Migrates a file to the current schema.
struct Migrator {
  /// The migrator for stores of this version.
  static let current = Migrator([.first])

  /// The application id of a store: "DGSQ" (SQLite, "PRAGMA application_id").
  static let applicationID: Int64 = 0x4447_5351

  /// The steps, with versions starting at 1.
  let migrations: [Migration]

  init(_ migrations: [Migration]) {
    self.migrations = migrations
  }

  /// The version of the schema that this code reads and writes.
  var version: Int64 { migrations.last?.version ?? 0 }

  /// The migrator of an earlier version.
  func upTo(_ version: Int64) -> Migrator {
    Migrator(migrations.filter { $0.version <= version })
  }

  /// Checks that a file is a store that this code can read or migrate.
  ///
  /// - Returns: the version of its schema; 0 for an empty file.
  /// - Throws: ``DigestStoreError`` for a file of another program or of a newer version;
  ///   ``SQLiteError`` for an invalid version.
  func version(of connection: Connection, path: String) throws -> Int64 {
    let version = try connection.schemaVersion()
    let isEmpty = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
    if version == 0, isEmpty { return 0 }
    let application = try connection.integer("PRAGMA application_id") ?? 0
    if version == 0, [0, Self.applicationID].contains(application),
      try connection.integer(
        "SELECT count(*) FROM sqlite_schema WHERE name IN ('store', 'digest', 'failure')") == 3
    {
      throw DigestStoreError(
        .foreignSchema,
        "\(path) lacks the numbers that mark a store, as what .dump of sqlite3 writes does; run with "
          + "sqlite3: PRAGMA application_id = \(Self.applicationID); PRAGMA user_version = \(self.version)"
      )
    }
    guard application == Self.applicationID else {
      throw DigestStoreError(
        .notAStore,
        "\(path) is a database of another program; choose another path"
      )
    }
    guard version <= self.version else {
      throw DigestStoreError(
        .newerStore,
        "\(path) has schema \(version), and this version knows \(self.version): "
          + "use a newer version, the file is left as it is"
      )
    }
    guard version > 0 else {
      throw SQLiteError(
        code: SQLITE_CORRUPT, message: "the schema has the version \(version)", sql: nil)
    }
    return version
  }

  /// Checks that a file can be read without migrating it first.
  ///
  /// - Parameter version: the version returned by ``version(of:path:)``.
  func checkReadable(_ version: Int64, path: String) throws {
    guard version < self.version else { return }
    throw DigestStoreError(
      .invalidInput,
      "\(path) has schema \(version); let the app open it, which brings it to schema \(self.version)"
    )
  }

  /// Runs the steps that a file lacks, each in its own transaction.
  func migrate(_ connection: Connection, path: String) throws {
    for migration in migrations {
      guard try version(of: connection, path: path) < migration.version else { continue }
      try connection.transaction {
        // Another process may have run the step while this one waited for the lock.
        guard try version(of: connection, path: path) < migration.version else { return }
        try migration.run(connection)
        // Pragmas take no parameters. Both values are constants of this code.
        try connection.execute("PRAGMA application_id = \(Self.applicationID)")
        try connection.execute("PRAGMA user_version = \(migration.version)")
        // The next step expects the schema of this one.
        try connection.rememberSchema()
      }
    }
  }

  /// Creates an empty store in memory.
  func makeStoreInMemory(named name: String) throws -> Connection {
    let connection = try Connection(path: name, mode: .memory)
    try migrate(connection, path: name)
    return connection
  }
}

extension Connection {
  /// Reads the current version of the file's schema.
  func schemaVersion() throws -> Int64 {
    try integer("PRAGMA user_version") ?? 0
  }
}

/// A step of the schema. A released migration never changes; a later one corrects it.
struct Migration: Sendable {
  /// The `user_version` of a file after this step.
  let version: Int64
  /// Changes the schema of a database, inside a transaction.
  let run: @Sendable (Connection) throws -> Void
}
