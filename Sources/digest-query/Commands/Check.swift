import ArgumentParser
import DigestFleet
import DigestStore
import ResilientPlatform

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Fail with exit status 1 when a limit is exceeded. For cron and CI.",
    discussion: """
      Prints one line for each exceeded limit, and if there is none only notes of what it did not \
      count, because cron mails all output. --verbose prints a line for each limit, and all notes. All limits are evaluated. \
      Filters apply to all limits. Failures that digest-query triage has ignored or resolved count \
      in no limit but --max-rate, and stderr says how many these are; --all counts them.

      --max-new counts what the command new lists with the same options: failures of every kind of \
      error; without --since and --release every failure is new. --value '*' limits novel values \
      alone. Conversions, missing keys and unknown keys count only if --kind names them; --kind all names \
      every kind.

      A check that can never fail is an error: an \
      unknown model, release, path or value, even next to a known one; or a window that is \
      empty, in the future, or without counts because they were dropped. Pass --allow-empty to \
      count 0 instead. A release is known once something was decoded with it, and a window in \
      which nothing happened is ok, unless --max-age-of-data says otherwise. What the store could \
      not count is reported on stderr, and exceeds no limit.

      With --since-last NAME, --max-new counts only failures that no earlier check under that name \
      has reported, so that each alerts once. The file of the store, with .checks at its end, \
      remembers them. A check that exceeds this limit names at most ten failures, and only these count \
      as reported; the rest count in the next check. To stop a release, leave out --since-last: a pipeline that is run \
      again would pass.

      --max-age-of-data fails if nothing was decoded for that long. Decodes without errors are \
      counted by the hour, so their age is measured from the end of that hour. Decodes by a clock \
      that is ahead do not count.

      --max-rate ends with exit status 66 if some errors have no rate: the app \
      counts no decodes without errors, began to count them later, or the filters make it \
      impossible to tell how many decodes had a matching error.

      Examples:
        digest-query check --max-new 0 --since 24h
        digest-query check --max-new 0 --release 4.3.0
        digest-query check --max-new 0 --release 4.3.0 --kind missingKey
        digest-query check --max-new 0 --max-occurrences 100 --since 1h
        digest-query check --max-rate 0.5% --since 1h --max-age-of-data 2h
        digest-query check --max-new 0 --since-last hourly --kind all
      """
  )

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Fail if more than n failures are new.", valueName: "n")
  )
  var maxNew: Int?

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

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Fail if the newest decode is older than this length of time: 30m, 2h or 1d.",
      valueName: "time"),
    transform: Time.init(argument:)
  )
  var maxAgeOfData: Time?

  @Option(
    help: ArgumentHelp(
      "Count only new failures that no earlier check under this name has reported. You choose the name.",
      valueName: "name"))
  var sinceLast: String?

  @Flag(name: .shortAndLong, help: "Print a line for each limit, and all notes.")
  var verbose = false

  @Flag(help: "Count 0 for unknown names and for a window without counts.")
  var allowEmpty = false

  @OptionGroup(title: "Output") var output: CIOutputOptions
  @OptionGroup(title: "Filters") var filters: FilterOptions
  @OptionGroup(title: "Triage") var triage: TriageOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    guard maxNew != nil || maxOccurrences != nil || maxRate != nil || maxAgeOfData != nil else {
      throw ValidationError(
        "give one of --max-new, --max-occurrences, --max-rate, --max-age-of-data")
    }
    if let maxAgeOfData, maxAgeOfData.secondsAgo == nil {
      throw ValidationError("--max-age-of-data is a length of time: write 30m, 2h or 1d")
    }
    try output.checkColumns(hasRows: output.ofRows.map { $0.format != .table } ?? false)
    if sinceLast?.isEmpty == true {
      throw ValidationError("--since-last is empty: give it a name")
    }
    if sinceLast != nil, maxNew == nil {
      throw ValidationError("--since-last is for --max-new: give that too, or leave it out")
    }
    for (name, limit) in [("--max-new", maxNew), ("--max-occurrences", maxOccurrences)] {
      guard let limit, limit < 0 else { continue }
      throw ValidationError("\(name) \(limit) is too small: give it 0 or more")
    }
  }

  func run() throws {
    var evaluation: Evaluation?
    // The failures are reported once the output is complete and in its place.
    try output.file.redirectOutput { evaluation = try printEvaluation() }
    try evaluation?.saveReported?()
    if evaluation?.isExceeded == true { throw ExitFailure.negative }
  }

  /// The evaluated limits.
  private struct Evaluation {
    var limits: [CheckedLimit] = []
    var notes: [Note] = []

    /// Saves that the new failures were reported; nil if they were not, or are not remembered.
    var saveReported: (() throws -> Void)?

    var isExceeded: Bool { limits.contains { $0.isExceeded == true } }

    /// The reason why a limit is unknown.
    var problem: String? { limits.compactMap(\.problem).first }
  }

  private func printEvaluation() throws -> Evaluation {
    let store = try store.openForReading()
    let file = try sinceLast.map { _ in
      try ReportedFailuresFile(ofStoreAt: self.store.file, willWait: Note.writeWaiting)
    }
    var evaluation = try store.atOneMoment { try evaluate(store, file) }
    Note.write(evaluation.notes)
    do {
      try print(evaluation.limits)
    } catch is ClosedPipe where evaluation.isExceeded || evaluation.problem != nil {
      // Nobody reads the lines, but the status matters all the same.
      evaluation.saveReported = nil
    }
    if let problem = evaluation.problem {
      guard evaluation.isExceeded else { throw ExitFailure.missing(problem) }
      Note.write(problem)
    }
    return evaluation
  }

  private func evaluate(_ store: DigestReader, _ file: ReportedFailuresFile?) throws -> Evaluation {
    let (filter, clock) = try ReportRunner.endingNow(filters.filter, in: store)
    let now = Date()
    if !allowEmpty {
      try ReportRunner.checkIsNotEmpty(
        filter, in: store, before: now, "nothing was checked",
        remedy: "to count 0, add --allow-empty")
    }
    var evaluation = Evaluation()
    let triage = try triage.triage(of: store)
    // Where all occurrences are limited, the new ones are among those.
    var hidden =
      try maxOccurrences == nil ? [] : triage.hidden { try store.failures(matching: $0(filter)) }
    if let maxNew {
      let all = try store.newFailures(matching: filter)
      if maxOccurrences == nil { hidden = all.filter(triage.hides) }
      var failures = all.filter { !triage.hides($0) }
      if let file, let name = sinceLast {
        failures = file.unreported(failures, byCheck: name)
        let isExceeded = failures.count > maxNew
        if isExceeded {
          evaluation.saveReported = { [failures] in
            // The others are new to the next check.
            try file.save(
              Array(failures.prefix(CheckedLimit.maximumNames)), reportedByCheck: name)
          }
        }
        if isExceeded || verbose { evaluation.notes += note(ofFirstCheck: name, in: file) }
      }
      evaluation.limits.append(.new(failures, allowed: maxNew))
    }
    evaluation.notes += [triage.note("not counted", of: hidden)].compactMap(\.self)
    evaluation.limits += try limits(
      store, filter, hidden: hidden.sum(of: \.occurrences), now)
    evaluation.notes +=
      try verbose || evaluation.isExceeded || evaluation.problem != nil
      ? ReportRunner.notes(of: store, matching: filter, hasRates: maxRate != nil) + clock
      : ReportRunner.losses(of: store, matching: filter, about: .limits)
    return evaluation
  }

  /// A note if no earlier check had the name, which may be a mistake.
  private func note(ofFirstCheck name: String, in file: ReportedFailuresFile) -> [Note] {
    guard !file.checks.contains(name), verbose || !file.checks.isEmpty else { return [] }
    let suggestion = name.suggestion(among: file.checks).map { "; \($0)" } ?? ""
    return ["\(file.path) has no earlier check named \(name)\(suggestion)"]
  }

  /// Evaluates every limit but that of new failures.
  private func limits(
    _ store: DigestReader, _ filter: DigestFilter, hidden: Int, _ now: Date
  ) throws -> [CheckedLimit] {
    var limits: [CheckedLimit] = []
    if let maxOccurrences {
      let occurrences = try store.occurrences(matching: filter) - hidden
      limits.append(.occurrences(occurrences, allowed: maxOccurrences))
    }
    if let maxRate {
      let counts = try store.decodeCounts(matching: filter)
      try limits.append(
        .rate(counts, allowed: maxRate) { try rateProblem(counts, of: store, matching: filter) })
    }
    if let age = maxAgeOfData?.secondsAgo {
      let newest = try store.newestDecode(matching: filter, before: now)
      limits.append(.ageOfData(newest, at: now, allowed: age))
    }
    return limits
  }

  /// The reason why a rate does not cover all errors; nil if it does.
  private func rateProblem(
    _ counts: DigestStore.DecodeCounts?, of store: DigestReader, matching filter: DigestFilter
  ) throws -> String? {
    guard let counts else {
      let errors = try store.occurrences(matching: filter)
      return errors > 0 || !allowEmpty ? ReportRunner.whyThereAreNoRates : nil
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
    guard let rows = output.ofRows else {
      return try StandardOutput.write(findings(limits).text(output.format))
    }
    if rows.format != .table {
      var printer = try RowPrinter<CheckedLimit>(rows)
      for limit in limits { try printer.print(limit) }
      return try printer.finish()
    }
    let lines =
      verbose
      ? limits.compactMap(\.line)
      : limits.filter { $0.isExceeded == true }.compactMap(\.line)
    guard !lines.isEmpty else { return }
    try StandardOutput.print(lines.joined(separator: "\n"))
  }

  /// The limits for a service. Exceeded ones are errors.
  private func findings(_ limits: [CheckedLimit]) -> Findings {
    let rules = [
      ("new", "The number of new failures is at most the limit."),
      ("occurrences", "The number of occurrences is at most the limit."),
      ("rate", "The share of decodes with errors is at most the limit."),
      ("age_of_data", "The newest decode is at most as old as the limit."),
    ]
    return Findings(
      command: "check", rules: rules.filter { rule, _ in limits.contains { $0.name == rule } },
      findings: limits.map { limit in
        Annotation(
          rule: limit.name, subject: ("digest-query check", filters.words.joined(separator: " ")),
          level: limit.isExceeded == true ? .error : limit.isExceeded == nil ? .warning : .note,
          message: limit.problem ?? limit.line ?? limit.summary, identity: filters.words)
      }, file: store.name)
  }
}
