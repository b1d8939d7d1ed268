import APIContract
import ArgumentParser
import DigestStore
import ResilientPlatform

struct Report: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Write one HTML page for the backend team, to mail, read or print.",
    discussion: """
      The page is one file without external resources. It begins with the sentence of digest-query \
      summary about the window or, without --since, about its last seven days. Failures are grouped \
      by operation, in the order of the summary. Each begins with its section, such as new, and opens \
      for details. Filters on the page recount rows, totals and the chart. With --spec, each failure has \
      the verdict of an OpenAPI document, as digest-query spec prints it, and with a triage file its state. \
      The page is safe to open, whatever values it contains. It goes to a \
      terminal only with --output -.

      Examples:
        digest-query report --since 30d --output report.html
        digest-query report --model 'App.*' --release 4.2.0 --limit 20 > report.html
      """
  )

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Print at most n failures of each section of the summary, and n models.", valueName: "n"))
  var limit = 20

  @Option(
    help: ArgumentHelp("The OpenAPI document for verdicts.", valueName: "document"),
    completion: .file())
  var spec: String?

  @Option(help: .hidden, transform: Self.live)
  var live: LivePage?

  @OptionGroup var contract: ContractOptions

  @OptionGroup(title: "Output") var file: OutputFileOption
  @OptionGroup(title: "Filters") var filters: FilterOptions
  @OptionGroup(title: "Triage") var triage: TriageOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  private static func live(_ argument: String) throws -> LivePage {
    guard let live = LivePage(rawValue: argument) else { throw ValidationError("read or triage") }
    return live
  }

  func validate() throws {
    try LimitOption.check(limit)
    try contract.check(hasDocument: spec != nil)
    if file.path == nil, StandardOutput.isTerminal {
      throw ValidationError("a terminal cannot show a page: name a file with --output report.html")
    }
  }

  func printOutput() throws {
    let contract = try spec.map { try self.contract.contract(at: $0) }
    let store = try store.openForReading()
    let now = Date()
    let (page, missing, mistakes) = try store.atOneMoment {
      let (filter, clock) = try ReportRunner.endingNow(filters.filter, in: store)
      let decisions = try triage.triage(of: store)
      let overview = try store.overview(
        matching: filter, limit: limit, reaching: filters.reachesNow ? now : nil, atMost: now,
        leavingOut: { decisions.hides($0) },
        regressed: { decisions.hasRegressed($0) })
      let details = try PageDetails(
        of: overview, matching: filter, in: store, contract: contract, triage: decisions)
      let isUnknown = overview.models.contains { $0.share == nil && $0.digests != 0 }
      let missing =
        try ReportRunner.losses(
          of: store, matching: filter.ofAllKinds, byContexts: true, byPeriods: true)
        + ReportRunner.lateRates(
          of: store, matching: filter, since: overview.totals.firstSeen)
        + (isUnknown ? [Note(ReportRunner.whyDigestsAreUnknown)] : []) + clock
        + ReportRunner.unsetClocks(
          in: store, matching: filter, trendSince: overview.trend.starts.first)
      let page = Page(
        overview: overview, filter: filter, losses: missing.map(\.text),
        sentence: try overview.summary.sentence(
          filters.filter, matching: filter, in: store, before: now),
        details: details,
        hidden: decisions.text(of: overview.decided),
        document: spec.map { URL(filePath: $0).lastPathComponent }, live: live, date: now)
      let mistakes = try ReportRunner.mistakes(
        in: filter, of: store, isEmpty: page.isEmpty)
      return (page, missing, mistakes)
    }
    var output = StandardOutput()
    try page.write { html in
      output.write(html.markup)
      try output.flush()
    }
    try output.flush(force: true)
    if page.isEmpty {
      Note.write(
        page.overview.decodes?.nothingWrong(page.filter) ?? "nothing found that matches")
    }
    if let hidden = page.hidden { Note.write("not listed: \(hidden) (--all)") }
    if !page.overview.notices.isEmpty { Note.write(LossMessage.text(of: page.overview.notices)) }
    Note.write(mistakes + missing)
  }
}
