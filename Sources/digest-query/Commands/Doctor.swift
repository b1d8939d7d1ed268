import ArgumentParser
import DigestStore
import ResilientPlatform

struct Doctor: RowCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Report the health of the store, with a remedy for each problem.",
    discussion: """
      Prints one row per check and changes nothing. ok and note need no action. A warning \
      does: its remedy says what to do, and the exit status is 1. If the contents of the file \
      cannot be read, it prints what it knows without them. Errors that could not be \
      counted are a warning for a week, and a note after that. Once you know of a loss, pass \
      --since with the hour after it: the store keeps its losses, and doctor reports only newer \
      ones. To check that the counts are right, run verify.

      Examples:
        digest-query doctor --store /var/lib/app/digests.sqlite
        digest-query doctor --since 2026-11-21T11:00:00Z
        digest-query doctor --format ndjson
      """
  )

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only losses in this hour or later: a duration ago (24h, 7d), or an ISO 8601 date.",
      valueName: "time"),
    transform: Time.init(argument:)
  )
  var since: Time?

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func printOutput() throws {
    let findings = try findings()
    let isHealthy = !findings.contains { $0.status == .warning }
    do {
      var printer = try RowPrinter<DigestStore.Diagnosis.Finding>(output)
      for finding in findings { try printer.print(finding) }
      try printer.finish()
    } catch is ClosedPipe where !isHealthy {
      // Nobody reads the rows, but the status matters all the same.
    }
    guard isHealthy else { throw ExitFailure.negative }
  }

  /// The findings about the store, or about a file whose contents cannot be read.
  private func findings() throws -> [DigestStore.Diagnosis.Finding] {
    do {
      return try diagnosis().findings
    } catch let error as DigestStoreError where error.isAboutContents {
      return try DigestStore.Diagnosis.findings(ofUnreadable: store.path, error)
    }
  }

  private func diagnosis() throws -> DigestStore.Diagnosis {
    let store = try store.openForReading()
    return try store.atOneMoment {
      var diagnosis = try store.diagnose()
      if let since {
        let date = since.date(before: diagnosis.date)
        // Losses are recorded by hours, so the next one leaves out those of this hour.
        guard date.timeIntervalSince(diagnosis.date) <= 3_600 else {
          throw ExitFailure.usage("--since is in the future; name the next full hour or before")
        }
        diagnosis.losses = try store.losses(matching: DigestFilter(since: date))
        diagnosis.lossesSince = date
      }
      return diagnosis
    }
  }
}

extension DigestStoreError {
  /// Whether a file is there and can be read, but not its contents.
  var isAboutContents: Bool { code == .damaged || code == .foreignSchema }
}

extension DigestStore.Diagnosis.Finding: OutputRow {
  static var columns: [Column<Self>] {
    [
      .text("check") { $0.check },
      .text("value") { $0.value }.dropped(at: 1),
      .text("status") { $0.status.rawValue },
      .text("remedy", cut: nil) { $0.remedy },
    ]
  }
}
