import ArgumentParser
import DigestStore

struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the digests themselves: NDJSON for import, CSV or TSV for spreadsheets.",
    discussion: """
      NDJSON has one digest a line, always whole: --model, --path, --kind and --value choose the \
      digests that have such a failure. CSV and TSV have one occurrence a line, and filters choose \
      occurrences. Lines end with LF.

      Examples:
        digest-query export > digests.ndjson
        digest-query export --format csv --since 7d --output drift.csv
      """
  )

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case ndjson, csv, tsv
  }

  @OptionGroup var filters: FilterOptions

  @Option(help: "What to write.")
  var format: Format = .ndjson

  @OptionGroup var raw: RawOption
  @OptionGroup var file: OutputFileOption
  @OptionGroup var store: StoreOptions

  func run() throws {
    let store = try store.openForReading()
    let filter = filters.filter
    // Not among the lines that are being read there.
    let line = StandardOutput.isTerminal ? nil : ProgressLine("exporting")
    defer { line?.erase() }
    switch format {
    case .ndjson: try exportDigests(of: store, matching: filter, line)
    case .csv: try exportOccurrences(of: store, matching: filter, as: .csv, line)
    case .tsv: try exportOccurrences(of: store, matching: filter, as: .tsv, line)
    }
    line?.erase()
    try Report.noteLosses(of: store, matching: filter, about: .export)
  }

  private func exportDigests(
    of store: DigestStore,
    matching filter: DigestFilter,
    _ line: ProgressLine?
  ) throws {
    var output = StandardOutput()
    try store.exportLines(matching: filter, progress: line?.show) { try output.sendJSON($0) }
  }

  private func exportOccurrences(
    of store: DigestStore,
    matching filter: DigestFilter,
    as format: digest_query.Format,
    _ line: ProgressLine?
  ) throws {
    let separatedValues = SeparatedValues(
      isRaw: raw.isRaw, isForTerminal: StandardOutput.isTerminal)
    let encoding = separatedValues.encoding(isTSV: format == .tsv)
    var output = StandardOutput()
    output.write(
      Occurrence.columns.joined(separator: format == .tsv ? "\t" : ",") + "\n")
    // At once, for the first occurrence may be far away.
    try output.flush(force: true)
    try store.exportRows(matching: filter, as: encoding, progress: line?.show) {
      try output.send($0)
    }
  }
}
