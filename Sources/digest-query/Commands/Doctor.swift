import ArgumentParser
import DigestStore

struct Doctor: RowCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "How is the store doing, and is there something to do about it?",
    discussion: """
      One row a check; nothing is changed. A status of ok or note needs no one. Exit status 1 when \
      there is a warning, which does: its remedy says what to do. What could not be counted is a \
      warning for a week, and a note after that. The SQLite is the one of this program, and its bugs a note: \
      the app may have another one. Whether the counts are right is for verify to say.

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
      // Nobody reads the rows, and the status says it all the same.
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
