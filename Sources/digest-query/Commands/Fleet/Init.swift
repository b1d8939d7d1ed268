import ArgumentParser

#if PostgreSQL
  import DigestFleet
#endif

struct Init: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Make the tables of a fleet, many stores in one PostgreSQL.",
    discussion: """
      The tables are in a schema of their own, digests. Where they are already they are brought up to \
      date, and the roles are granted what they need: a writer may push and prune, a reader may ask. \
      The roles must exist; a password is best left to ~/.pgpass or $PGPASSWORD. The certificate of a \
      server on another machine is verified, unless the URL or $PGSSLMODE sets another sslmode than \
      verify-full.

      Examples:
        digest-query init postgresql://admin@db.example/drift
        digest-query init postgresql://admin@db.example/drift --reader oncall
      """
  )

  @Argument(help: "Where: postgresql://user@host/database, and what else libpq takes.")
  var url: String

  @Option(help: ArgumentHelp("A role that may push and prune.", valueName: "role"))
  var writer: String?

  @Option(help: ArgumentHelp("A role that may ask.", valueName: "role"))
  var reader: String?

  func run() throws {
    #if PostgreSQL
      try FleetCommand.run(on: url) { fleet in
        let done =
          switch try fleet.initialize(writer: writer, reader: reader) {
          case .made: "made the tables"
          case .alreadyThere: "the tables are there already"
          case .migrated(let version): "brought the tables up to date, from schema \(version)"
          }
        try StandardOutput.print("\(fleet.name.printable): \(done)")
      }
    #else
      throw Failure.withoutPostgreSQL
    #endif
  }
}
