#if PostgreSQL
  import CPostgreSQL

  /// An error of a fleet: one line, with what failed and the remedy, and without passwords.
  package struct FleetError: Error, CustomStringConvertible {
    package enum Code: Sendable {
      /// The URL is none that can be used.
      case invalidURL
      /// The server cannot be reached, or does not let us in.
      case unreachable
      /// It has no tables of a fleet.
      case notAFleet
      /// A database, a role or a store that was named is not there.
      case missing
      /// The role may not do it, or the store belongs to another one.
      case notPermitted
      /// The name of a store would be changed without a word, or is another store's.
      case nameConflict
      /// The database is one that cannot have a fleet.
      case unsuitable
      /// Its tables are of another version.
      case otherVersion
      /// What is to be pushed does not fit what was pushed before.
      case unfit
      /// Counts of a store, or of the fleet, cannot be read.
      case damaged
      /// It could not do what it was asked to.
      case failed
    }

    package let code: Code
    package let description: String

    /// Of a file that was refused as ``Code/unfit``: the id of the last digest that is counted for
    /// sure, and all before it; nil where no such digest is known.
    package var lastCountedDigest: String?

    init(_ code: Code, _ description: String) {
      self.code = code
      self.description = description
    }
  }

  extension FleetError {
    /// The value that selects the certificates of the system.
    private static var trustedBySystem: String {
      PQlibVersion() >= 160_000 ? "system" : "/etc/ssl/certs/ca-certificates.crt"
    }

    /// What libpq says when a connection fails, in a line.
    static func connection(_ message: String, to name: String, needsPassword: Bool) -> Self {
      let line = message.lastLine.withoutAddress
      var code = Code.unreachable
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
      case line.contains("too many connections"), line.contains("too many clients"),
        line.contains("connection slots"), line.contains("starting up"):
        remedy = "run it again later, or let the server take more connections"
      case line.contains("does not exist"):
        (code, remedy) = (.missing, "check the role and the database in the URL")
      case line.contains("permission denied for database"):
        (code, remedy) = (.notPermitted, "let the role connect (GRANT CONNECT ON DATABASE)")
      case line.contains("not permitted to log in"):
        (code, remedy) = (.notPermitted, "log in as a member of it, or let it (ALTER ROLE … LOGIN)")
      default:
        remedy = "check the URL, and whether the server runs"
      }
      return Self(code, "\(name): \(line); \(remedy)")
    }
  }

  /// What the server has answered instead of doing what it was asked to.
  struct PostgreSQLError: Error {
    /// Five characters (PostgreSQL manual, "Appendix A. PostgreSQL Error Codes"); empty where it is
    /// not the server that says it.
    let state: String
    let message: String
    let isConnected: Bool

    /// Whether the same transaction may succeed when it is run again.
    var isTransient: Bool { ["40001", "40P01"].contains(state) }

    /// - Parameter role: what the connection has to be granted for what it did; nil for the owner's.
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

  extension String {
    /// What libpq says about a server without which one, for that is said already.
    fileprivate var withoutAddress: String {
      guard hasPrefix("connection to server at "), let end = firstRange(of: " failed: ") else {
        return self
      }
      return String(self[end.upperBound...])
    }

    /// The last line that says what happened: libpq reports every address that it has tried, adds
    /// hints in indented lines, where it has found a password, and that TLS can be turned off.
    fileprivate var lastLine: String {
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
#endif
