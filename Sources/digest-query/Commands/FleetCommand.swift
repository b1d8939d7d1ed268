import ArgumentParser
import DigestFleet
import DigestStore
import ResilientPlatform

struct FleetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fleet",
    abstract: "Make a fleet, list its stores, and remove one.",
    discussion: """
      A fleet counts the digests of many stores, in a file, in PostgreSQL or in ClickHouse. Each \
      store is pushed to it with digest-query push. Reports read a fleet with --store, as any store.

      Examples:
        digest-query fleet init /srv/fleet.sqlite
        digest-query fleet init postgresql://admin@db.example/drift
      """,
    subcommands: [FleetInit.self, FleetSources.self, FleetForget.self]
  )
}

struct FleetInit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Make a fleet.",
    discussion: """
      In PostgreSQL, makes the schema digests in a database; in ClickHouse, makes tables in a \
      database. A fleet that is there already stays as it is.

      Examples:
        digest-query fleet init /srv/fleet.sqlite
        digest-query fleet init postgresql://admin@db.example/drift
        digest-query fleet init clickhouse://admin@ch.example/drift
      """
  )

  @Argument(help: "The path of the new file, or the URL of a database.", completion: .file())
  var fleet: String

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A role that may read a fleet in PostgreSQL.", valueName: "role"))
  var reader: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A role that may push to it, and see and change only what it has pushed.", valueName: "role"))
  var writer: [String] = []

  func run() throws {
    if FleetURL.isFleet(fleet) {
      guard reader.isEmpty && writer.isEmpty || FleetURL.grantsRoles(fleet) else {
        throw ExitFailure.usage(
          "grant users of ClickHouse what they need with GRANT; see the article Fleet")
      }
      return try FleetURL.connect(fleet).makeTables(readers: reader, writers: writer)
    }
    guard reader.isEmpty, writer.isEmpty else {
      throw ExitFailure.usage("--reader and --writer need a database; a file has permissions")
    }
    let store = try DigestStore(path: fleet, configuration: .forImport)
    try store.close()
  }
}

struct FleetSources: RowCommand {
  static let configuration = CommandConfiguration(
    commandName: "sources",
    abstract: "List the stores that a fleet counts.",
    discussion: """
      The store whose last push is longest ago comes first. name is that of its last push, and source \
      is the identity of the store, which begins the ids of its digests. pushed_at is the time of the \
      last push, even if it brought nothing new, and last_seen that of the last error. whole is false if its last push has \
      not ended. occurrences counts errors; decodes are those with and \
      without errors.

      Examples:
        digest-query fleet sources --store /srv/fleet.sqlite
        digest-query fleet sources --store /srv/fleet.sqlite --format csv
      """
  )

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func printOutput() throws {
    let sources = try store.openForReading().sources()
    var printer = try RowPrinter<DigestStore.Source>(output)
    for source in sources { try printer.print(source) }
    try printer.finish()
  }
}

struct FleetForget: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Remove the digests and counts of a store from a fleet.",
    discussion: """
      Stop its pushes first: if the store is pushed again, it is counted again. The file of the \
      store is not touched. Losses, and totals that a size limit added to those of all releases, \
      stay counted.

      Example:
        digest-query fleet forget 0c1be3c13cb34ac5a4a0e8a87e7f4a0d --store /srv/fleet.sqlite
      """
  )

  @Argument(
    help: "The source, as fleet sources lists it: its identity, or its name if no other has that.")
  var source: String

  @OptionGroup(title: "Store") var store: StoreOptions

  func run() throws {
    let occurrences: Int
    if FleetURL.isFleet(store.path) {
      occurrences = try FleetURL.connect(store.path).forget(source: source)
    } else {
      // Only an existing fleet is opened for writing.
      try store.openForReading().close()
      let fleet = try DigestStore(
        path: store.path, configuration: .forImport)
      occurrences = try fleet.forget(source: source)
      try fleet.close()
    }
    try StandardOutput.print(
      "\(source.printable): forgot \(occurrences.counting("occurrence"))")
  }
}
