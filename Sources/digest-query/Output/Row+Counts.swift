import DigestStore
import ResilientDecoding
import ResilientPlatform

/// A row about one failure.
protocol FailureSubject {
  var model: String { get }
  var codingPath: String { get }
  var kind: ErrorDigest.Kind { get }
  var expectedType: String? { get }
  var novelValue: String? { get }
  var valueType: String? { get }
  var foundType: ErrorDigest.FoundValue.ValueType? { get }
  var foundValue: String? { get }
}

extension FailureSubject {
  /// The columns that identify the failure.
  static var identity: [Column<Self>] {
    [
      .text("model") { $0.model },
      .text("coding_path") { $0.codingPath },
      .text("kind") { $0.kind.rawValue },
      .text("expected_type") { $0.expectedType },
      .text("novel_value") { $0.novelValue },
      .text("value_type") { $0.valueType },
    ]
  }

  /// The columns that say to people what the failure is.
  static var subject: [Column<Self>] {
    [
      .text("model", cut: .front) { $0.model }.withoutCommonPrefix.dropped(at: 7),
      .text("coding_path", cut: .middle) { $0.place },
      .text("found") { $0.found },
      .text("expected_type", cut: .front) { $0.expectedType }.omittedIfEmpty.dropped(at: 1),
    ]
  }

  /// The coding path for people.
  var place: String { codingPath.isEmpty ? DigestStore.FailureCount.document : codingPath }

  /// The novel value, or the type and value that were found; else words in parentheses.
  var found: String {
    if let sample { return sample }
    switch kind {
    case .keyNotFound, .missingKey: return "(missing)"
    case .valueNotFound: return "(null)"
    default: return "(\(kind.inWords))"
    }
  }

  /// The novel value, or the type and value of the sample; nil if the kind says it.
  var sample: String? {
    if let novelValue { return novelValue }
    switch kind {
    case .keyNotFound, .missingKey, .valueNotFound: return nil
    default:
      let words = [foundType?.rawValue, foundValue].compactMap(\.self)
      return words.isEmpty ? nil : words.joined(separator: " ")
    }
  }
}

extension ErrorDigest.Kind {
  /// The kind for readers who do not develop the app.
  var inWords: String {
    switch self {
    case .keyNotFound: "missing key"
    case .valueNotFound: "null"
    case .typeMismatch: "wrong type"
    case .dataCorrupted: "invalid"
    case .unknownNovelValue: "unknown value"
    case .missingKey: "missing optional key"
    case .unknownKey: "unknown key"
    case .converted, .other: rawValue
    }
  }
}

extension DigestStore.FailureCount {
  /// The values that the app knows in place of a novel one, as in `one of free, pro`; nil if the message of
  /// the sample has none.
  func knownValues(in message: String?) -> String? {
    let start = "expected "
    guard novelValue != nil, let message, message.hasPrefix("\(start)one of ") else { return nil }
    return String(message.dropFirst(start.count))
  }
}

extension DigestStore.FailureCount: OutputRow, FailureSubject {
  static var columns: [Column<Self>] {
    identity + [
      .number("occurrences") { $0.occurrences },
      .number("digests") { $0.digests },
      .time("first_seen") { $0.firstSeen },
      .time("last_seen") { $0.lastSeen },
      .text("found_type") { $0.foundType?.rawValue },
      .text("found_value") { $0.foundValue },
      .text("first_release") { $0.firstRelease },
      .share("rate") { $0.rate },
      .text("id") { $0.id },
    ]
  }

  /// The columns for people: what it is, how bad it is, and since when.
  static var tableColumns: [Column<Self>] {
    subject + [
      .number("occurrences") { $0.occurrences },
      .number("digests") { $0.digests }.dropped(at: 2),
      .share("rate") { $0.rate }.omittedIfEmpty.dropped(at: 8),
      .time("first_seen") { $0.firstSeen }.dropped(at: 5),
      .time("last_seen") { $0.lastSeen }.dropped(at: 3),
      .text("first_release") { $0.firstRelease }.omittedIfEmpty.dropped(at: 4),
      .text("id") { $0.id }.dropped(at: 6),
    ]
  }
}

extension DigestStore.Source: OutputRow {
  static var columns: [Column<Self>] {
    [
      .text("name") { $0.name },
      .text("source") { $0.identity },
      .flag("whole") { $0.isWhole }.dropped(at: 3),
      .number("occurrences") { $0.occurrences },
      .number("recorded_digests") { $0.digests }.dropped(at: 1),
      .number("decodes") { $0.decodes }.dropped(at: 2),
      .time("pushed_at") { $0.pushedAt },
      .time("last_seen") { $0.lastSeen },
    ]
  }
}

extension DigestStore.ModelCount: OutputRow {
  static var columns: [Column<Self>] {
    [
      .text("model", cut: .front) { $0.model }.withoutCommonPrefix,
      .number("occurrences") { $0.occurrences },
      .number("digests") { $0.digests }.dropped(at: 6),
      .share("share") { $0.share.map { ($0 * 1_000).rounded() / 1_000 } }.dropped(at: 2),
      .number("failures") { $0.failures }.dropped(at: 4),
      .number("novel_values") { $0.novelValues }.dropped(at: 5),
      .time("first_seen") { $0.firstSeen }.dropped(at: 1),
      .time("last_seen") { $0.lastSeen }.dropped(at: 3),
      .number("decodes") { $0.decodes }.omittedIfEmpty.dropped(at: 7),
      .share("rate") { $0.rate }.omittedIfEmpty,
    ]
  }
}

extension DigestStore.FailureChange: OutputRow, FailureSubject {
  var foundValue: String? { nil }

  static var columns: [Column<Self>] {
    [.text("change") { $0.change.rawValue }] + identity + [
      .text("found_type") { $0.foundType?.rawValue },
      .number("before") { $0.occurrencesBefore },
      .number("after") { $0.occurrencesAfter },
      .decimal("factor") {
        factor(from: Double($0.occurrencesBefore), to: Double($0.occurrencesAfter))
      },
      .share("rate_before") { $0.rateBefore },
      .share("rate_after") { $0.rateAfter },
      .decimal("rate_factor") { factor(from: $0.rateBefore, to: $0.rateAfter) },
      .text("id") { $0.id },
    ]
  }

  /// The columns for people, with the numbers that decide about the change.
  static var tableColumns: [Column<Self>] {
    [.text("change") { $0.change.rawValue }] + subject + [
      Column(name: "before") {
        $0.hasRates ? .fraction($0.rateBefore) : .number($0.occurrencesBefore)
      }.dropped(at: 8),
      Column(name: "after") {
        $0.hasRates ? .fraction($0.rateAfter) : .number($0.occurrencesAfter)
      },
      .decimal("factor") { change in
        change.hasRates
          ? factor(from: change.rateBefore, to: change.rateAfter)
          : factor(from: Double(change.occurrencesBefore), to: Double(change.occurrencesAfter))
      }.dropped(at: 3),
      .text("id") { $0.id }.dropped(at: 2),
    ]
  }

  /// Whether rates are compared, not counts.
  private var hasRates: Bool { rateBefore != nil && rateAfter != nil }
}

/// How many times as many there are; nil if there were none before, or if either is unknown.
private func factor(from before: Double?, to after: Double?) -> Double? {
  guard let before, let after, before > 0 else { return nil }
  return after / before
}

extension DigestStore.KeyRename: OutputRow {
  static var columns: [Column<Self>] {
    [
      .text("model", cut: .front) { $0.model }.withoutCommonPrefix.dropped(at: 7),
      .text("old_path", cut: .middle) { $0.oldPath },
      .text("new_path", cut: .middle) { $0.newPath },
      .number("digests") { $0.digests }.dropped(at: 5),
      .share("share") { $0.share }.dropped(at: 6),
      .flag("was_there") { $0.wasThere }.dropped(at: 2),
      .time("first_seen") { $0.firstSeen }.dropped(at: 4),
      .time("last_seen") { $0.lastSeen }.dropped(at: 1),
      .text("first_release") { $0.firstRelease }.dropped(at: 3),
    ]
  }
}

extension DigestStore.Adoption {
  /// How much of the latest traffic is by releases that never had the failure; nil for none, or if
  /// that is unknown.
  var sentence: String? {
    guard let day = days.last, let share = day.share, share > 0 else { return nil }
    let names = releases.isEmpty ? "" : " (\(releases.joined(separator: ", ")))"
    return
      "\(share.percent) of the decodes on \(day.start.day) come from releases that never had it\(names)"
  }
}

/// One period of one group of a trend.
struct TrendRow {
  let trend: DigestStore.Trend
  let point: DigestStore.Trend.Point

  /// Whether only a part of the period is counted, for programs.
  static var partial: Column<Self> { .flag("partial") { $0.point.isPartial } }

  /// - Parameters:
  ///   - group: the columns that identify a group.
  ///   - hasRates: whether there are columns for decodes.
  static func columns(_ group: [Column<DigestStore.Trend>], hasRates: Bool = false) -> [Column<
    Self
  >] {
    [.time("start") { $0.point.start }]
      + group.map { $0.of(\.trend) }
      + [.number("occurrences") { $0.point.occurrences }]
      + (hasRates ? DigestStore.Trend.Point.rates.map { $0.of(\.point) } : [])
  }
}

extension DigestStore.Trend.Point {
  /// The columns for decodes.
  static var rates: [Column<Self>] {
    [
      .number("digests") { $0.digests }.dropped(at: 1),
      .number("decodes") { $0.decodes }.dropped(at: 2),
      .share("rate") { $0.rate },
    ]
  }
}

extension DigestStore.Trend.Grouping {
  /// The columns that identify a group.
  var columns: [Column<DigestStore.Trend>] {
    switch self {
    case .nothing: []
    case .model: [.text("model", cut: .front) { $0.model }]
    case .kind: [.text("kind") { $0.kind?.rawValue }]
    case .release: [.text("release") { $0.release }]
    case .environment: [.text("environment") { $0.environment }]
    case .operation: [.text("operation") { $0.operation }]
    case .source: [.text("source") { $0.source }]
    case .codingPath:
      [
        .text("model", cut: .front) { $0.model }.withoutCommonPrefix.dropped(at: 2),
        .text("coding_path", cut: .middle) { $0.codingPath },
      ]
    case .novelValue:
      [
        .text("model", cut: .front) { $0.model }.withoutCommonPrefix.dropped(at: 2),
        .text("coding_path", cut: .middle) { $0.codingPath },
        .text("novel_value") { $0.novelValue },
        .text("value_type") { $0.valueType }.dropped(at: 1),
      ]
    }
  }
}

extension DigestStore.Occurrence: OutputRow {
  static var columns: [Column<Self>] {
    [
      .text("digest_id") { $0.digestID },
      .time("recorded_at") { $0.recordedAt },
      .text("release") { $0.release },
      .text("model", cut: .front) { $0.model },
      .text("coding_path", cut: .middle) { $0.codingPath },
      .text("kind") { $0.kind.rawValue },
      .text("expected_type", cut: .front) { $0.expectedType },
      .text("novel_value") { $0.novelValue },
      .text("value_type") { $0.valueType },
      .text("found_type") { $0.foundType?.rawValue },
      .text("found_value") { $0.foundValue },
      .number("times") { $0.times },
      .text("environment") { $0.environment },
      .text("operation") { $0.operation },
    ]
  }
}

extension DigestStore.DigestSummary: OutputRow {
  static var columns: [Column<Self>] {
    [
      .text("id") { $0.id },
      .time("recorded_at") { $0.recordedAt },
      .text("release") { $0.release },
      .text("model", cut: .front) { $0.model },
      .number("entries") { $0.errors },
      .number("novel_values") { $0.novelValues },
      .number("paths") { $0.paths },
    ]
  }

  static var tableColumns: [Column<Self>] {
    [
      .text("id") { $0.shortID },
      .time("recorded_at") { $0.recordedAt }.dropped(at: 4),
      .text("release") { $0.release }.dropped(at: 1),
      .text("model", cut: .front) { $0.model }.withoutCommonPrefix.dropped(at: 3),
      .number("entries") { $0.errors }.dropped(at: 2),
      .text("paths") { $0.pathList },
    ]
  }

  /// The first places, and how many more there are.
  private var pathList: String? {
    guard !firstPlaces.isEmpty else { return nil }
    let list = firstPlaces.map { place in
      let path = place.codingPath.isEmpty ? "the document" : place.codingPath
      return path + (place.novelValue.map { " \"\($0)\"" } ?? "")
    }
    let more = places - list.count
    return list.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }
}
