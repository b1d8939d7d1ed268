import ArgumentParser

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
