import ArgumentParser
import DigestFleet

extension FleetURL {
  /// The help for a fleet's URL as an argument.
  static let help: ArgumentHelp =
    "The database: postgresql://user@host/database, or any URL that libpq accepts; or clickhouse://user@host:8443/database."

  /// Runs `body` with the fleet at a URL.
  static func withFleet<Value>(
    at url: String, _ body: (any Fleet) throws -> Value
  ) throws -> Value {
    guard isFleet(url) else {
      throw Failure.usage(
        "a fleet is named by a URL such as postgresql://user@host/database or "
          + "clickhouse://user@host:8443/database; see digest-query help init"
      )
    }
    return try mappingErrors { try body(open(url)) }
  }

  /// Runs `body` with the digests of a fleet. It reads them in parts, through a temporary file.
  static func withDigests(_ store: StoreOptions, _ body: (FleetDigests) throws -> Void) throws {
    try TemporaryDirectory.with("digests.sqlite") { path in
      try mappingErrors {
        try body(digests(at: store.path, of: store.source, storedAt: path))
      }
    }
  }

  /// Runs `body`, and turns an error of the fleet into a ``Failure``.
  static func mappingErrors<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as FleetError {
      throw error.code.failure(error.description)
    }
  }
}

extension FleetError.Code {
  /// The same statuses as for a store file.
  fileprivate var failure: (String) -> Failure {
    switch self {
    case .unavailable, .invalidURL, .notPermitted, .nameConflict: Failure.usage
    case .notAFleet, .missing: Failure.missing
    case .otherVersion, .unsuitable, .unfit, .damaged: Failure.badInput
    case .unreachable, .failed: Failure.io
    }
  }
}
