import ArgumentParser
import DigestStore

struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write digests as NDJSON for import, or occurrences as CSV or TSV for spreadsheets.",
    discussion: """
      NDJSON has one digest per line. Digests are always whole: --path, --kind and --value \
      select digests that contain such a failure. Without these filters, the decodes without \
      errors follow, one line for each hour, model and release. CSV and TSV have one occurrence \
      per line, and filters select occurrences; errors that a full digest only counted are one \
      line with their number, times. Lines end with LF.

      Examples:
        digest-query export > digests.ndjson
        digest-query export --format csv --since 7d --output drift.csv
      """
  )

  enum ExportedFormat: String, CaseIterable, ExpressibleByArgument {
    case ndjson, csv, tsv
  }

  @Option(
    name: .customLong("format"),
    help: "The format to write (default: by the extension of --output, else ndjson).")
  var chosenFormat: ExportedFormat?

  @OptionGroup(title: "Output") var raw: RawOption
  @OptionGroup(title: "Output") var file: OutputFileOption
  @OptionGroup(title: "Filters") var filters: FilterOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  private var format: ExportedFormat { chosenFormat ?? file.format() ?? .ndjson }

  func validate() throws { try raw.check(format) }

  func run() throws {
    try file.redirectOutput {
      let store = try store.openForReading()
      let (filter, clock) = try ReportRunner.endingNow(filters.filter, in: store)
      let isEmpty = try !export(from: store, matching: filter)
      if isEmpty, !filters.isEmpty { Note.write("nothing found that matches") }
      try Note.write(ReportRunner.mistakes(in: filter, of: store, isEmpty: isEmpty))
      try Note.write(ReportRunner.losses(of: store, matching: filter, about: .export) + clock)
    }
  }

  /// - Returns: whether anything was written.
  private func export(
    from store: DigestReader, matching filter: DigestFilter
  ) throws -> Bool {
    // Progress would mix with the lines on a terminal.
    let line = StandardOutput.isTerminal ? nil : ProgressLine("exporting")
    defer { line?.erase() }
    var output = StandardOutput()
    var isEmpty = true
    guard format != .ndjson else {
      let summary = try store.exportLines(matching: filter, progress: line?.show) {
        isEmpty = isEmpty && $0.isEmpty
        try output.sendJSON($0)
      }
      Note.write(unreadable: summary.unreadable, in: store.path)
      return !isEmpty
    }
    output.write(
      DigestStore.Occurrence.columns.map(\.name).joined(separator: format == .tsv ? "\t" : ",")
        + "\n")
    // At once, because the first occurrence may take long to find.
    try output.flush(force: true)
    let encoding = SeparatedValues(isRaw: raw.isRaw, isForTerminal: StandardOutput.isTerminal)
      .encoding(isTSV: format == .tsv)
    let summary = try store.exportRows(
      matching: filter, as: encoding, progress: line?.show
    ) {
      isEmpty = isEmpty && $0.isEmpty
      try output.send($0)
    }
    Note.write(unreadable: summary.unreadable, in: store.path)
    return !isEmpty
  }
}
