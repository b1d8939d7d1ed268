import ArgumentParser
import DigestStore
import ResilientDecoding
import ResilientPlatform

struct SummaryCommand: RowCommand {
  static let configuration = CommandConfiguration(
    commandName: "summary",
    abstract: "Say what is wrong, since when, how bad it is, and whether it is over.",
    discussion: """
      Compares a window, the last 24 hours unless --since says otherwise, with the window of the \
      same length before it. Lists failures in these sections:

      \(String.definitions(DigestStore.SummarySection.allCases.map { ($0.rawValue, $0.meaning) }))

      rate is the share of the model's decodes with the failure, in the window before and in this one; for \
      a new or vanished one, in this window and, in parentheses, since it began. \
      Where decodes were not counted, numbers of digests are compared. course shows the errors of both \
      windows over time. where is the operation with the most of them or, of a growing failure, the one \
      with the largest growth; +2 counts others; it is the model if there is none. since is the release \
      that had it first. Rates are of whole hours, and so is the window before. A window whose counts \
      were deleted is compared with nothing.

      Failures that digest-query triage has ignored or resolved are not listed.

      Examples:
        digest-query summary
        digest-query summary --since 7d --model 'App.*'
        digest-query summary --format json
      """
  )

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Print at most n failures of each section (default: \(SummaryText.rows) in a table, else all).",
      valueName: "n"))
  var limit: Int?

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Filters") var filters: FilterOptions
  @OptionGroup(title: "Triage") var triage: TriageOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  /// The beginning of a summary's window: that of the filter, else the last 24 hours in whole hours, as rates
  /// are.
  static func since(_ filter: DigestFilter, before now: Date) -> Date {
    filter.since ?? (filter.until ?? now).addingTimeInterval(-86_400).hour
  }

  func validate() throws {
    if let limit { try LimitOption.check(limit) }
  }

  func printOutput() throws {
    let reader = try store.openForReading()
    let (text, notes) = try reader.atOneMoment {
      let now = Date()
      var asked = filters.filter
      asked.since = Self.since(asked, before: now)
      let (filter, clock) = try ReportRunner.endingNow(asked, in: reader)
      let (since, until) = (filter.since ?? now, filter.until ?? now)
      guard since < until else {
        throw ExitFailure.usage(
          asked.until == nil
            ? "--since is now or later: give an earlier time"
            : "--until is not after --since: give a later --until, or an earlier --since")
      }
      let triage = try triage.triage(of: reader)
      let summary = try reader.summary(
        of: since..<until, matching: filter,
        limit: limit ?? (output.format == .table ? SummaryText.rows : nil),
        leavingOut: { triage.hides($0) },
        regressed: { triage.hasRegressed($0) })
      let notes =
        try ReportRunner.notes(
          of: reader, matching: filter.ofAllKinds, isEmpty: summary.failures.isEmpty)
        + ReportRunner.lateRates(
          of: reader, matching: filter, since: summary.failures.map(\.failure.firstSeen).min())
      let text = SummaryText(
        summary: summary,
        sentence: try summary.sentence(filters.filter, matching: filter, in: reader, before: now),
        states: triage.columns(), store: store, decided: triage.note(of: summary.decided)?.text)
      return (text, notes + clock)
    }
    if output.format == .table, output.columns == nil {
      let (lines, note) = text.text(
        isColored: StandardOutput.usesColor, fitting: StandardOutput.width)
      try StandardOutput.write(lines)
      if let note { Note.write([Note(note, .hint)]) }
    } else {
      var printer = try RowPrinter(
        DigestStore.SummarizedFailure.columns + text.states,
        table: DigestStore.SummarizedFailure.tableColumns + text.states, output)
      for row in text.summary.failures { try printer.print(row) }
      try printer.finish()
      if let more = text.summary.more { Note.write(more, .hint) }
      if let notices = text.notices { Note.write(notices) }
      if let decided = text.decided { Note.write(decided) }
    }
    Note.write(notes)
  }
}
