extension ClickHouseConnection {
  /// The role that a statement needs. The remedy for a missing privilege depends on it.
  enum Purpose {
    case owner, writer, reader
  }

  /// Runs `body`, and throws the errors of the server as errors of the fleet.
  func mappingErrors<Value>(
    _ purpose: Purpose = .reader, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch let error as ClickHouseError {
      throw error.error(about: self, purpose)
    } catch let error as HTTPError {
      throw FleetError(
        .unreachable, "\(name): \(error.message); check the URL, and whether the server runs")
    }
  }
}

extension ClickHouseError {
  /// The codes are those of ClickHouse's `ErrorCodes.cpp`.
  fileprivate func error(
    about connection: ClickHouseConnection, _ purpose: ClickHouseConnection.Purpose
  ) -> FleetError {
    let name = connection.name
    if message.contains("No space left on device") {
      return FleetError(
        .failed, "\(name): No space left on device; free some space on the server's disk")
    }
    func error(_ code: FleetError.Code, _ remedy: String) -> FleetError {
      FleetError(code, "\(name): \(message); \(remedy)")
    }
    switch code {
    case 60, 81:
      // UNKNOWN_TABLE, UNKNOWN_DATABASE
      return FleetError(
        .notAFleet, "\(name) has no tables of a fleet; make them with digest-query init URL")
    case 192, 193, 194, 516:
      // UNKNOWN_USER, WRONG_PASSWORD, REQUIRED_PASSWORD, AUTHENTICATION_FAILED
      return FleetError(
        .notPermitted,
        "\(name): the server rejected the user or the password; give the password in "
          + "$CLICKHOUSE_PASSWORD, or its file in $CLICKHOUSE_PASSWORD_FILE")
    case 195, 518:  // IP_ADDRESS_NOT_ALLOWED, ACCESS_STORAGE_DOESNT_ALLOW_WRITES
      return error(.notPermitted, "let the user connect from this machine")
    case 164, 291, 492, 497:
      // READONLY, DATABASE_ACCESS_DENIED, NOT_ENOUGH_PRIVILEGES, ACCESS_DENIED
      let rights =
        switch purpose {
        case .owner: "CREATE and ALTER on the database"
        case .writer: "SELECT and INSERT on the database"
        case .reader: "SELECT on the database"
        }
      return error(.notPermitted, "give the user \(rights)")
    case 253:  // REPLICA_IS_ALREADY_EXIST
      return error(
        .failed, "a dropped database leaves its replicas for some minutes: run it again later")
    case 170, 701:  // BAD_GET and CLUSTER_DOESNT_EXIST: no such cluster
      return error(.missing, "name a cluster of the server with --cluster")
    case 139, 225:  // NO_ELEMENTS_IN_CONFIG, NO_ZOOKEEPER
      return error(
        .unsuitable,
        "define the macros shard and replica, and a ZooKeeper or Keeper, or omit --cluster and --replicated"
      )
    case 159, 160, 209, 210, 279, 999, 242, 319:
      // TIMEOUT_EXCEEDED, TOO_SLOW, SOCKET_TIMEOUT, NETWORK_ERROR, ALL_CONNECTION_TRIES_FAILED,
      // KEEPER_EXCEPTION, TABLE_IS_READ_ONLY, UNKNOWN_STATUS_OF_INSERT
      return error(
        .unreachable,
        "a server does not answer: check that all of them run, and run it again")
    case 369:  // ALL_REPLICAS_ARE_STALE
      return error(
        .unreachable,
        "rows that were pushed are on a server that does not answer: start it, and run it again")
    case 243:  // NOT_ENOUGH_SPACE
      return error(.failed, "free some space on the server's disk")
    case 252:  // TOO_MANY_PARTS
      return error(.failed, "the server merges more slowly than it gets rows: push less often")
    case 241:  // MEMORY_LIMIT_EXCEEDED
      return error(
        .failed, "raise max_memory_usage, or choose a shorter window")
    case 0:
      return error(.failed, "check the URL, and whether it names ClickHouse's port for HTTP")
    default:
      return error(.failed, "see the server's log")
    }
  }
}
