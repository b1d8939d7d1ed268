import ArgumentParser
import DigestFleet
import DigestStore

struct PushCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "push",
    abstract: "Send what is new in a store to a fleet.",
    discussion: """
      A fleet counts the digests of many stores, in a file, in PostgreSQL or in ClickHouse; fleet \
      init makes one. Reports read it with --store, as any store. A push sends new digests, and the \
      counts of the hours and days that changed. It writes nothing to the store. Repeating a push \
      counts nothing twice, and completes one that was interrupted. A push of an older copy of a \
      store, such as a restored backup, is refused.

      Examples:
        digest-query push /srv/fleet.sqlite --store /var/lib/app/digests.sqlite
        digest-query push postgresql://pusher@db.example/drift
      """
  )

  @Argument(help: "The fleet.", completion: .file())
  var fleet: String

  @OptionGroup(title: "Store") var store: StoreOptions

  func run() throws {
    let path = try store.file
    try store.openForReading().close()
    let server = try FleetURL.isFleet(fleet) ? FleetURL.connect(fleet) : nil
    // A mistyped path must not become a new fleet.
    if server == nil { _ = try FleetCommand.open(fleet) }
    let job = InterruptibleJob("pushing") { _ in
      "nothing is counted twice; push again"
    }
    defer { job.end() }
    let summaries =
      try server.map { [try $0.push(storeAt: path, progress: job.show)] }
      ?? DigestStore.mergeStores(
        at: [path], intoStoreAt: fleet, configuration: .forImport, progress: job.show)
    job.end()
    for summary in summaries {
      try StandardOutput.print(
        "\(path.printable): pushed \(summary.added.counting("digest")) and the counts of "
          + summary.periods.counting("period"))
      summary.writeNotes()
    }
  }
}
