#if PostgreSQL
  import DigestFleet

  /// A fleet, for a command; what goes wrong there ends the command in a line.
  enum FleetCommand {
    static func run<Value>(on url: String, _ body: (Fleet) throws -> Value) throws -> Value {
      guard StoreOptions.isFleet(url) else {
        throw Failure.usage(
          "a fleet is named by a URL such as postgresql://user@host/database; see digest-query --help"
        )
      }
      return try telling { try body(Fleet(url)) }
    }

    /// Says on stderr how many digests are counted in a fleet, and are not there themselves.
    static func noteMissing(_ digests: (counted: Int, sent: Int, unreadable: Int)) {
      if digests.unreadable > 0 {
        Note.write(
          "skipped \(digests.unreadable.counting("line")) of the fleet that are no digests")
      }
      guard digests.sent < digests.counted else { return }
      Note.write(
        "counted, but not here in detail: "
          + "\((digests.counted - digests.sent).counting("digest")) that were not sent, as push "
          + "--digests does, or are pruned")
    }

    /// Runs `body`, and tells what goes wrong in the fleet as the command line does.
    static func telling<Value>(_ body: () throws -> Value) throws -> Value {
      do {
        return try body()
      } catch let error as FleetError {
        throw Failure(status: error.code.exitStatus, error.description)
      }
    }
  }

  extension FleetError.Code {
    /// As of a store that is a file.
    fileprivate var exitStatus: Int32 {
      switch self {
      case .invalidURL, .notPermitted, .nameConflict: 64  // EX_USAGE
      case .notAFleet, .missing: 66  // EX_NOINPUT
      case .otherVersion, .unsuitable, .unfit, .damaged: 65  // EX_DATAERR
      case .unreachable, .failed: 74  // EX_IOERR
      }
    }
  }
#else
  extension StoreOptions {
    /// - Throws: a ``Failure`` for the URL of a fleet, of which this tool cannot ask anything.
    func checkIsNoFleet() throws {
      if Self.isFleet(path) { throw Failure.withoutPostgreSQL }
    }
  }

  extension Failure {
    /// A tool that cannot speak to a server.
    static let withoutPostgreSQL = Failure.usage(
      "this digest-query was built without PostgreSQL: install libpq (Debian: libpq-dev), and then "
        + "make install TRAITS=PostgreSQL")
  }
#endif
