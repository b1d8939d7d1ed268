import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

@testable import DigestStore

/// Deletes from random stores by age and by size, and compares them with everything ever recorded.
struct RandomRetentionTests {
  @Test(arguments: 0..<UInt64(Repetitions.count(4, long: 8)))
  func `deleting changes no total, and verify finds nothing`(seed: UInt64) throws {
    var history = try RandomHistory(seed: seed, failures: seed.isMultiple(of: 2) ? 20 : 300)
    for round in 0..<Repetitions.count(4, long: 12) {
      try history.write(50...1_500)
      try history.delete()
      #expect(try history.totals() == history.recordedTotals(), "round \(round)")
      #expect(try history.digests() + history.evicted() == history.recorded.count)
      var check = TallyCheck(history.connection)
      let problems = try check.problems()
      #expect(problems == [], "round \(round)")
      if problems != [] { return }
    }
  }
}

extension RandomHistory {
  fileprivate mutating func delete() throws {
    let now = Moment(milliseconds: now)
    let isByAge = Bool.random(using: &random)
    let age = Duration.seconds(Int.random(in: 0..<40 * 24 * 3_600, using: &random))
    let size = Int.random(in: 1 << 20...2 << 20, using: &random)
    // The last digests may all be of clocks that are behind, and all digests be deleted.
    let newest = try connection.integer("SELECT max(recorded_at) FROM digest")
    let retention = try Retention(
      connection, RetentionLimits(age: isByAge ? age : nil, size: isByAge ? nil : size))
    var steps = 0
    while try retention.step(now: now), steps < 20_000 { steps += 1 }
    #expect(steps < 20_000)
    guard isByAge else {
      #expect(try connection.fileSize().bytes <= size)
      return
    }
    guard let newest else { return }
    let cutoff = newest - age.milliseconds
    #expect(
      try connection.integer(
        """
        SELECT (SELECT count(*) FROM digest
            WHERE recorded_at < \(cutoff) AND id <= (SELECT folded FROM store))
          + (SELECT count(*) FROM failure WHERE sampled_at < \(cutoff))
        """) == 0)
  }

  fileprivate func digests() throws -> Int {
    Int(try connection.integer("SELECT count(*) FROM digest") ?? 0)
  }

  fileprivate func evicted() throws -> Int {
    Int(try connection.integer("SELECT sum(digests) FROM loss WHERE reason = 'evicted'") ?? 0)
  }

  /// The occurrences, digests, first and last time, by failure.
  fileprivate func totals() throws -> [Int64: [Int64]] {
    try connection.reading {
      let totals = try TotalRows(connection, DigestFilter())
      let rows = try connection.rows(
        """
        SELECT failure, sum(occurrences), sum(digests), min(first_seen), max(last_seen)
        FROM (\(totals.sql())) GROUP BY 1
        """
      ) { row in (row.integer(at: 0), (1...4).map { row.integer(at: $0) }) }
      return Dictionary(uniqueKeysWithValues: rows)
    }
  }

  fileprivate func recordedTotals() -> [Int64: [Int64]] {
    var totals: [Int64: [Int64]] = [:]
    for digest in recorded {
      for (failure, times) in digest.errors {
        let total = totals[failure] ?? [0, 0, .max, .min]
        totals[failure] = [
          total[0] + times, total[1] + 1, min(total[2], digest.recordedAt),
          max(total[3], digest.recordedAt),
        ]
      }
    }
    return totals
  }
}
