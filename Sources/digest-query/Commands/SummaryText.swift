import DigestStore
import ResilientDecoding
import ResilientPlatform

/// A summary for people: a sentence, the sections, the omitted numbers, and the next command.
struct SummaryText {
  /// The rows of a section, so that all sections fit on a screen of 40 lines.
  static let rows = 4

  let summary: DigestStore.Summary

  let sentence: String

  /// The column of states; empty unless decided failures are listed, too.
  let states: [Column<DigestStore.SummarizedFailure>]
  let store: StoreOptions

  /// The note about ignored and resolved failures; nil without any.
  let decided: String?

  /// - Returns: the lines, and a note if something does not fit.
  func text(isColored: Bool, fitting width: Int?) -> (String, note: String?) {
    var note: String?
    var text = sentence.lines(fitting: width) + "\n"
    if !summary.failures.isEmpty {
      var table = TextTable(DigestStore.SummarizedFailure.tableColumns + states)
      for failure in summary.failures { table.append(failure) }
      table.removeEmptyColumns()
      let headings = summary.failures.map { $0.section.rawValue.uppercased() }
      let rows = table.text(isColored: isColored, fitting: width, under: headings)
      text += rows.0 + "\n"
      note = rows.note
    }
    for rest in [summary.more, notices, decided].compactMap(\.self) {
      text += rest.lines(fitting: width)
    }
    return (text + store.next(command).lines(fitting: nil), note)
  }

  /// The note about notices; nil without any.
  var notices: String? {
    summary.notices.isEmpty ? nil : LossMessage.text(of: summary.notices)
  }

  /// The command to type next.
  private var command: String {
    summary.failures.first.map { "show \($0.failure.id)" } ?? "top-failures"
  }
}

extension DigestStore.SummarizedFailure: TriagedRow {
  var failureKey: FailureKey { failure.failureKey }
  var occurrences: Int { failure.occurrences }
}

extension DigestStore.SummarizedFailure: OutputRow {
  static var columns: [Column<Self>] {
    DigestStore.FailureCount.columns.map { $0.of(\.failure) } + [
      .text("section") { $0.section.rawValue },
      .flag("is_over") { $0.isOver },
      .text("operation") { $0.operations.first },
      .number("occurrences_before") { $0.occurrencesBefore },
      .share("rate_before") { $0.rateBefore },
      .text("renamed_to") { $0.renamedTo },
      .share("rate_since_it_began") { $0.rateSinceItBegan },
    ]
  }

  static var tableColumns: [Column<Self>] {
    [
      .drawing("course") { Histogram(width: 8).line($0.course) }.dropped(at: 3),
      .text("rate") { $0.movement },
      .text("where", cut: .front) { $0.whereabouts }.dropped(at: 4),
      .text("coding_path", cut: .middle) { $0.failure.place },
      .text("found") { $0.found },
      .text("since") { $0.failure.firstRelease }.omittedIfEmpty.dropped(at: 2),
      .text("id") { $0.failure.id }.dropped(at: 1),
    ]
  }

  /// What came, or the key that came in place of a missing one, which is in the same object.
  private var found: String {
    guard case .key(let key)? = renamedTo.flatMap(ErrorDigest.Path.init)?.components.last else {
      return failure.found
    }
    return "now \(key)"
  }

  /// The share of decodes before and now, or the numbers of digests where decodes were not counted; of a new
  /// failure that of the window, and in parentheses since it began.
  private var movement: String {
    let now = failure.rate?.percent ?? failure.digests.grouped
    let over = isOver && section != .over ? ", over" : ""
    guard section != .new, section != .vanished else {
      // The window has decodes from before the failure began.
      guard !isOver, let since = rateSinceItBegan?.percent, since != now else { return now + over }
      return "\(now) (\(since))"
    }
    // Nothing is known of rates before decodes were counted, and of counts that were deleted.
    guard (rateBefore == nil) == (failure.rate == nil),
      let before = rateBefore?.percent ?? digestsBefore?.grouped
    else { return now + over }
    return before + (Histogram.localeIsUnicode ? "→" : " to ") + now + over
  }

  /// The operation, or the model of digests without one.
  private var whereabouts: String {
    guard let first = operations.first else { return failure.model }
    return operations.count > 1 ? "\(first) +\(operations.count - 1)" : first
  }
}
