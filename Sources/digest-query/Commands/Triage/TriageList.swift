import ArgumentParser

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

  @OptionGroup(title: "Triage") var triage: TriageFileOption
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func printOutput() throws {
    let entries = try Triage(TriageFile(triage.name), store.openForReading()).entries
    var printer = try RowPrinter<Triage.Entry>(output)
    for entry in entries { try printer.print(entry) }
    try printer.finish()
  }
}
