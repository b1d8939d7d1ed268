import ArgumentParser

struct TriageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "triage",
    abstract: "Ignore failures, or mark them as resolved.",
    discussion: """
      Decisions are lines of a text file, digest-triage.ndjson, which belongs under version control \
      beside the app. The reports top-novel-values, top-failures and spec have a column state; new \
      and check count only what is open or has regressed:

        open       nothing was decided
        ignored    until the end of the decision, or for ever if it has none
        resolved   not seen since the decision, or since its end
        regressed  seen again after the end, or in the release of the end or a later one

      Of several lines that match a failure the last one counts. To undo a decision, delete its line. \
      A decision holds for all operations, releases and environments. Occurrences and times are of all \
      time, whatever the filters of a report.

      Examples:
        digest-query triage ignore --value yurt --reason 'shown as a house' --until 2027-01-31
        digest-query triage resolve --model App.Listing --path kind --value villa --until 4.3.0
        digest-query triage list
      """,
    subcommands: [TriageIgnore.self, TriageResolve.self, TriageList.self, TriagePrune.self]
  )
}
