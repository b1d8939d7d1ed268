import DigestStore

/// An error message of the server.
struct PostgreSQLError: Error {
  /// Five characters (PostgreSQL manual, "Appendix A. PostgreSQL Error Codes"); empty if the
  /// message is libpq's own.
  let state: String
  let message: String
  let isConnected: Bool
}

extension PostgreSQLError {
  /// - Parameter name: the server, as messages show it.
  func error(about name: String) -> DigestStoreError {
    let line = message.lastLine
    // undefined_table, invalid_schema_name
    if ["42P01", "3F000"].contains(state) { return .noFleet(name) }
    let (code, remedy): (DigestStoreError.Code, String) =
      switch state {
      case "42501":  // insufficient_privilege
        (
          .notPermitted,
          "have the owner of the tables grant it: digest-query fleet init URL --reader ROLE or "
            + "--writer ROLE"
        )
      case "23505" where message.contains("source_identity"):  // unique_violation
        (
          .notPermitted,
          "another role has pushed this store before; push as that role, or forget the store"
        )
      case "23514":  // check_violation
        (.invalidInput, "run digest-query verify on the pushed store")
      case "42704":  // undefined_object
        (.noSuchStore, "make the role first (CREATE ROLE)")
      case "42P06":  // duplicate_schema
        (.notAStore, "the schema digests isn't a fleet's; take another database")
      case "53100":  // disk_full
        (.diskFull, "free some space on the server's disk")
      case "55P03":  // lock_not_available
        (
          .busy,
          "another connection holds it: run it again, or end that one (pg_terminate_backend)"
        )
      case "40001", "40P01":  // serialization_failure, deadlock_detected
        (.busy, "run it again")
      case "25006":  // read_only_sql_transaction
        (.readOnly, "name the server that may be written")
      case _ where !isConnected: (.inputOutput, "run it again")
      default: (.inputOutput, "look into the server's log")
      }
    let problem = line.isEmpty ? "the connection was lost" : line
    return DigestStoreError(code, "\(name): \(problem); \(remedy)")
  }
}

extension DigestStoreError {
  /// The value of `sslrootcert` for the certificates that the system trusts.
  private static var trustedBySystem: String {
    LibPQ.version >= 160_000 ? "system" : "/etc/ssl/certs/ca-certificates.crt"
  }

  /// Makes one line of libpq's message about a connection that failed.
  static func connection(_ message: String, to name: String, needsPassword: Bool) -> Self {
    let line = message.lastLine.withoutAddress
    var code = Code.inputOutput
    let remedy: String
    switch true {
    case line.contains("root certificate file"):
      remedy =
        "add sslrootcert=FILE to the URL, with the root certificate, or "
        + "sslrootcert=\(trustedBySystem) for those that this system trusts"
    case needsPassword || line.contains("password authentication failed"):
      remedy = "give the password in ~/.pgpass or $PGPASSWORD"
    // "SSL SYSCALL error" is one of the network below it.
    case line.contains("certificate") || line.contains("SSL") && !line.contains("SYSCALL"):
      remedy = "check sslmode and sslrootcert in the URL, and the server's certificate"
    case line.contains("does not exist"):
      (code, remedy) = (.noSuchStore, "check the role and the database in the URL")
    case line.contains("permission denied") || line.contains("not permitted"):
      (code, remedy) = (.notPermitted, "have an administrator grant it (GRANT, ALTER ROLE)")
    case line.contains("too many"):
      remedy = "run it again later"
    default:
      remedy = "check the URL, and whether the server runs"
    }
    return Self(code, "\(name): \(line); \(remedy)")
  }
}

extension String {
  /// libpq's message without the server's address, which is shown already.
  fileprivate var withoutAddress: String {
    guard hasPrefix("connection to server at "), let end = firstRange(of: " failed: ") else {
      return self
    }
    return String(self[end.upperBound...])
  }

  /// The last line that names the problem. libpq reports every address that it has tried, the file
  /// in which it has found a password, hints, and that TLS can be turned off.
  var lastLine: String {
    split { $0.isNewline }.last {
      $0.first?.isWhitespace == false && !$0.hasPrefix("DETAIL:") && !$0.hasPrefix("HINT:")
        && !$0.hasPrefix("password retrieved from file ")
        && !$0.hasPrefix("Either provide the file")
    }.map { line in
      var text = String(line)
      for prefix in ["FATAL:", "ERROR:"] {
        if let range = text.firstRange(of: prefix) { text.removeSubrange(range) }
      }
      return text.split(separator: " ").joined(separator: " ")
    } ?? ""
  }
}
