import APIContract
import ArgumentParser
import DigestStore
import ResilientPlatform

struct Report: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Write one HTML page for the backend team, to mail, read or print.",
    discussion: """
      The page is one file without external resources. It shows totals, the trend, failures, the \
      new ones first, renamed keys, models, and what the numbers do not include. With \
      --release, a failure is new if no older release has it; otherwise if it was first seen \
      in the last seven days of the window or, if nothing is older than these days, in the \
      newest release. With --spec, each failure has the verdict of an OpenAPI document, as digest-query \
      spec prints it, and with a triage file its state; the page has filters for both, and for operations. \
      The page is safe to open, whatever values it contains. It goes to a \
      terminal only with --output -.

      Examples:
        digest-query report --since 30d --output report.html
        digest-query report --model 'App.*' --release 4.2.0 --limit 20 > report.html
      """
  )

  @OptionGroup(title: "Filters") var filters: FilterOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Print at most n models, n new failures, and the n most frequent failures.", valueName: "n"))
  var limit = 20

  @Option(
    help: ArgumentHelp("The OpenAPI document for verdicts.", valueName: "document"),
    completion: .file())
  var spec: String?

  @OptionGroup var contract: ContractOptions
  @OptionGroup(title: "Triage") var triage: TriageOptions
  @OptionGroup(title: "Output") var file: OutputFileOption
  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    try LimitOption.check(limit)
    guard spec != nil || contract.isEmpty else {
      throw ValidationError("--map and --map-file are for --spec: give that too, or leave them out")
    }
    if file.path == nil, StandardOutput.isTerminal {
      throw ValidationError("a terminal cannot show a page: name a file with --output report.html")
    }
  }

  func printOutput() throws {
    let contract = try spec.map { try self.contract.contract(at: $0) }
    let store = try store.openForReading()
    let now = Date()
    let (overview, details, filter, renames, missing, mistakes) = try store.atOneMoment {
      let (filter, clock) = try ReportRunner.endingNow(filters.filter, in: store)
      let overview = try store.overview(
        matching: filter, limit: limit, reaching: filters.reachesNow ? now : nil,
        atMost: now)
      let details = try RowDetails(
        of: overview, matching: filter, in: store, contract: contract,
        triage: triage.triage(of: store))
      let hasRenames = filter.kinds.isEmpty && filter.novelValues.isEmpty
      let isUnknown = overview.models.rows.contains { $0.share == nil && $0.digests != 0 }
      return (
        overview, details, filter,
        // In the latest digests, which are read quickly.
        try hasRenames ? store.latestRenames(matching: filter, limit: limit) : [],
        try ReportRunner.losses(of: store, matching: filter)
          + (isUnknown ? [Note(ReportRunner.whyDigestsAreUnknown)] : []) + clock
          + ReportRunner.unsetClocks(
            in: store, matching: filter, trendSince: overview.trend.starts.first),
        try ReportRunner.mistakes(
          in: filter, of: store, isEmpty: overview.totals.occurrences == 0)
      )
    }
    var output = StandardOutput()
    try Page(
      overview: overview, filter: filter, renames: renames, losses: missing.map(\.text),
      details: details,
      document: spec.map { URL(filePath: $0).lastPathComponent }, date: now
    ).write { html in
      output.write(html.markup)
      try output.flush()
    }
    try output.flush(force: true)
    if overview.totals.occurrences == 0 {
      let decodes = overview.decodes?.decodes ?? 0
      Note.write(
        decodes > 0
          ? "no \(filters.isEmpty ? "" : "matching ")errors in \(decodes.counting("decode"))"
          : "nothing found that matches")
    }
    Note.write(mistakes + missing)
  }
}
