import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

@testable import DigestStore

/// Deletes from random stores by age and by size, and compares them with everything ever recorded.
struct RandomRetentionTests {
  @Test(arguments: 0..<UInt64(Repetitions.count(4, long: 8)))
  func `deleting changes no total, and verify finds nothing`(seed: UInt64) throws {
    var history = try History(seed: seed)
    for round in 0..<Repetitions.count(4, long: 12) {
      try history.write()
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

/// A file that is written and deleted from at random, and all that was recorded.
private struct History {
  private static let begin = 1_760_000_000_000 / (24 * Moment.hour) * 24 * Moment.hour

  struct Digest {
    let recordedAt: Int64
    /// The occurrences by failure.
    let errors: [Int64: Int64]
  }

  let connection: Connection
  private(set) var recorded: [Digest] = []
  private var random: SeededGenerator
  private var now = Self.begin
  private let fold: Fold
  private let failures: Int64
  private let folder: TemporaryFolder

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    failures = seed.isMultiple(of: 2) ? 20 : 300
    folder = try TemporaryFolder()
    connection = try Connection.openStore(
      at: folder.url.appending(path: "digests.sqlite").path, DigestStore.Configuration())
    fold = try Fold(connection)
    try connection.execute(
      """
      PRAGMA synchronous = OFF;
      INSERT INTO model VALUES (1, 'App.A'), (2, 'App.B');
      INSERT INTO source VALUES (2, 'b', 0, 0, 0, 0);
      INSERT INTO context
        SELECT value, iif(value = 6, 2, 1), iif(value = 5, '', '4.' || value % 4), 'e' || value, ''
        FROM json_each('[1,2,3,4,5,6]')
      """)
    for failure in 1...failures {
      let kind = ["unknownNovelValue", "converted", "keyNotFound"][Int(failure) % 3]
      try connection.execute(
        """
        INSERT INTO failure (id, key, model, coding_path, kind, novel_value, value_type, message,
          sampled_at)
        VALUES (\(failure), randomblob(16), 1, 'items[].kind', '\(kind)', 'v\(failure)', 'String', 'm',
          \(Self.begin))
        """)
    }
  }

  mutating func write() throws {
    let pace: Int64 = [60_000, 600_000, 3 * Moment.hour].randomElement(using: &random) ?? 1
    var id = try max(
      connection.integer("SELECT max(id) FROM digest") ?? 0,
      connection.integer("SELECT folded FROM store") ?? 0)
    try connection.execute("BEGIN")
    let add = try Statement(connection, "INSERT INTO digest VALUES (?, ?, ?, ?, ?, ?, ?)")
    for _ in 0..<Int.random(in: 50...1_500, using: &random) {
      id += 1
      now += Int64.random(in: 0..<pace, using: &random)
      // Some clocks are behind.
      let delay =
        Int.random(in: 0..<20, using: &random) == 0
        ? Int64.random(in: 0..<90 * Moment.hour, using: &random) : 0
      let recordedAt = max(Self.begin, now - delay)
      let context = Int64.random(in: 1...6, using: &random)
      let errors = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        (
          failure: Int64.random(in: 1...failures, using: &random),
          times: Int64.random(in: 1...3, using: &random)
        )
      }
      let text = errors.map { "[\($0.failure),null,\($0.times)]" }.joined(separator: ",")
      try add.run([
        .integer(id), .integer(recordedAt), .integer(.random(in: 1...2, using: &random)),
        .integer(context), context == 6 ? .integer(2) : .null, context == 6 ? .integer(id) : .null,
        .text("[\(text)]"),
      ])
      recorded.append(
        Digest(
          recordedAt: recordedAt,
          errors: errors.reduce(into: [:]) { $0[$1.failure, default: 0] += $1.times }))
    }
    for _ in 0..<20 {
      let hour = max(0, now / Moment.hour - .random(in: 0..<200, using: &random))
      let context = Int64.random(in: 1...6, using: &random)
      for (span, context) in [(1, context), (24, context), (1, 0), (24, 0)] {
        try connection.execute(
          """
          INSERT INTO decodes VALUES (\(span), \(context), \(hour / Int64(span)), 1, 1, 0, 0, 0)
          \(Fold.adding("decodes"))
          """)
      }
    }
    try connection.execute("COMMIT")
    let limit = [7, 50, 300].randomElement(using: &random) ?? 1
    if Int.random(in: 0..<10, using: &random) < 7 {
      while try fold.run(limit: limit) > 0 {}
    } else {
      _ = try fold.run(limit: limit)
    }
  }

  mutating func delete() throws {
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

  func digests() throws -> Int { Int(try connection.integer("SELECT count(*) FROM digest") ?? 0) }

  func evicted() throws -> Int {
    Int(try connection.integer("SELECT sum(digests) FROM loss WHERE reason = 'evicted'") ?? 0)
  }

  /// The occurrences, digests, first and last time, by failure.
  func totals() throws -> [Int64: [Int64]] {
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

  func recordedTotals() -> [Int64: [Int64]] {
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
