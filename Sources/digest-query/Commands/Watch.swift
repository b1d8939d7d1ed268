import ArgumentParser
import DigestStore
import ResilientPlatform

struct Watch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show totals, novel values and failures live in the terminal.",
    discussion: """
      Fills the terminal, checks the store once a second, and redraws when it has changed. A window such as --since 24h moves with the clock. q or \
      Ctrl-C quits and restores the terminal. Rows that digest-query triage has ignored or resolved \
      are left out, and a line says how many.

      Examples:
        digest-query watch
        digest-query watch --since 1h --model 'App.*'
      """
  )

  @OptionGroup(title: "Filters") var filters: FilterOptions
  @OptionGroup(title: "Triage") var triage: TriageOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func run() throws {
    guard Screen.isPossible else {
      throw ExitFailure.usage(
        "watch needs a terminal with cursor control; use report or top-novel-values for a pipe, a "
          + "file or a dumb terminal")
    }
    let store = try store.openForReading()
    // The screen is restored before the signal takes effect.
    if let signal = try watch(store) { SignalPipe.end(by: signal) }
  }

  /// Shows the store until a key or a signal ends it.
  ///
  /// - Returns: the signal that ends the process; nil for a key.
  private func watch(_ store: DigestReader) throws -> Int32? {
    let screen = try Screen()
    var shown: [String] = []
    var answer = Screenful(store)
    let title = ([store.path] + filters.words).joined(separator: " ")
    while true {
      answer.update(filters, triage)
      let size = screen.size
      let lines = LiveView(title: title, content: answer.content).lines(
        fitting: size, isColored: StandardOutput.usesColor)
      if lines != shown { try screen.draw(lines) }
      shown = lines
      switch screen.nextEvent(within: .seconds(1)) {
      case .quit: return nil
      case .signal(let number): return number
      case .redraw: shown = []
      case .nothing: break
      }
    }
  }
}

/// The last answer of the store, and the time to ask again.
private struct Screenful {
  private let store: DigestReader
  private var version: DigestStore.DataVersion?
  private var decidedAt: Date?
  private var asked = ContinuousClock.now
  private(set) var content = LiveView.Content.error("")

  init(_ store: DigestReader) {
    self.store = store
  }

  /// Asks the store again if the answer may have changed.
  mutating func update(_ filters: FilterOptions, _ triage: TriageOptions) {
    do {
      let now = try store.dataVersion()
      // A moving window is refreshed when it has moved by a sixtieth, but at least once a minute.
      let isOld = filters.movingSeconds.map { .now - asked >= .seconds(min(60, $0 / 60)) } ?? false
      let decidedAt = triage.changeDate
      guard now != version || decidedAt != self.decidedAt || isOld else { return }
      asked = .now
      content = try Self.ask(store, filters, triage)
      (version, self.decidedAt) = (now, decidedAt)
    } catch {
      // The store may come back: a new file follows one that was set aside.
      version = nil
      content = .error(ExitFailure(error)?.message ?? "\(error)")
    }
  }

  private static func ask(
    _ store: DigestReader,
    _ filters: FilterOptions,
    _ options: TriageOptions
  ) throws -> LiveView.Content {
    return try store.atOneMoment {
      let (filter, clock) = try ReportRunner.endingNow(filters.filter, in: store)
      let triage = try options.triage(of: store)
      // As many more rows as decisions may hide, so that the screen stays full.
      let overview = try store.overview(
        matching: filter, limit: LiveView.maximumRows + (triage?.decided ?? 0),
        reaching: filters.reachesNow ? Date() : nil, atMost: Date())
      let hidden =
        try (triage?.decided ?? 0) == 0
        ? []
        : store.failures(matching: filter).filter {
          triage?.state(of: $0.failureName).needsWork == false
        }
      let states = Dictionary(grouping: hidden) { triage?.state(of: $0.failureName) ?? .open }
      let left = triage?.note(states.mapValues(\.count)).map { [$0] } ?? []
      let notes =
        try ReportRunner.notes(
          of: store, matching: filter, isEmpty: overview.totals.occurrences == 0) + clock
        + ReportRunner.unsetClocks(
          in: store, matching: filter, trendSince: overview.trend.starts.first)
      return .overview(
        overview, until: filter.until, triage: triage, hidden: hidden,
        notes: left + notes.map(\.text))
    }
  }
}
