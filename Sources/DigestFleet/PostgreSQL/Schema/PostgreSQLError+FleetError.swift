extension PostgreSQLConnection {
  /// Runs `body`, and throws the errors of the server as errors of the fleet.
  ///
  /// - Parameter role: the role that must be granted; nil if only the owner of the tables may do this.
  func mappingErrors<Value>(
    needing role: FleetRole? = .reader, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch let error as PostgreSQLError {
      throw error.error(about: name, needing: role)
    }
  }
}

extension PostgreSQLError {
  /// - Parameters:
  ///   - name: the server, as messages show it.
  ///   - role: the role that must be granted; nil if only the owner of the tables may do this.
  func error(about name: String, needing role: FleetRole?) -> FleetError {
    let line = message.lastLine
    switch state {
    case "42501":
      let remedy =
        switch role {
        case .writer: "have the owner of the tables grant it: digest-query init URL --writer ROLE"
        case .reader: "have the owner of the tables grant it: digest-query init URL --reader ROLE"
        case nil: "let the role make schemas there (GRANT CREATE ON DATABASE)"
        }
      return FleetError(.notPermitted, "\(name): \(line); \(remedy)")
    case "42P01", "3F000":
      return FleetError(
        .notAFleet, "\(name) has no tables of a fleet; make them with digest-query init URL")
    case "42P06":
      return FleetError(
        .unsuitable, "\(name) has a schema digests that is no fleet's; take another database")
    case "57014":
      return FleetError(
        .failed, "\(name): \(line); let the role take longer, by its statement_timeout")
    case "55P03":
      return FleetError(
        .failed,
        "\(name): \(line); another connection holds it: run it again, or end that one "
          + "(pg_terminate_backend)")
    case "40001", "40P01":
      return FleetError(.failed, "\(name): \(line); run it again")
    case "53100":
      return FleetError(.failed, "\(name): \(line); free some space on the server's disk")
    case "25006":
      return FleetError(
        .failed, "\(name) may only be read; name the server that may be written")
    case _ where !isConnected:
      return FleetError(
        .unreachable, "\(name): \(line.isEmpty ? "the connection was lost" : line); run it again")
    default:
      return FleetError(.failed, "\(name): \(line); look into the server's log")
    }
  }
}
