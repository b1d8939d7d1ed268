import ArgumentParser
import DigestStore

struct Merge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Add the digests of other stores. No digest is counted twice.",
    discussion: """
      The other stores are only read, and all of them are read before anything is written. \
      The counts of digests that one of them has evicted cannot be added, nor can its losses, \
      which a second merge would count twice; stderr reports both. A store that does not exist \
      is created, and appears once it contains everything. The store keeps the id of each added \
      digest, some 130 bytes with the index, so it may take two to four times the space of the \
      stores that are added.

      Examples:
        digest-query merge phone.sqlite tablet.sqlite --store all.sqlite
        digest-query merge /backup/digests.sqlite
      """
  )

  @Argument(help: "The stores to add.", completion: .file())
  var stores: [String]

  @OptionGroup var store: StoreOptions

  func run() throws {
    let path = store.path
    let job = InterruptibleJob("merging", into: path, remedy: "merge the stores again")
    defer { job.end() }
    let summaries: [DigestStore.MergeSummary]
    do {
      summaries = try DigestStore.mergeStores(
        at: stores, intoStoreAt: path, configuration: .forImport(into: path),
        progress: job.show)
    } catch let error as DigestStoreError where error.code == .noSuchStore {
      throw Failure.missing(
        "\(error.description); name the stores to add, and with --store the one "
          + "to add them to")
    }
    job.end()
    for summary in summaries {
      try StandardOutput.print(
        "\(summary.path.printable): merged \(summary.added.counting("digest")), \(summary.known) "
          + "were there already")
      for problem in summary.problems { Note.write("\(summary.path): skipped \(problem)") }
      Note.write(unreadable: summary.unreadable, in: summary.path)
      let losses = Dictionary(grouping: summary.losses, by: \.reason)
      for (reason, losses) in losses.sorted(by: { $0.key.rawValue < $1.key.rawValue })
      where reason != .undated {
        Note.write("\(summary.path): \(LossMessage(reason: reason, losses).text(about: .merge))")
      }
    }
  }
}
