import Foundation
import Testing

@testable import DigestStore

/// Windows over random stores, with clocks that jump, and digests and hours that were deleted.
struct WindowTests {
  @Test(arguments: 0..<12)
  func `every window counts as a recount of everything ever recorded`(_ seed: UInt64) throws {
    var history = try RandomHistory(seed: seed, failures: 6, kinds: ["unknownNovelValue"])
    for _ in 0..<24 {
      try history.write(1...40)
      if Int.random(in: 0..<10, using: &history.random) < 3 { try history.deleteDigests() }
      if Int.random(in: 0..<12, using: &history.random) == 0 { try history.deleteHours() }
    }
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
    #expect(exact > 0 && exact + widened > 20)
  }
}

extension RandomHistory {
  fileprivate mutating func deleteDigests() throws {
    try connection.execute(
      """
      DELETE FROM digest WHERE id IN (
        SELECT id FROM digest WHERE id <= (SELECT folded FROM store)
        ORDER BY recorded_at / \(Moment.hour), id LIMIT \(Int.random(in: 1..<60, using: &random)))
      """)
  }

  fileprivate mutating func deleteHours() throws {
    let day = now / (24 * Moment.hour)
    for table in ["tally", "decodes"] {
      try connection.execute("DELETE FROM \(table) WHERE span = 1 AND start < \(day * 24)")
    }
  }

  fileprivate mutating func window() -> TimeWindow? {
    let ends = [moment(), moment()].sorted()
    guard ends[0] < ends[1] else { return nil }
    return switch Int.random(in: 0..<8, using: &random) {
    case 0: TimeWindow(since: nil, until: ends[1])
    case 1: TimeWindow(since: ends[0], until: nil)
    default: TimeWindow(since: ends[0], until: ends[1])
    }
  }

  fileprivate func counts(_ filter: DigestFilter, _ window: TimeWindow) throws -> [Int64: [Int64]] {
    try connection.reading {
      let counts = try Counts(connection, filter, in: window)
      return try Dictionary(
        uniqueKeysWithValues: connection.rows(
          "SELECT failure, sum(occurrences), sum(digests) FROM (\(counts.sql)) GROUP BY failure",
          counts.values
        ) { ($0.integer(at: 0), [$0.integer(at: 1), $0.integer(at: 2)]) })
    }
  }

  fileprivate func recount(_ filter: DigestFilter, _ window: TimeWindow) -> [Int64: [Int64]] {
    var counts: [Int64: [Int64]] = [:]
    for digest in recorded where window.range.contains(Moment(milliseconds: digest.recordedAt)) {
      guard
        !filter.choosesReleases || filter.releases.contains(digest.release)
          || filter.hasNoRelease && digest.release.isEmpty
      else { continue }
      for (failure, times) in digest.errors {
        let count = counts[failure] ?? [0, 0]
        counts[failure] = [count[0] + times, count[1] + 1]
      }
    }
    return counts
  }

  /// Whether the hour of a moment has lost digests, or its day the counts of hours.
  fileprivate func hasLost(near moment: Moment) throws -> Bool {
    let hour = moment.hour
    let recorded = recorded.count { $0.recordedAt / Moment.hour == hour }
    let left =
      try connection.integer(
        "SELECT count(*) FROM digest WHERE recorded_at / \(Moment.hour) = \(hour)") ?? 0
    return try recorded > left || !connection.hasHours(day: hour / 24)
  }
}
