import Foundation
import Testing

@testable import DigestStore

/// Windows over random stores, with clocks that jump, and digests and hours that were deleted.
struct WindowTests {
  @Test(arguments: 0..<12)
  func `every window counts as a recount of everything ever recorded`(_ seed: UInt64) throws {
    var history = try RandomHistory(seed: seed)
    for _ in 0..<24 { try history.step() }
    var (exact, widened) = (0, 0)
    for _ in 0..<60 {
      guard let window = history.window() else { continue }
      let counted = try history.connection.widened(window)
      for filter in [
        DigestFilter(), DigestFilter(release: "4.0"), DigestFilter(hasNoRelease: true),
      ] {
        #expect(
          try history.counts(filter, counted) == history.recount(filter, counted),
          "\(window.range) of \(filter.releases)")
      }
      if counted.since == window.since, counted.until == window.until {
        exact += 1
      } else {
        widened += 1
      }
      for (asked, found) in [(window.since, counted.since), (window.until, counted.until)] {
        guard let asked, asked != found else { continue }
        #expect(try history.hasLost(near: asked), "\(asked) was moved without need")
      }
    }
    #expect(exact > 0)
    #expect(widened > 0 || history.deletions == 0 || exact > 20)
  }
}

/// A store whose digests are written by SQL, and what was ever written to it.
private struct RandomHistory {
  private static let begin = 1_760_000_000_000 / (24 * Moment.hour) * 24 * Moment.hour

  let connection: Connection
  private(set) var deletions = 0
  private let fold: Fold
  private var random: SeededGenerator
  private var at = RandomHistory.begin
  private var next: Int64 = 1
  private var truth: [(at: Int64, release: String, errors: [(failure: Int64, times: Int)])] = []

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    connection = try Migrator.current.makeStoreInMemory(named: "windows")
    fold = try Fold(connection)
    try connection.execute(
      """
      INSERT INTO model VALUES (1, 'App.Listing');
      INSERT INTO context VALUES (1, 1, '4.0', '', ''), (2, 1, '4.1', '', ''), (3, 1, '', '', '');
      """)
    for failure in 1...6 {
      try connection.execute(
        """
        INSERT INTO failure (id, key, model, coding_path, kind, novel_value, value_type)
        VALUES (\(failure), x'0\(failure)', 1, 'items[].kind', 'unknownNovelValue', 'v\(failure)', 'String')
        """)
    }
  }

  /// Writes some digests, folds some, and deletes some digests or hours.
  mutating func step() throws {
    for _ in 0..<Int.random(in: 1..<40, using: &random) { try write() }
    if Int.random(in: 0..<10, using: &random) < 6 {
      while try fold.run(limit: [7, 50, 500].randomElement(using: &random) ?? 7) > 0 {}
    }
    if Int.random(in: 0..<10, using: &random) < 3 { try deleteDigests() }
    if Int.random(in: 0..<12, using: &random) == 0 { try deleteHours() }
  }

  private mutating func write() throws {
    at += Int64.random(
      in: 0..<[60_000, 600_000, 3 * Moment.hour].randomElement(using: &random)!, using: &random)
    let isBehind = Int.random(in: 0..<20, using: &random) == 0
    let moment = max(
      Self.begin, isBehind ? at - .random(in: 0..<8 * Moment.hour, using: &random) : at)
    let context = Int64.random(in: 1...3, using: &random)
    let errors = (0..<Int.random(in: 1...4, using: &random)).map { _ in
      (
        failure: Int64.random(in: 1...6, using: &random),
        times: Int.random(in: 0..<4, using: &random) == 0 ? 4 : 1
      )
    }
    let text = errors.map {
      $0.times == 1 ? "[\($0.failure),\"items[1].kind\"]" : "[\($0.failure),null,\($0.times)]"
    }
    try Statement(
      connection,
      "INSERT INTO digest (id, recorded_at, model, context, errors) VALUES (?, ?, 1, ?, ?)"
    ).run([
      .integer(next), .integer(moment), .integer(context),
      .text("[\(text.joined(separator: ","))]"),
    ])
    next += 1
    truth.append((moment, ["4.0", "4.1", ""][Int(context) - 1], errors))
  }

  private mutating func deleteDigests() throws {
    deletions += 1
    try connection.execute(
      """
      DELETE FROM digest WHERE id IN (
        SELECT id FROM digest WHERE id <= (SELECT folded FROM store)
        ORDER BY recorded_at / \(Moment.hour), id LIMIT \(Int.random(in: 1..<60, using: &random)))
      """)
  }

  private mutating func deleteHours() throws {
    deletions += 1
    let day = at / (24 * Moment.hour)
    for table in ["tally", "decodes"] {
      try connection.execute("DELETE FROM \(table) WHERE span = 1 AND start < \(day * 24)")
    }
  }

  mutating func window() -> TimeWindow? {
    func moment() -> Int64 {
      let moment = Int64.random(in: Self.begin - Moment.hour..<at + 2 * Moment.hour, using: &random)
      return switch Int.random(in: 0..<10, using: &random) {
      case 0..<3: moment / Moment.hour * Moment.hour
      case 3..<5: moment / (24 * Moment.hour) * 24 * Moment.hour
      default: moment
      }
    }
    let ends = [moment(), moment()].sorted()
    guard ends[0] < ends[1] else { return nil }
    let (since, until) = (Moment(milliseconds: ends[0]), Moment(milliseconds: ends[1]))
    return switch Int.random(in: 0..<8, using: &random) {
    case 0: TimeWindow(since: nil, until: until)
    case 1: TimeWindow(since: since, until: nil)
    default: TimeWindow(since: since, until: until)
    }
  }

  func counts(_ filter: DigestFilter, _ window: TimeWindow) throws -> [Int64: [Int64]] {
    try connection.reading {
      let counts = try Counts(connection, filter, in: window)
      return try Dictionary(
        uniqueKeysWithValues: connection.rows(
          "SELECT failure, sum(occurrences), sum(digests) FROM (\(counts.sql)) GROUP BY failure",
          counts.values
        ) { ($0.integer(at: 0), [$0.integer(at: 1), $0.integer(at: 2)]) })
    }
  }

  func recount(_ filter: DigestFilter, _ window: TimeWindow) -> [Int64: [Int64]] {
    var counts: [Int64: [Int64]] = [:]
    for digest in truth where window.range.contains(Moment(milliseconds: digest.at)) {
      if filter.choosesReleases {
        guard
          filter.releases.contains(digest.release) || filter.hasNoRelease && digest.release.isEmpty
        else { continue }
      }
      for (failure, errors) in Dictionary(grouping: digest.errors, by: \.failure) {
        counts[failure, default: [0, 0]][0] += errors.reduce(0) { $0 + Int64($1.times) }
        counts[failure, default: [0, 0]][1] += 1
      }
    }
    return counts
  }

  /// Whether the hour of a moment has lost digests, or its day the counts of hours.
  func hasLost(near moment: Moment) throws -> Bool {
    let hour = moment.hour
    let recorded = truth.count { $0.at / Moment.hour == hour }
    let left =
      try connection.integer(
        "SELECT count(*) FROM digest WHERE recorded_at / \(Moment.hour) = \(hour)") ?? 0
    return try recorded > left || !connection.hasHours(day: hour / 24)
  }
}
