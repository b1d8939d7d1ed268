import ArgumentParser
import DigestStore

struct Digests: RowCommand {
  static let configuration = CommandConfiguration(
    commandName: "digests",
    abstract: "List the latest digests, or show all errors of one.",
    discussion: """
      Without an id, the command lists the latest digests, most recently written first. \
      Filters select whole digests. With ids, it shows each of these digests in full: as a \
      tree of errors in a table, as the object that export writes in JSON, and with one row \
      per error in the other formats. Errors that a full digest only counted are one row with \
      their number, times. An id may be the short one that a table shows.

      Examples:
        digest-query digests --since 1h --model App.Listing
        digest-query digests 7c1f36ab-1042
      """
  )

  /// The default number of digests.
  private static let listed = 20

  @Argument(help: "The ids of digests to show in full.")
  var ids: [String] = []

  @OptionGroup(title: "Filters") var filters: FilterOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Print at most n rows (default: 20).", valueName: "n"))
  var limit: Int?

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    try LimitOption.check(limit ?? Self.listed)
    try output.checkColumns(
      hasRows: ids.isEmpty || [.csv, .tsv, .markdown].contains(output.format))
    guard !ids.isEmpty else { return }
    guard filters.isEmpty, limit == nil else {
      throw ValidationError("an id names one digest: leave out the filters and --limit, or the id")
    }
    guard !ids.contains("") else { throw ValidationError("an id is empty: leave it out") }
  }

  func printOutput() throws {
    guard ids.isEmpty else { return try printWhole(from: store.openForReading()) }
    var unreadable = 0
    try ReportRunner(
      store: store, filter: filters.filter, limit: limit ?? Self.listed, output: output
    )
    .print(about: .digests) {
      let list = try $0.readableDigests(matching: $1, limit: $2)
      unreadable = list.unreadable
      return list.digests
    }
    Note.write(unreadable: unreadable, in: store.name)
  }

  /// Prints digests in full, once all of them are found.
  private func printWhole(from store: DigestReader) throws {
    let ids = try ids.map { id in
      guard let whole = try self.store.wholeID(id, in: store) else { throw self.store.noDigest(id) }
      return whole
    }
    switch output.format {
    case .table: try printTrees(try ids.map { try digest($0, in: store) })
    case .csv, .tsv, .markdown:
      var printer = try RowPrinter<DigestStore.Occurrence>(output)
      for id in ids {
        let digest = try digest(id, in: store)
        for error in digest.entries + digest.omissions { try printer.print(error) }
      }
      try printer.finish()
    case .json, .ndjson:
      let objects = try ids.map { id in
        guard let line = try store.exportLine(ofDigest: id) else { throw self.store.noDigest(id) }
        return String(decoding: line.dropLast(), as: UTF8.self)
      }
      let isArray = output.format == .json && ids.count > 1
      var stdout = StandardOutput()
      stdout.writeJSON(
        isArray
          ? "[\n  \(objects.joined(separator: ",\n  "))\n]\n"
          : objects.map { $0 + "\n" }.joined())
      try stdout.flush(force: true)
    }
  }

  private func printTrees(_ digests: [DigestStore.RecordedDigest]) throws {
    var stdout = StandardOutput()
    for (index, digest) in digests.enumerated() {
      let tree = DigestTree(digest)
      let heading =
        StandardOutput.usesColor ? "\u{1B}[1m\(tree.heading)\u{1B}[0m" : tree.heading
      stdout.write((index > 0 ? "\n" : "") + heading + "\n")
      for line in tree.lines { stdout.write(line + "\n") }
      try stdout.flush()
    }
    try stdout.flush(force: true)
  }

  private func digest(_ id: String, in store: DigestReader) throws -> DigestStore.RecordedDigest {
    guard let digest = try store.digest(id: id) else { throw self.store.noDigest(id) }
    return digest
  }
}
