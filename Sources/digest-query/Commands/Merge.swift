import ArgumentParser
import DigestStore

struct Merge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Add the counts and digests of other stores. No digest is counted twice.",
    discussion: """
      The other stores are only read, and all of them are opened before anything is written. \
      Each is added as a whole, with the counts of digests that it has deleted; its losses are \
      reported on stderr. Merging again adds what is new there, and completes a merge that was \
      interrupted. A store that was already merged in a later state, such as a restored backup, is \
      refused. A store that does not exist is \
      created.

      Examples:
        digest-query merge phone.sqlite tablet.sqlite --store all.sqlite
        digest-query merge /backup/digests.sqlite
      """
  )

  @Argument(help: "The stores to add.", completion: .file())
  var stores: [String]

  @OptionGroup(title: "Store") var store: StoreOptions

  func run() throws {
    let path = try store.file
    let job = InterruptibleJob("merging") { _ in
      "nothing is counted twice; merge them again to add the rest"
    }
    defer { job.end() }
    let summaries: [DigestStore.MergeSummary]
    do {
      summaries = try DigestStore.mergeStores(
        at: stores, intoStoreAt: path, configuration: .forImport,
        progress: job.show)
    } catch let error as DigestStoreError where error.code == .noSuchStore {
      throw ExitFailure.missing(
        "\(error.description); name the stores to add, and with --store the one "
          + "to add them to")
    }
    job.end()
    for summary in summaries {
      try StandardOutput.print(
        "\(summary.path.printable): merged \(summary.added.counting("digest")), \(summary.known) "
          + "were there already")
      summary.writeNotes()
    }
  }
}

extension DigestStore.MergeSummary {
  /// Writes a note about each problem of the store that was merged.
  func writeNotes() {
    for problem in problems { Note.write("\(path): skipped \(problem)") }
    Note.write(unreadable: unreadable, in: path)
    let losses = Dictionary(grouping: losses, by: \.reason)
    for (reason, losses) in losses.sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where ![.undated, .unattributed].contains(reason) {
      Note.write("\(path): \(LossMessage(reason: reason, losses).text(about: .merge))")
    }
  }
}
