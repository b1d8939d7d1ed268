import ArgumentParser

struct TriageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "triage",
    abstract: "Ignore failures, or mark them as resolved.",
    discussion: """
      Decisions are lines of a text file, digest-triage.ndjson, which belongs under version control \
      beside the app. The reports top-novel-values, top-failures and spec have a column state; new \
      and check count only what is open or has regressed:

      \(String.definitions(TriageState.allCases.map { ($0.rawValue, $0.meaning) }))

      Of several lines that match a failure the last one counts. To undo a decision, delete its line. \
      A decision holds for all operations, releases and environments. Occurrences and times are of all \
      time, whatever the filters of a report.

      Examples:
        digest-query triage ignore --value yurt --reason 'a house' --until 2027-01-31
        digest-query triage resolve --value villa --reason 'added' --until 4.3.0
        digest-query triage list
      """,
    subcommands: [TriageIgnore.self, TriageResolve.self, TriageList.self, TriagePrune.self]
  )
}
