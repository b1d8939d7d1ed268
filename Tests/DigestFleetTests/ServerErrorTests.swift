import DigestStore
import Testing

@testable import DigestFleet

/// Each error of a server becomes one line, with a code and a remedy.
struct ServerErrorTests {
  @Test(
    arguments: [
      ("42501", "permission denied for table tally", .notPermitted, "fleet init URL --reader ROLE"),
      ("23505", "duplicate key … source_identity_key", .notPermitted, "another role has pushed"),
      ("23514", "a failure whose key is not that of its names", .invalidInput, "verify"),
      ("42704", "role x does not exist", .noSuchStore, "CREATE ROLE"),
      ("42P01", "relation store does not exist", .noSuchStore, "fleet init"),
      ("53100", "could not extend file: No space left on device", .diskFull, "free some space"),
      ("55P03", "canceling statement due to lock timeout", .busy, "pg_terminate_backend"),
      ("40001", "could not serialize access", .busy, "run it again"),
      ("25006", "cannot execute INSERT in a read-only transaction", .readOnly, "may be written"),
      ("57P01", "terminating connection", .inputOutput, "log"),
    ] as [(String, String, DigestStoreError.Code, String)])
  func `an error of PostgreSQL says what to do`(
    state: String, message: String, code: DigestStoreError.Code, remedy: String
  ) {
    let error = PostgreSQLError(state: state, message: "ERROR: \(message)", isConnected: true)
      .error(about: "the server")
    #expect(error.code == code)
    #expect(error.description.contains(remedy))
    #expect(!error.description.contains("\n"))
  }

  @Test(
    arguments: [
      (60, "Table d.store does not exist", .noSuchStore, "fleet init"),
      (81, "Database d does not exist", .noSuchStore, "CREATE DATABASE"),
      (516, "Authentication failed", .notPermitted, "$CLICKHOUSE_PASSWORD"),
      (164, "Cannot modify setting", .notPermitted, "readonly in its profile"),
      (497, "Not enough privileges", .notPermitted, "GRANT"),
      (279, "All connection tries failed", .inputOutput, "check that all servers run"),
      (159, "Timeout exceeded", .inputOutput, "a shorter window"),
      (373, "Session is locked", .inputOutput, "later"),
      (241, "Memory limit exceeded", .inputOutput, "a shorter window"),
      (243, "Cannot reserve", .diskFull, "free some space"),
      (1, "write failed: No space left on device", .diskFull, "free some space"),
      (252, "Too many parts", .inputOutput, "later"),
      (999, "Keeper", .inputOutput, "run it again"),
      (0, "the server answered with HTTP status 404", .inputOutput, "port for HTTP"),
    ] as [(Int, String, DigestStoreError.Code, String)])
  func `an error of ClickHouse says what to do`(
    number: Int, message: String, code: DigestStoreError.Code, remedy: String
  ) {
    let error = ClickHouseError(code: number, message: message).error(about: "the server")
    #expect(error.code == code)
    #expect(error.description.contains(remedy))
    #expect(!error.description.contains("\n"))
  }

  @Test func `a long message of ClickHouse ends after a word`() {
    let words = Array(repeating: "average", count: 100).joined(separator: " ")
    let error = ClickHouseError(
      HTTPAnswer(status: 500, body: Array("Code: 160. DB::Exception: \(words). (TOO_SLOW)".utf8)))
    #expect(error.message.hasSuffix(" average…"))
    #expect(error.message.count <= 300)
  }

  @Test func `tables that are missing, or of another version, are not used`() {
    #expect(throws: Never.self) { try DigestStoreError.check(1, 1, of: "the server") }
    for (version, code) in [(nil, .noSuchStore), (2, .newerStore)]
      as [(Int64?, DigestStoreError.Code)]
    {
      let error = #expect(throws: DigestStoreError.self) {
        try DigestStoreError.check(version, 1, of: "the server")
      }
      #expect(error?.code == code)
    }
  }
}
