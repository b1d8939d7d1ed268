import ArgumentParser
import DigestFleet

struct Init: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Create the tables of a fleet: many stores in one PostgreSQL database.",
    discussion: """
      The tables are in a schema of their own, named digests. A writer may push; it sees and \
      changes only the stores that it has pushed, so create one role per machine. A reader may \
      query. The role that creates the tables may prune, and may run init again to add roles \
      or to migrate tables of an older version. The roles must exist. Keep passwords in \
      ~/.pgpass or $PGPASSWORD. The certificate of a server on another machine is verified \
      (sslmode=verify-full) unless the URL or $PGSSLMODE sets a different sslmode.

      Examples:
        digest-query init postgresql://admin@db.example/drift
        digest-query init postgresql://admin@db.example/drift --reader oncall
      """
  )

  @Argument(help: "The database: postgresql://user@host/database, or any URL that libpq accepts.")
  var url: String

  @Option(help: ArgumentHelp("An existing role that may push.", valueName: "role"))
  var writer: String?

  @Option(help: ArgumentHelp("An existing role that may query.", valueName: "role"))
  var reader: String?

  func run() throws {
    try FleetURL.withFleet(at: url) { fleet in
      let isNew = try fleet.initialize(FleetOptions(writer: writer, reader: reader))
      let done = isNew ? "made the tables" : "the tables are there already"
      try StandardOutput.print("\(fleet.name.printable): \(done)")
    }
  }
}
