import ArgumentParser
import DigestFleet

struct Sources: RowCommand {
  static let configuration = CommandConfiguration(
    commandName: "sources",
    abstract: "List the stores of a fleet and when each was last pushed.",
    discussion: """
      The store whose last push is longest ago comes first. lag is the number of seconds since \
      that push, and last_recorded the time of the newest digest in it. The default is \
      sslmode=verify-full, as for init.

      Examples:
        digest-query sources --store postgresql://oncall@db.example/drift
        digest-query sources --store postgresql://db.example/drift --format csv
      """
  )

  @OptionGroup var output: OutputOptions
  @OptionGroup var store: StoreOptions

  func printOutput() throws {
    try FleetURL.withFleet(at: store.path) { fleet in
      let sources = try fleet.sources(named: store.source)
      var printer = RowPrinter<FleetSource>(output)
      for source in sources { try printer.print(source) }
      try printer.finish()
    }
  }
}

extension FleetSource: Row {
  static var columns: [Column<Self>] {
    [
      .text("source") { $0.name },
      .text("identity") { $0.identity },
      .number("occurrences") { $0.occurrences },
      .number("digests") { $0.digests },
      .time("last_recorded") { $0.lastRecordedAt },
      .time("last_pushed") { $0.lastPushedAt },
      .decimal("lag") { $0.lag },
      .text("role") { $0.role },
    ]
  }
}
