import ArgumentParser
import DigestStore
import ResilientPlatform

struct TrendCommand: RowCommand {
  static let configuration = CommandConfiguration(
    commandName: "trend",
    abstract: "Show how occurrences develop per minute, hour, day or week.",
    discussion: """
      Conversions, missing keys and unknown keys count only if --kind names them; failures that \
      digest-query triage has ignored or resolved count.

      Every period of the window has a row, even if nothing happened in it. Times are UTC, and \
      weeks begin on Monday. Without --by the length of a period depends on that of the \
      window: minutes up to 3 hours, hours up to 3 days, days up to 26 weeks, then weeks. \
      Without --since the window begins at the first match and has at most 5,000 periods. It skips \
      matches before 2 June 2014, when Swift was published, because a clock wasn't set; a note \
      counts them. Without --until it ends at the last \
      match, or now if --since is a duration ago. If the window begins or ends within a period, or \
      the period hasn't ended, a … behind its bar, or partial in other formats, says that it isn't \
      whole. In a table the bars of all groups share one \
      scale. If prune or a size limit has dropped the counts of a day, each period with that day \
      has no count: - in a table, null in JSON, and an empty field in the other formats. A shorter --by shows the other days of a week.

      With --group, only the 10 most frequent groups have rows, unless --limit is given. A path \
      is counted for each model.

      --rate adds digests, decodes and rate: the share of decodes with at least one error, or of \
      a model's decodes with the one failure that --path, --kind, --value or --group chooses. Decodes \
      are counted by the hour, by model and by context, so all columns then count whole hours, and \
      only those since the first counted decode.

      Examples:
        digest-query trend --since 24h
        digest-query trend --by day --group value --limit 5 --since 30d
        digest-query trend --by hour --group release --kind typeMismatch --format csv
        digest-query trend --rate --since 7d --group release
      """
  )

  enum PeriodLength: String, CaseIterable, ExpressibleByArgument {
    case minute, hour, day, week
  }

  enum Group: String, CaseIterable, ExpressibleByArgument {
    case model, path, kind, release, environment, operation, source, value
  }

  @Option(help: "The length of a period.")
  var by: PeriodLength?

  @Option(
    help: ArgumentHelp(
      "Count each model, coding path, kind, release, environment, operation, source or value separately."
    ))
  var group: Group?

  @Flag(help: "Show the share of decodes with errors.")
  var rate = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Print only the n most frequent groups (default: 10).", valueName: "n"))
  var limit: Int?

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Filters") var filters: FilterOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    try LimitOption.check(maximumGroups)
    if limit != nil, group == nil {
      throw ValidationError("--limit is for --group: give that too, or leave it out")
    }
    try output.checkColumns(hasRows: output.format != .table)
  }

  private var maximumGroups: Int { limit ?? 10 }

  func printOutput() throws {
    let store = try store.openForReading()
    let (all, isEmpty, notes) = try store.atOneMoment {
      () -> ([DigestStore.Trend], Bool, [Note]) in
      let (filter, clock) = try ReportRunner.endingNow(filters.filter, in: store, isWindow: true)
      let trends = try self.trends(in: store, filter)
      let isKnown = !trends.contains { $0.points.contains { $0.occurrences == nil } }
      let isEmpty = isKnown && trends.allSatisfy { $0.occurrences == 0 }
      return (
        trends, isEmpty,
        try ReportRunner.notes(
          of: store, matching: filter, by: trends.first?.unit, isEmpty: isEmpty, hasRates: rate)
          + clock
          + ReportRunner.unsetClocks(
            in: store, matching: filter, trendSince: trends.first?.points.first?.start)
      )
    }
    let trends = Array(all.prefix(maximumGroups))
    if output.format == .table {
      let chart = TrendChart(trends: trends, group: grouping.columns, hasRates: rate)
      let (text, note) = chart.text(
        isColored: StandardOutput.usesColor, fitting: StandardOutput.width)
      var output = StandardOutput()
      output.write(text)
      try output.flush(force: true)
      if let note { Note.write(note, .hint) }
    } else {
      var printer = try RowPrinter(
        TrendRow.columns(grouping.columns, hasRates: rate) + [TrendRow.partial], output)
      for trend in trends {
        for point in trend.points { try printer.print(TrendRow(trend: trend, point: point)) }
      }
      try printer.finish()
    }
    if isEmpty { Note.write("nothing found that matches") }
    if rate,
      trends.contains(where: { $0.points.contains { $0.decodes != nil && $0.digests == nil } })
    {
      Note.write(
        "rates are unknown where several failures of a model match; choose one, or group by value")
    }
    if all.count > maximumGroups {
      Note.write(maximumGroups.exceeded(by: "group"), .hint)
    }
    Note.write(notes)
  }

  private var grouping: DigestStore.Trend.Grouping {
    switch group {
    case nil: .nothing
    case .model: .model
    case .path: .codingPath
    case .kind: .kind
    case .release: .release
    case .environment: .environment
    case .operation: .operation
    case .source: .source
    case .value: .novelValue
    }
  }

  /// - Throws: an ``ExitFailure`` for a window with too many periods, or without rates.
  private func trends(in store: DigestReader, _ filter: DigestFilter) throws -> [DigestStore.Trend]
  {
    if try rate && store.decodeCounts(matching: filter) == nil {
      throw ExitFailure.missing(ReportRunner.whyThereAreNoRates)
    }
    do {
      // One more than the limit shows whether there are more.
      return try store.trend(
        matching: filter, by: by.flatMap { DigestStore.Trend.Unit(rawValue: $0.rawValue) },
        groupedBy: grouping,
        limit: maximumGroups.adding(count: 1), reaching: filters.reachesNow ? Date() : nil,
        rates: rate)
    } catch let error as DigestStoreError where error.code == .invalidInput {
      throw ExitFailure.usage(error.description)
    }
  }
}
