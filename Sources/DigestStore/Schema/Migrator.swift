import CSQLite

/// Brings a file to the last schema that this code knows.
struct Migrator {
  /// The one for the files of this version.
  static let current = Migrator([.first])

  /// Marks a file as a store: "DGSQ" (SQLite, "PRAGMA application_id").
  static let applicationID: Int64 = 0x4447_5351

  /// Marks files of builds before 0.1.0, whose schemas no release reads: "DGST".
  private static let developmentID: Int64 = 0x4447_5354

  /// All steps, numbered from 1.
  let migrations: [Migration]

  init(_ migrations: [Migration]) {
    self.migrations = migrations
  }

  /// The version that this code reads and writes.
  var version: Int64 { migrations.last?.version ?? 0 }

  /// Checks that a file is a store that this code can read or migrate.
  ///
  /// - Returns: the version of its schema; 0 for an empty file.
  /// - Throws: ``DigestStoreError`` for a file of another program or of a newer version.
  func version(of connection: Connection, path: String) throws -> Int64 {
    let version = try connection.schemaVersion()
    let isEmpty = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
    if version == 0, isEmpty { return 0 }
    let application = try connection.integer("PRAGMA application_id")
    if application == Self.developmentID {
      throw DigestStoreError(
        .notAStore,
        "\(path) was made by a build before 0.1.0; export it with that build and import the export, "
          + "or choose another path"
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

  /// Checks that a file can be read without being migrated first.
  ///
  /// - Parameter version: the one that ``version(of:path:)`` returned.
  func checkReadable(_ version: Int64, path: String) throws {
    guard version < self.version else { return }
    throw DigestStoreError(
      .invalidInput,
      "\(path) has schema \(version); let the app open it, which brings it to schema \(self.version)"
    )
  }

  /// Runs the steps that a file does not have yet, each in a transaction of its own.
  func migrate(_ connection: Connection, path: String) throws {
    for migration in migrations {
      guard try version(of: connection, path: path) < migration.version else { continue }
      try connection.transaction {
        // Another process may have done it while this one waited for the lock.
        guard try version(of: connection, path: path) < migration.version else { return }
        try connection.execute(migration.sql)
        // Pragmas take no parameters; both are numbers of ours.
        try connection.execute("PRAGMA application_id = \(Self.applicationID)")
        try connection.execute("PRAGMA user_version = \(migration.version)")
      }
    }
  }

  /// Makes an empty store in memory.
  func makeStoreInMemory(named name: String) throws -> Connection {
    let connection = try Connection(path: name, mode: .memory)
    try migrate(connection, path: name)
    return connection
  }
}

extension Connection {
  /// The version of the file's schema, at this moment.
  func schemaVersion() throws -> Int64 {
    try integer("PRAGMA user_version") ?? 0
  }
}
