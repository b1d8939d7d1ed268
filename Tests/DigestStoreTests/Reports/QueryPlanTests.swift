import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

@testable import DigestStore

/// The plans of the statements that reports run.
struct QueryPlanTests {
  private static let filters: [DigestFilter] = {
    let start = Moment(milliseconds: RandomRecords.start + 40 * Moment.hour + 1_234).date
    let end = Moment(milliseconds: RandomRecords.start + 120 * Moment.hour + 567).date
    return [
      DigestFilter(), DigestFilter(since: start), DigestFilter(since: start, until: end),
      DigestFilter(release: "4.2"), DigestFilter(release: "4.2", since: start),
      DigestFilter(model: "App.*", codingPath: "items*", since: start),
      DigestFilter(kind: .typeMismatch, until: end), DigestFilter(novelValue: "v*"),
    ]
  }()

  /// The statements of some reports, with their plans.
  private func plans(
    of reports: (DigestReader) throws -> Void
  ) throws -> [(sql: String, plan: [String])] {
    let temporary = try TemporaryStore()
    try temporary.store.appendAll(RandomRecords.make(300, seed: 4))
    try temporary.foldAll()
    try temporary.store.append(.make())
    let reader = try DigestReader(path: temporary.path)
    let log = StatementLog()
    try reader.readFile { log.record($0) }

    // Temporary tables stay until the moment ends.
    return try reader.atOneMoment {
      try reports(reader)
      return try reader.read { connection in
        try log.all.filter { $0.contains("SELECT") }.map { sql in
          (sql, try connection.rows("EXPLAIN QUERY PLAN \(sql)") { $0.text(at: 3) ?? "" })
        }
      }
    }
  }

  @Test func `no report reads all digests or counts without a range`() throws {
    let plans = try plans { reader in
      for filter in Self.filters {
        _ = try reader.novelValues(matching: filter, limit: 20)
        _ = try reader.failures(matching: filter)
        _ = try reader.models(matching: filter)
        _ = try reader.totals(matching: filter)
        _ = try reader.occurrences(matching: filter)
        _ = try reader.decodeCounts(matching: filter)
        _ = try reader.newFailures(matching: filter.ofNovelValues)
        _ = try reader.trend(matching: filter, by: .day, groupedBy: .novelValue)
        _ = try reader.trend(matching: filter, by: .day)
        _ = try reader.failureChanges(
          from: filter.ofNovelValues, to: Self.filters[1].ofNovelValues)
        _ = try reader.countedWindow(matching: filter)
        _ = try reader.reachedLimits(matching: filter)
        _ = try reader.losses(matching: filter)
      }
    }

    #expect(plans.count > 50)
    let growing = ["d", "digest", "tally", "decodes"]
    for (sql, plan) in plans {
      let scans = plan.filter { step in
        growing.contains { step == "SCAN \($0)" || step.hasPrefix("SCAN \($0) ") }
      }
      #expect(scans == [], "\(sql)")
    }
  }
}
