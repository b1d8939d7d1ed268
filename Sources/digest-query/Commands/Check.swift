import ArgumentParser
import DigestStore
import ResilientPlatform

struct Check: RowCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Fail with exit status 1 when a limit is exceeded. For cron and CI.",
    discussion: """
      Prints one line that begins with ok, or one line for each exceeded limit. New means what \
      the command new lists with the same options; without --since and --release every novel \
      value is new. Filters apply to all limits.

      A question about nothing is an error, because its limits could never be exceeded: an \
      unknown model, release, path or value, even next to a known one; or a window that is \
      empty, in the future, or without counts because they were dropped. A release without \
      failures is unknown too. Pass --allow-empty to count 0 instead. A window in which \
      nothing happened is ok. Losses of the store are reported on stderr and exceed no limit.

      Examples:
        digest-query check --max-new-novel-values 0
        digest-query check --max-new-novel-values 0 --since 24h
        digest-query check --max-new-novel-values 0 --max-occurrences 100 --since 1h
        digest-query check --max-rate 0.5% --since 1h
        digest-query check --max-new-novel-values 0 --release 4.3.0 --allow-empty
      """
  )

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Fail if more than n novel values are new.",
      valueName: "n")
  )
  var maxNewNovelValues: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Fail if all failures together have more than n occurrences.", valueName: "n")
  )
  var maxOccurrences: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Fail if a larger share of decodes has errors: 0.5% or 0.005. Counts whole hours.",
      valueName: "share")
  )
  var maxRate: Rate?

  @Flag(help: "Count 0 for unknown names and for a window without counts.")
  var allowEmpty = false

  @OptionGroup var filters: FilterOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var store: StoreOptions

  func validate() throws {
    guard maxNewNovelValues != nil || maxOccurrences != nil || maxRate != nil else {
      throw ValidationError("give it --max-new-novel-values, --max-occurrences or --max-rate")
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
    let (limits, notes) = try store.atOneMoment {
      if !allowEmpty {
        try ReportRunner.checkIsNotEmpty(
          filter, in: store, before: Date(), "nothing was checked",
          remedy: "to count 0, add --allow-empty")
      }
      let note =
        try maxRate == nil
        ? nil : ReportRunner.decodeNote(of: store, matching: filter, isForPeople: false)
      return (
        try self.limits(store, filter),
        try ReportRunner.notes(of: store, matching: filter) + (note.map { [$0] } ?? [])
      )
    }
    Note.write(notes)
    let isExceeded = limits.contains { $0.isExceeded }
    do {
      try print(limits)
    } catch is ClosedPipe where isExceeded {
      // Nobody reads the lines, but the status matters all the same.
    }
    if isExceeded { throw Failure.negative }
  }

  private func limits(_ store: DigestReader, _ filter: DigestFilter) throws -> [CheckedLimit] {
    var limits: [CheckedLimit] = []
    if let maxNewNovelValues {
      let values = try store.newNovelValues(matching: filter)
      limits.append(.newNovelValues(values, allowed: maxNewNovelValues))
    }
    if let maxOccurrences {
      let occurrences = try store.occurrences(matching: filter)
      limits.append(.occurrences(occurrences, allowed: maxOccurrences))
    }
    if let maxRate {
      guard let counts = try store.decodeCounts(matching: filter) else {
        guard !allowEmpty else { return limits + [.rate(0, nil, allowed: maxRate)] }
        throw Failure.missing(
          "no decodes without errors were counted, so there is no rate: \(ReportRunner.howDecodesAreCounted)"
        )
      }
      guard counts.digests != nil else {
        throw Failure.missing("the rate is unknown: \(ReportRunner.whyDigestsAreUnknown)")
      }
      // Without decodes there are no errors either.
      limits.append(.rate(counts.rate ?? 0, counts, allowed: maxRate))
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
