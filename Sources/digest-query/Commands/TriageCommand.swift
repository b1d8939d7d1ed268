import ArgumentParser

struct TriageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "triage",
    abstract: "Ignore failures, or mark them as resolved.",
    discussion: """
      Decisions are lines of a text file, digest-triage.ndjson, which belongs under version control \
      beside the app. Lists of failures and check leave out what is ignored or resolved, and stderr says \
      how much that is; with --all they include it, and rows have a column state:

      \(String.definitions(TriageState.allCases.map { ($0.rawValue, $0.meaning) }))

      Of several lines that match a failure the last one counts. To undo a decision, delete its line. \
      If there is a store, a decision that matches nothing in it is refused unless --allow-empty is given. \
      A decision holds for all operations, releases and environments. Occurrences and times are of all \
      time, whatever the filters of a report.

      Examples:
        digest-query triage ignore --value yurt --reason 'a house' --until 2027-01-31
        digest-query triage resolve --value villa --reason 'added' --until 4.3.0
        digest-query triage list
      """,
    subcommands: [TriageIgnore.self, TriageResolve.self, TriageList.self]
  )
}

struct TriageIgnore: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ignore",
    abstract: "Ignore failures, for ever or until an end.",
    discussion: """
      Adds a line to the file of decisions. --until is a date (2027-01-31) or a version (4.3.0): \
      a failure that is seen on or after that date, or in that release or a later one, has regressed.

      Example:
        digest-query triage ignore --value yurt --reason 'a house' --until 2027-01-31
      """
  )

  @OptionGroup var decision: DecisionOptions

  func run() throws { try decision.add(.ignored) }
}

struct TriageList: RowCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List decisions, and mark those that no longer apply.",
    discussion: """
      failures counts what a decision matches, and regressed those seen again after its end. \
      remark names a decision that matches nothing, is past its end, or is replaced by later lines.

      Examples:
        digest-query triage list
        digest-query triage list --triage app/digest-triage.ndjson --format csv
      """
  )

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Triage") var triage: TriageFileOption
  @OptionGroup(title: "Store") var store: StoreOptions

  func printOutput() throws {
    let entries = try Triage(TriageFile(triage.name), store.openForReading()).entries
    var printer = try RowPrinter<Triage.TriageEntry>(output)
    for entry in entries { try printer.print(entry) }
    try printer.finish()
  }
}

struct TriageResolve: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resolve",
    abstract: "Mark failures as resolved.",
    discussion: """
      Adds a line to the file of decisions. A failure that is seen afterwards has regressed. --until \
      names the release or the date of the fix: with --until 4.3.0 a failure has regressed only if \
      it is seen in that release or a later one, so older ones can keep reporting it; with a date \
      only if it is seen on or after it.

      Example:
        digest-query triage resolve --value villa --reason 'added' --until 4.3.0
      """
  )

  @OptionGroup var decision: DecisionOptions

  func run() throws { try decision.add(.resolved) }
}
