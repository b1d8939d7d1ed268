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

    /// Makes the tables, unless they are there, and lets roles use them.
    ///
    /// - Parameters:
    ///   - writer: a role that may push; it exists.
    ///   - reader: a role that may ask; it exists.
    /// - Returns: whether there were none.
    /// - Throws: ``FleetError``, and then nothing has changed.
    package func initialize(writer: String?, reader: String?) throws -> Bool {
      try telling {
        try connection.transaction {
          // Of two that make them at once the second waits here, and finds them.
          try connection.run("SELECT pg_advisory_xact_lock(\(Self.lock))")
          let isNew = try version() == nil
          if isNew { try connection.run(FleetSchema.statements) }
          try checkVersion()
          if let writer { try grant(FleetSchema.grantsToWriter, to: writer) }
          if let reader { try grant(FleetSchema.grantsToReader, to: reader) }
          return isNew
        }
      }
    }

    /// "DGST", as in the header of a store's file.
    private static let lock = 0x4447_5354

    private func grant(_ statements: [String], to role: String) throws {
      // The name of a role is no value: it is quoted as a name.
      let name = "\"" + role.replacing("\"", with: "\"\"") + "\""
      do {
        for statement in statements { try connection.run("\(statement) \(name)") }
      } catch let error as PostgreSQLError where error.state == "42704" {
        throw FleetError(
          .failed, "\(self.name) has no role \(role); make it with CREATE ROLE \(name) LOGIN")
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
      guard version == FleetSchema.version else {
        throw FleetError(
          .otherVersion,
          "\(name) has schema \(version), and this version knows \(FleetSchema.version): "
            + (version > FleetSchema.version
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
