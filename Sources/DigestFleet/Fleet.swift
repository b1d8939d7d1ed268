#if PostgreSQL
  /// The stores of many machines in one database: what each of them has counted, and the sums.
  package final class Fleet {
    let connection: PostgreSQLConnection

    /// The URL without its password.
    package var name: String { connection.name }

    /// Connects to a server.
    ///
    /// - Throws: ``FleetError`` where that fails.
    package init(_ url: String) throws {
      connection = try PostgreSQLConnection(url)
    }

    /// What ``initialize(writer:reader:)`` has found, and done.
    package enum Initialization: Sendable, Hashable {
      case made, alreadyThere
      case migrated(from: Int64)
    }

    /// Makes the tables, or brings them up to date, and lets roles use them.
    ///
    /// - Parameters:
    ///   - writer: a role that may push and prune; it exists.
    ///   - reader: a role that may ask; it exists.
    /// - Throws: ``FleetError``, and then nothing has changed.
    package func initialize(writer: String?, reader: String?) throws -> Initialization {
      try telling {
        try checkEncoding()
        return try connection.repeating {
          try connection.transaction { try initializing(writer, reader) }
        }
      }
    }

    private func initializing(_ writer: String?, _ reader: String?) throws -> Initialization {
      // Of two that make them at once the second waits here, and finds them.
      try connection.run("SELECT pg_advisory_xact_lock(\(Self.lock))")
      let version = try version() ?? 0
      try connection.migrate(from: version)
      try checkVersion()
      if let writer { try grant(.writer, to: writer) }
      if let reader { try grant(.reader, to: reader) }
      return switch version {
      case 0: .made
      case FleetMigration.currentVersion: .alreadyThere
      default: .migrated(from: version)
      }
    }

    /// What is in a store is any text.
    private func checkEncoding() throws {
      let encoding = try connection.run("SHOW server_encoding").first?.text(0) ?? ""
      guard encoding == "UTF8" else {
        throw FleetError(
          .failed,
          "\(name) has the encoding \(encoding), which does not have every character: make a database "
            + "with ENCODING 'UTF8'")
      }
    }

    /// "DGST", as in the header of a store's file.
    private static let lock = 0x4447_5354

    private func grant(_ role: FleetRole, to name: String) throws {
      // The name of a role is no value: it is quoted as a name.
      let quoted = "\"" + name.replacing("\"", with: "\"\"") + "\""
      do {
        try connection.grant(role, to: quoted)
        // Who may not grant is only warned.
        guard try connection.hasGranted(role, to: name) else {
          throw FleetError(
            .failed,
            "\(self.name): only the role that has made the tables can let \(name) use them; run init as "
              + "that one")
        }
      } catch let error as PostgreSQLError where error.state == "42704" {
        throw FleetError(
          .failed, "\(self.name) has no role \(name); make it with CREATE ROLE \(quoted) LOGIN")
      }
    }

    /// The version of its tables; nil where there are none.
    private func version() throws -> Int64? {
      guard try connection.run("SELECT to_regclass('digests.fleet')").first?.text(0) != nil else {
        return nil
      }
      return try connection.run("SELECT schema_version FROM digests.fleet").first?.integer(0)
    }

    /// - Throws: ``FleetError`` where the tables are not those that this version knows.
    func checkVersion() throws {
      guard let version = try version() else {
        throw FleetError(
          .notAFleet, "\(name) has no tables of a fleet; make them with digest-query init URL")
      }
      guard version == FleetMigration.currentVersion else {
        throw FleetError(
          .otherVersion,
          "\(name) has schema \(version), and this version knows \(FleetMigration.currentVersion): "
            + (version > FleetMigration.currentVersion
              ? "use a newer version" : "bring it up to date with digest-query init URL"))
      }
    }

    /// Runs `body`, and says of what the server answers whose server it is and what to do.
    func telling<Value>(_ body: () throws -> Value) throws -> Value {
      do {
        return try body()
      } catch let error as PostgreSQLError {
        throw error.error(about: name)
      }
    }
  }
#endif
