import ArgumentParser
import DigestFleet
import DigestStore
import ResilientPlatform

struct PushCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "push",
    abstract: "Send what a fleet does not have yet. Safe to repeat, for example from cron.",
    discussion: """
      Sends the counts of failures by hour, day and release. With --digests it also sends the \
      digests, which take more space there than the counts. You can interrupt a push at any \
      time and run it again, and run two at the same time: nothing is counted twice or missed. \
      The store is only read. A copy or an older state of a store that was pushed is refused, \
      and the error message says how to push what only that file contains. A store keeps the \
      name of its first push. The default in PostgreSQL is sslmode=verify-full, as for init.

      Examples:
        digest-query push postgresql://pusher@db.example/drift
        digest-query push postgresql://pusher@db.example/drift --name web-7
        digest-query push clickhouse://web_7@ch.example/drift --digests
      """
  )

  @Argument(help: FleetURL.help)
  var url: String

  @Option(
    help: ArgumentHelp(
      "The name of the store in the fleet (default: its current name there, else the machine's).",
      valueName: "name"))
  var name: String?

  @Flag(
    help: "Rename the store, or take the name over from another store.")
  var takeName = false

  @Flag(help: "Also send the digests themselves, for the commands digests and export.")
  var digests = false

  @OptionGroup var store: StoreOptions

  func run() throws {
    let line = ProgressLine("pushing")
    defer { line.erase() }
    try FleetURL.withFleet(at: url) { fleet in
      let summary: PushSummary
      do {
        summary = try fleet.push(
          store.openFileForReading(),
          as: SourceName(
            given: name, fallback: ProcessInfo.processInfo.hostName, isTaken: takeName),
          withDigests: digests
        ) {
          line.show($0)
        }
      } catch let error as FleetError where error.code == .unfit {
        throw Failure.badInput(
          "\(error.description): \(Self.remedy(store.path, after: error.lastCountedDigest))")
      }
      line.erase()
      try StandardOutput.print(
        "\(summary.source.printable): pushed \(summary.counts.counting("count")) and "
          + "\(summary.failures.counting("failure")) that were new; the fleet has "
          + "\(summary.occurrences.counting("error")) of \(summary.digests.counting("digest"))"
          + (summary.sentDigests.map { "; sent \($0.sent.counting("digest"))" } ?? ""))
      if let missed = summary.sentDigests?.missed, missed > 0 {
        Note.write(
          "not sent: \(missed.counting("digest")) (evicted before this push); they are counted")
      }
      Note.write(unreadable: summary.sentDigests?.unreadable ?? 0, in: store.path)
    }
  }

  /// The remedy for a file that is a copy or an older state of one that was pushed.
  ///
  /// - Parameter digest: the id of the last digest that the fleet certainly counts; nil if none
  ///   is known.
  private static func remedy(_ path: String, after digest: String?) -> String {
    // So that it is not read as an option.
    let path = path.hasPrefix("-") ? "./\(path)" : path
    // The new path must not have files of an earlier restore, nor a log that SQLite would read.
    let names = ["\(path).restored"] + (2...99).map { "\(path).restored-\($0)" }
    let moved =
      names.first { name in
        ["", "-wal", "-shm"].allSatisfy { access(name + $0, F_OK) != 0 }
      } ?? names[0]
    let after = digest.map { " --after=\($0.shellQuoted)" } ?? ""
    return
      "stop the app, move the file to \(moved.shellQuoted), with its -wal and -shm, push once with "
      + "--take-name afterwards\(digest == nil ? ", which counts again what the fleet has of it" : ""), "
      + "and run: digest-query export\(after) --store \(moved.shellQuoted) | digest-query import - "
      + "--store \(path.shellQuoted)"
  }
}
