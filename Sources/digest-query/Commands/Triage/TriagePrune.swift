import ArgumentParser

struct TriagePrune: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Remove decisions that no longer apply.",
    discussion: """
      Removes the lines that triage list remarks on, and prints them, unless they still decide \
      something: a decision past its end stays while it still hides a failure. A decision that \
      matches nothing in this store may match something in another one: --dry-run only prints.

      Example:
        digest-query triage prune --dry-run
      """
  )

  @Flag(help: "Print the lines, and remove none.")
  var dryRun = false

  @OptionGroup(title: "Triage") var triage: TriageFileOption
  @OptionGroup(title: "Store") var store: StoreOptions

  func run() throws {
    let decisions = try Triage(TriageFile(triage.name), store.openForReading())
    let useless = decisions.entries.filter(\.isUseless)
    let path = decisions.file.path
    var count = useless.count
    if !dryRun, !useless.isEmpty {
      count = try TriageFile.remove(useless.map { ($0.line, $0.decision) }, from: path) {
        Note.writeWaiting(for: path)
      }
    }
    let action = dryRun ? "would be removed" : "removed"
    for entry in useless {
      try StandardOutput.print(
        "line \(entry.line) (\(entry.remark ?? "")): \(entry.decision.line)".printable)
    }
    try StandardOutput.print(
      "\(path.printable): \(count) of \(decisions.entries.count.counting("line")) \(action)"
    )
  }
}
