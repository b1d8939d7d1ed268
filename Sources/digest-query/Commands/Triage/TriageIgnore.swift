import ArgumentParser

struct TriageIgnore: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ignore",
    abstract: "Ignore failures, for ever or until an end.",
    discussion: """
      Adds a line to the file of decisions. --until is a date (2027-01-31), a release (4.3.0) or a \
      number of occurrences (1000): a failure that is seen on or after that date, in that release or \
      a later one, or more often, has regressed.

      Example:
        digest-query triage ignore --value yurt --reason 'a house' --until 1000
      """
  )

  @OptionGroup var decision: DecisionOptions

  func run() throws { try decision.add(.ignored) }
}
