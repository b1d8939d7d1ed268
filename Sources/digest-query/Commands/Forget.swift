import ArgumentParser
import DigestFleet
import DigestStore
import ResilientPlatform

struct Forget: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Remove a store that is gone from a fleet, with its counts and digests.",
    discussion: """
      Reports no longer count the store. Stop its pushes first. The file of the store is not \
      touched: if it is pushed again, the fleet counts it as a new store. Other stores stay as they \
      are. In PostgreSQL, errors that a prune has added to the sums of all stores stay counted.

      Examples:
        digest-query forget web-7 --store postgresql://admin@db.example/drift
        digest-query forget web-7 --store clickhouse://admin@ch.example/drift
      """
  )

  @Argument(help: "The name of the store in the fleet, or its identity.")
  var name: String

  @OptionGroup var store: StoreOptions

  func run() throws {
    guard store.source == nil else {
      throw Failure.usage("--source selects stores for a report: leave it out, and name one store")
    }
    let forgotten = try FleetURL.withFleet(at: store.path) { try $0.forget(name) }
    try StandardOutput.print(
      "\(forgotten.source.name.printable): forgot "
        + "\((forgotten.source.occurrences - forgotten.remaining).counting("error"))")
    if forgotten.remaining > 0 {
      Note.write(
        "still counted: \(forgotten.remaining.counting("error")) (a prune has added them to the sums of all "
          + "stores)")
    }
  }
}
