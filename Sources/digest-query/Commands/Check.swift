import ArgumentParser
import DigestStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

struct Check: RowCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Fail with exit status 1 when a limit is exceeded. For cron and CI.",
    discussion: """
      Prints one line that begins with ok, or one for each limit that is exceeded. New is what the command new lists with the same options; \
      without --since and --release every novel value is. Filters hold for all limits. An \
      unknown model, release, path or value is an error, also beside a known one, and so is a window \
      in the future: the limits would hold whatever happened. A release without failures is unknown too; pass \
      --allow-empty to count 0. Losses of the store are noted on stderr and exceed no limit.

      Examples:
        digest-query check --max-new-novel-values 0
        digest-query check --max-new-novel-values 0 --since 24h
        digest-query check --max-new-novel-values 0 --max-occurrences 100 --since 1h
        digest-query check --max-new-novel-values 0 --release 4.3.0 --allow-empty
      """
  )

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Allow so many novel values that are new since --since or in --release; otherwise of all.",
      valueName: "n")
  )
  var maxNewNovelValues: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Allow so many occurrences of all failures together.", valueName: "n")
  )
  var maxOccurrences: Int?

  @Flag(help: "Count 0 for names that the store has never met, and for the future.")
  var allowEmpty = false

  @OptionGroup var filters: FilterOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var store: StoreOptions

  func validate() throws {
    guard maxNewNovelValues != nil || maxOccurrences != nil else {
      throw ValidationError("give it --max-new-novel-values or --max-occurrences")
    }
    let limits = [
      ("--max-new-novel-values", maxNewNovelValues), ("--max-occurrences", maxOccurrences),
    ]
    for (name, limit) in limits {
      guard let limit, limit < 0 else { continue }
      throw ValidationError("\(name) \(limit) is too small: give it 0 or more")
    }
  }

  func printOutput() throws {
    let store = try store.openForReading()
    let filter = filters.filter
    if !allowEmpty {
      try ReportRunner.checkIsNotEmpty(
        filter, in: store, before: Date(), "nothing was checked",
        remedy: "to count 0, add --allow-empty")
    }
    let limits = try self.limits(store, filter)
    // Before anything is said of the limits: an error is no answer.
    try ReportRunner.noteLosses(of: store, matching: filter, about: .counts)
    let isExceeded = limits.contains { $0.isExceeded }
    do {
      try print(limits)
    } catch is ClosedPipe where isExceeded {
      // Nobody reads the lines, and the status says it all the same.
    }
    if isExceeded { throw Failure.negative }
  }

  private func limits(_ store: DigestStore, _ filter: DigestFilter) throws -> [CheckedLimit] {
    var limits: [CheckedLimit] = []
    if let maxNewNovelValues {
      let values = try store.newNovelValues(matching: filter)
      limits.append(.newNovelValues(values, allowed: maxNewNovelValues))
    }
    if let maxOccurrences {
      let occurrences = try store.occurrences(matching: filter)
      limits.append(.occurrences(occurrences, allowed: maxOccurrences))
    }
    return limits
  }

  private func print(_ limits: [CheckedLimit]) throws {
    guard output.format == .table else {
      var printer = RowPrinter<CheckedLimit>(output)
      for limit in limits { try printer.print(limit) }
      return try printer.finish()
    }
    let exceeded = limits.filter(\.isExceeded)
    let lines =
      exceeded.isEmpty
      ? ["ok: \(limits.map(\.summary).joined(separator: ", "))"]
      : exceeded.map { "exceeded: \($0.summary)\($0.details.isEmpty ? "" : ": ")\($0.details)" }
    try StandardOutput.print(lines.joined(separator: "\n"))
  }
}
