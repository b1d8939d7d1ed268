import ArgumentParser

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
