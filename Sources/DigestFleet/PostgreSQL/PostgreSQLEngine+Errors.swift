import DigestStore

extension PostgreSQLEngine {
  /// Runs `body`, and throws the errors of the server as errors of a store.
  func mappingErrors<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as PostgreSQLError {
      throw error.error(about: name)
    }
  }
}

extension PostgreSQLError {
  /// - Parameter name: the server, as messages show it.
  func error(about name: String) -> DigestStoreError {
    let line = message.lastLine
    switch state {
    case "42501":
      return DigestStoreError(
        .notPermitted,
        "\(name): \(line); have the owner of the tables grant it: digest-query fleet init URL "
          + "--reader ROLE or --writer ROLE")
    case "23505" where message.contains("source_identity"):
      return DigestStoreError(
        .notPermitted,
        "\(name): another role has pushed this store before; push as that role, or forget the store"
      )
    case "23514":
      return DigestStoreError(
        .invalidInput, "\(name) refuses \(line); run digest-query verify on the pushed store")
    case "42704":
      return DigestStoreError(.noSuchStore, "\(name): \(line); make the role first (CREATE ROLE)")
    case "42P01", "3F000":
      return .noFleet(name)
    case "42P06":
      return DigestStoreError(
        .notAStore, "\(name) has a schema digests that is no fleet's; take another database")
    case "53100":
      return DigestStoreError(
        .diskFull, "\(name): \(line); free some space on the server's disk")
    case "55P03":
      return DigestStoreError(
        .busy,
        "\(name): \(line); another connection holds it: run it again, or end that one "
          + "(pg_terminate_backend)")
    case "40001", "40P01":
      return DigestStoreError(.busy, "\(name): \(line); run it again")
    case "25006":
      return DigestStoreError(
        .readOnly, "\(name) may only be read; name the server that may be written")
    case _ where !isConnected:
      return DigestStoreError(
        .inputOutput, "\(name): \(line.isEmpty ? "the connection was lost" : line); run it again")
    default:
      return DigestStoreError(.inputOutput, "\(name): \(line); look into the server's log")
    }
  }
}
