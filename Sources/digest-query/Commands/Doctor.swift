import ArgumentParser
import DigestStore

struct Doctor: RowCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Report the health of the store, with a remedy for each problem.",
    discussion: """
      One row per check; nothing is changed. ok and note need no action. A warning does: its \
      remedy says what to do, and the exit status is 1. Errors that could not be counted are a \
      warning for a week, and a note after that. The SQLite version is that of this program, \
      and its known bugs are a note: the app may use another version. To check that the counts \
      are right, run verify.

      Examples:
        digest-query doctor --store /var/lib/app/digests.sqlite
        digest-query doctor --format ndjson
      """
  )

  @OptionGroup var output: OutputOptions
  @OptionGroup var store: StoreOptions

  func printOutput() throws {
    let diagnosis = try store.openFileForReading().diagnose()
    do {
      var printer = RowPrinter<Diagnosis.Finding>(output)
      for finding in diagnosis.findings { try printer.print(finding) }
      try printer.finish()
    } catch is ClosedPipe where !diagnosis.isHealthy {
      // Nobody reads the rows, but the status matters all the same.
    }
    guard diagnosis.isHealthy else { throw Failure.negative }
  }
}

extension Diagnosis.Finding: Row {
  static var columns: [Column<Self>] {
    [
      .text("check") { $0.check },
      .text("value") { $0.value },
      .text("status") { $0.status.rawValue },
      .text("remedy", cut: nil) { $0.remedy },
    ]
  }
}
