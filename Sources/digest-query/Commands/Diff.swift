import ArgumentParser
import DigestStore
import ResilientPlatform

struct Diff: RowCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare two releases or two periods: what is new, gone, grown or shrunk?",
    discussion: """
      A period is FROM..TO, with times as for --since and --until: FROM is included and TO is \
      not. Leave one out for an open end. Filters apply to both sides. A release or another name \
      that the store does not contain is an error. So is a period in the future, or one whose \
      counts were all dropped to save space. If some were dropped, stderr says on which side. \
      A release is counted in all of its time; give --since to compare two in the same.

      If the app counted decodes on both sides, rates are compared: the share of the model's \
      decodes with such an error. Otherwise counts are compared, which are not scaled to the \
      traffic or to the length of a period; stderr says so. The greatest difference comes first, \
      and what is equally frequent is omitted. factor and rate_factor are after divided by before; \
      a table has one factor, of the numbers that are compared. \
      A factor below --min-factor, up or down, is called same, and comes last.

      Examples:
        digest-query diff 4.1.0 4.2.0
        digest-query diff 14d..7d 7d.. --min-factor 2
        digest-query diff --value '*' 2026-11-01..2026-11-08 2026-11-08..2026-11-15
      """
  )

  @Argument(
    help: "The release or period to compare with.",
    completion: .names(of: .release),
    transform: DiffSide.init(argument:)
  )
  var before: DiffSide

  @Argument(
    help: "The release or period to compare.",
    completion: .names(of: .release),
    transform: DiffSide.init(argument:)
  )
  var after: DiffSide

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Treat a change by less than this factor as no change.", valueName: "factor")
  )
  var minFactor = 1.001

  @OptionGroup(title: "Output") var limit: LimitOption
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Filters") var filters: FilterOptions
  @OptionGroup(title: "Triage") var triage: TriageOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    guard (1...1e6).contains(minFactor) else {
      throw ValidationError("--min-factor is a factor such as 1.5, from 1 to 1000000")
    }
    let sides = [before, after]
    if sides.contains(where: { $0.period != nil }), filters.since != nil || filters.until != nil {
      throw ValidationError("leave out --since and --until: a period has its own times")
    }
    if sides.contains(where: { $0.period == nil }),
      !filters.releases.isEmpty || filters.hasNoRelease
    {
      throw ValidationError(
        "leave out --release and --no-release: the arguments name the releases")
    }
  }

  func printOutput() throws {
    let report = ReportRunner(
      store: store, filter: filters.filter, limit: limit.limit, output: output)
    let store = try store.openForReading()
    let now = Date()
    let common = filters.filter
    let (rows, isNothing, notes) = try store.atOneMoment {
      () -> (TriagedRows<DigestStore.FailureChange>, Bool, [Note]) in
      let (old, oldClock) = try ReportRunner.endingNow(
        before.filter(narrowing: common, before: now), in: store)
      let (new, newClock) = try ReportRunner.endingNow(
        after.filter(narrowing: common, before: now), in: store)
      try checkSides(of: store, before: now)
      try ReportRunner.checkIsNotEmpty(common, in: store, before: now, "nothing was compared")
      for (side, filter) in [(before, old), (after, new)] { try check(side, filter, in: store) }
      let rows = try TriagedRows(by: triage.triage(of: store), limit: report.rowsToAskFor) {
        narrowed, limit in
        try store.failureChanges(
          from: narrowed(old), to: narrowed(new), limit: limit, minimumFactor: minFactor)
      }
      return (
        rows, try rows.shown.isEmpty && store.occurrences(matching: old) == 0,
        try rateNotes(
          of: store, old, new,
          hasAllRates: rows.shown.allSatisfy { $0.rateBefore != nil && $0.rateAfter != nil }, now)
          + orderNotes(before: now) + lossNotes(of: store, old, new)
          + oldClock.map { $0.of(before) } + newClock.map { $0.of(after) }
      )
    }
    try report.print(report.rowsWithinLimit(rows.shown), adding: rows.triage.columns())
    if rows.shown.isEmpty, rows.hidden.isEmpty {
      Note.write(isNothing ? "nothing found on either side" : "no difference found")
    }
    report.noteLimit(rows.shown)
    Note.write([rows.note].compactMap(\.self) + notes)
  }
}

extension Diff {
  /// A note if the periods differ in length, because counts are not scaled.
  private func lengthNotes(before now: Date) -> [Note] {
    guard let first = before.period, let second = after.period else { return [] }
    let lengths = [first, second].compactMap { $0.length(before: now) }
    let factor = lengths.count == 2 ? (lengths[1] / lengths[0]).decimal : ""
    guard lengths.count < 2 || lengths[0] != lengths[1] else { return [] }
    let difference =
      ["", "0", "1"].contains(factor)
      ? "the periods are not of the same length"
      : "the second period is \(factor) times as long as the first"
    return ["\(difference); counts are compared as they are"]
  }

  /// A note if the second period begins before the first one.
  private func orderNotes(before now: Date) -> [Note] {
    let begins = [before, after].map { $0.period?.since?.date(before: now) }
    guard let first = begins[0], let second = begins[1], second < first else { return [] }
    return ["the second period is earlier than the first; swap them"]
  }

  /// Checks that neither side has to be empty: everything on the other side would be new, or gone.
  private func checkSides(of store: DigestReader, before now: Date) throws {
    for side in [before, after] {
      if let since = side.period?.since?.date(before: now), since > now {
        throw ExitFailure.missing("\(side.text) begins in the future")
      }
      guard side.period == nil,
        let message = try ReportRunner.unknownName(side.text, of: .release, in: store)
      else { continue }
      // Whether it can be read is what matters.
      let isTime = (try? Time(argument: side.text)) != nil
      throw ExitFailure.missing(
        isTime
          ? "the store has no release \(side.text); a period is written \(side.text).. or "
            + "..\(side.text)" : message)
    }
  }

  /// Checks that a side is not empty only because the counts of its days, or the totals of its release, were
  /// deleted.
  private func check(_ side: DiffSide, _ filter: DigestFilter, in store: DigestReader) throws {
    if let release = try ReportRunner.deletedRelease(filter, in: store) {
      throw ExitFailure.missing(
        "nothing was compared: the totals of release \(release) were deleted to save space; name a later one"
      )
    }
    guard side.period != nil, try ReportRunner.hasOnlyDroppedCounts(filter, in: store) else {
      return
    }
    throw ExitFailure.missing(
      "nothing was compared: the daily counts of \(side.text) were dropped; give a later period")
  }

  /// Notes about the decodes of each side, and if no rates are compared about the lengths.
  ///
  /// - Parameter hasAllRates: whether each row has both rates.
  private func rateNotes(
    of store: DigestReader, _ before: DigestFilter, _ after: DigestFilter, hasAllRates: Bool,
    _ now: Date
  ) throws -> [Note] {
    let sides = try [(self.before, before), (self.after, after)].map { side, filter in
      (side.text, try store.decodeCounts(matching: filter)?.decodes ?? 0)
    }
    let without = sides.filter { $0.1 == 0 }.map(\.0)
    guard !without.isEmpty else {
      return hasAllRates
        ? []
        : ["counts are compared, not rates, where decodes were not counted on one side"]
    }
    let note = Note(
      "counts are compared, not rates: no decodes without errors were counted for "
        + without.joined(separator: " and "),
      // Programs see by empty cells that there are no rates at all.
      without.count < sides.count ? .caveat : .hint)
    return lengthNotes(before: now) + [note]
  }

  /// Notes about the losses of each side, and once about those of both.
  private func lossNotes(
    of store: DigestReader,
    _ before: DigestFilter,
    _ after: DigestFilter
  ) throws -> [Note] {
    let old = try ReportRunner.losses(of: store, matching: before)
    let new = try ReportRunner.losses(of: store, matching: after)
    return old.map { new.contains($0) ? $0 : $0.of(self.before) }
      + new.filter { !old.contains($0) }.map { $0.of(self.after) }
  }
}

extension Note {
  /// The note, about one side.
  fileprivate func of(_ side: DiffSide) -> Self { Note("\(side.text): \(text)", importance) }
}
