import ArgumentParser
import DigestFleet

struct Init: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Create the tables of a fleet: many stores in one PostgreSQL or ClickHouse.",
    discussion: """
      In PostgreSQL, the tables are in a schema of their own, named digests. A writer may push; it sees and \
      changes only the stores that it has pushed, so create one role per machine. A reader may \
      query. The role that creates the tables may prune, and may run init again to add roles \
      or to migrate tables of an older version. The roles must exist. Keep passwords in \
      ~/.pgpass or $PGPASSWORD. The certificate of a server on another machine is verified \
      (sslmode=verify-full) unless the URL or $PGSSLMODE sets a different sslmode.

      In ClickHouse, the tables are in the database of the URL, which is made if it is missing; with \
      --cluster, on all servers of the cluster. Users get their rights in ClickHouse. The password \
      is in $CLICKHOUSE_PASSWORD, or the first line of the file in $CLICKHOUSE_PASSWORD_FILE. \
      Connections to another machine use TLS, and the server's certificate is verified.

      Examples:
        digest-query init postgresql://admin@db.example/drift
        digest-query init postgresql://admin@db.example/drift --reader oncall
        digest-query init clickhouse://ch.example/drift --cluster main --replicated
      """
  )

  @Argument(help: FleetURL.help)
  var url: String

  @Option(help: ArgumentHelp("An existing role that may push.", valueName: "role"))
  var writer: String?

  @Option(help: ArgumentHelp("An existing role that may query.", valueName: "role"))
  var reader: String?

  @Option(
    help: ArgumentHelp(
      "A cluster of ClickHouse on whose servers the tables are made.", valueName: "name"))
  var cluster: String?

  @Flag(help: "In a cluster, make the servers of a shard replicas of each other.")
  var replicated = false

  func run() throws {
    try FleetURL.withFleet(at: url) { fleet in
      let isNew = try fleet.initialize(
        FleetOptions(
          writer: writer, reader: reader, cluster: cluster, isReplicated: replicated))
      let done = isNew ? "made the tables" : "the tables are there already"
      try StandardOutput.print("\(fleet.name.printable): \(done)")
    }
  }
}
