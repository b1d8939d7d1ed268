import ArgumentParser
import DigestStore
import ResilientPlatform

struct Check: RowCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Fail with exit status 1 when a limit is exceeded. For cron and CI.",
    discussion: """
      Prints one line that begins with ok, or one line for each exceeded limit. All limits are \
      evaluated. New means what the command new lists with the same options; without --since \
      and --release every novel value is new. Filters apply to all limits. Conversions, missing \
      keys and unknown keys are no errors, unless --kind names them.

      A question about nothing is an error, because its limits could never be exceeded: an \
      unknown model, release, path or value, even next to a known one; or a window that is \
      empty, in the future, or without counts because they were dropped. Pass --allow-empty to \
      count 0 instead. A release is known once something was decoded with it, and a window in \
      which nothing happened is ok. Losses of the store are reported on stderr and exceed no \
      limit.

      --max-rate is never ok, with exit status 66, if there are errors without a rate: the app \
      counts no decodes without errors, began to count them later, or the filters make it \
      impossible to tell how many decodes had a matching error.

      Examples:
        digest-query check --max-new-novel-values 0
        digest-query check --max-new-novel-values 0 --since 24h
        digest-query check --max-new-novel-values 0 --max-occurrences 100 --since 1h
        digest-query check --max-rate 0.5% --since 1h
        digest-query check --max-new-novel-values 0 --release 4.3.0
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
      valueName: "share"),
    transform: Rate.init(argument:)
  )
  var maxRate: Rate?

  @Flag(help: "Count 0 for unknown names and for a window without counts.")
  var allowEmpty = false

  @OptionGroup(title: "Filters") var filters: FilterOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

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
    let isExceeded = limits.contains { $0.isExceeded == true }
    let problem = limits.compactMap(\.problem).first
    do {
      try print(limits)
    } catch is ClosedPipe where isExceeded || problem != nil {
      // Nobody reads the lines, but the status matters all the same.
    }
    guard isExceeded else {
      if let problem { throw Failure.missing(problem) }
      return
    }
    if let problem { Note.write(problem) }
    throw Failure.negative
  }

  /// Evaluates every limit.
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
      let counts = try store.decodeCounts(matching: filter)
      let limit = CheckedLimit.rate(counts, allowed: maxRate)
      let problem =
        limit.isExceeded == true ? nil : try rateProblem(counts, of: store, matching: filter)
      limits.append(problem.map { .unknownRate($0, allowed: maxRate) } ?? limit)
    }
    return limits
  }

  /// The reason why a rate does not cover all errors; nil if it does.
  private func rateProblem(
    _ counts: DigestStore.DecodeCounts?, of store: DigestReader, matching filter: DigestFilter
  ) throws -> String? {
    guard let counts else {
      let errors = try store.occurrences(matching: filter)
      guard errors > 0 || !allowEmpty else { return nil }
      let found =
        errors > 0
        ? " for \(errors.counting("occurrence")) (all decodes failed, or the app does not count them)"
        : ""
      return "no decodes without errors were counted, so there is no rate\(found): "
        + ReportRunner.howDecodesAreCounted
    }
    guard counts.digests != nil else {
      return "the rate is unknown: \(ReportRunner.whyDigestsAreUnknown)"
    }
    guard let since = counts.since, filter.since.map({ $0 < since }) ?? true else { return nil }
    var earlier = filter
    earlier.until = since
    let errors = try store.occurrences(matching: earlier)
    guard errors > 0 else { return nil }
    return "\(errors.counting("occurrence")) from before the first counted decode have no rate; "
      + "check the time after it with --since \(since.iso8601)"
  }

  private func print(_ limits: [CheckedLimit]) throws {
    guard output.format == .table else {
      var printer = try RowPrinter<CheckedLimit>(output)
      for limit in limits { try printer.print(limit) }
      return try printer.finish()
    }
    let exceeded = limits.filter { $0.isExceeded == true }
    let lines =
      limits.allSatisfy { $0.isExceeded == false }
      ? ["ok: \(limits.map(\.summary).joined(separator: ", "))"]
      : exceeded.map { "exceeded: \($0.summary)\($0.details.isEmpty ? "" : ": ")\($0.details)" }
    guard !lines.isEmpty else { return }
    try StandardOutput.print(lines.joined(separator: "\n"))
  }
}
