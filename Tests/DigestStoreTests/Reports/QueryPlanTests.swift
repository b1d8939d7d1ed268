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

  @Test func `no report reads all digests or counts without a range`() throws {
    let temporary = try TemporaryStore(holding: RandomRecords.make(300, seed: 4))
    try temporary.foldAll()
    try temporary.execute("UPDATE decodes SET decodes = 2 * digests")
    try temporary.store.append(.make())
    let reader = try DigestReader(path: temporary.path)
    let log = StatementLog()
    try reader.readFile { log.record($0) }

    // Temporary tables stay until the moment ends.
    let plans = try reader.atOneMoment {
      for filter in Self.filters {
        for report in EveryReport.all { try report.read(reader, filter) }
        _ = try reader.countedWindow(matching: filter)
        _ = try reader.reachedLimits(matching: filter)
        _ = try reader.losses(matching: filter)
      }
      return try reader.read { connection in
        try log.all.filter { $0.contains("SELECT") }.map { sql in
          (sql, try connection.rows("EXPLAIN QUERY PLAN \(sql)") { $0.text(at: 3) ?? "" })
        }
      }
    }

    #expect(plans.count > 50)
    for (sql, plan) in plans {
      // Some statements have a list that is named like the digests, too.
      let isList = plan.contains("CO-ROUTINE d") || plan.contains("MATERIALIZE d")
      let growing = ["digest", "tally", "decodes"] + (isList ? [] : ["d"])
      let scans = plan.filter { step in
        growing.contains { step == "SCAN \($0)" || step.hasPrefix("SCAN \($0) ") }
      }
      #expect(scans == [], "\(sql)")
    }
  }
}
