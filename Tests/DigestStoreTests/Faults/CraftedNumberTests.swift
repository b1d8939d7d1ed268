import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

/// Times and counts that no store writes, in files that were made on purpose.
struct CraftedNumberTests {
  private static let columns: [(table: String, columns: [String])] = [
    ("source", ["counted", "counted_at"]),
    ("origin", ["evicted", "evicted_hour", "seen", "lost"]),
    ("origin_decodes", ["hour", "decodes"]), ("upload", ["digest", "hour", "lines"]),
    ("failure", ["sampled_at"]), ("digest", ["recorded_at", "number"]),
    ("total", ["occurrences", "digests", "first_seen", "last_seen"]),
    ("tally", ["start", "occurrences", "digests"]),
    ("decodes", ["start", "decodes", "digests", "failed", "occurrences"]),
    ("loss", ["hour", "digests", "occurrences"]),
  ]

  private static let cases = columns.flatMap { table, columns in
    columns.flatMap { column in
      [Int64.min, .max, -1, 0, 1 << 53].prefix(Repetitions.count(2, long: 5)).map {
        "UPDATE OR REPLACE \(table) SET \(column) = \($0)"
      }
    }
  }

  private static let reports =
    EveryReport.all + [
      EveryReport("all renames") { _ = try $0.renames(matching: $1) },
      EveryReport("losses") { _ = try $0.losses(matching: $1) },
      EveryReport("digests") { _ = try $0.digests(matching: $1) },
      EveryReport("export") { _ = try $0.exportDigests(matching: $1) { _ in } },
      EveryReport("newest") { reader, _ in
        _ = try (reader.newestError(), reader.newestTime())
      },
      EveryReport("diagnosis") { reader, _ in _ = try reader.diagnose() },
      EveryReport("trend by minute") { _ = try $0.trend(matching: $1, by: .minute) },
      EveryReport("before the trend") { _ = try $0.occurrencesBeforeTrend(matching: $1) },
    ]

  private static let filters = [
    DigestFilter(), DigestFilter(release: "4.2"),
    DigestFilter(
      since: Moment(milliseconds: 1_763_632_800_000 - 5_000).date,
      until: Moment(milliseconds: 1_763_632_800_000 + 3 * Moment.hour + 5_000).date),
  ]

  @Test(arguments: cases)
  func `each report of a file with any number answers or throws an error, and ends`(
    change: String
  ) throws {
    let temporary = try TemporaryStore()
    try Self.fill(temporary)
    try temporary.execute(change)
    let reader = try DigestReader(path: temporary.path)
    for report in Self.reports {
      for filter in Self.filters {
        expectAnswerOrLine(report.name) { try report.read(reader, filter) }
      }
    }
    // It may delete anything, but it ends, too.
    let store = try DigestStore(path: temporary.path)
    defer { try? store.close() }
    expectAnswerOrLine("prune") { _ = try store.prune(maximumAge: .seconds(86_400)) }
  }

  private func expectAnswerOrLine(_ name: String, _ report: () throws -> Void) {
    do {
      try report()
    } catch let error as DigestStoreError {
      #expect(!error.description.contains { $0.isNewline }, "\(name)")
    } catch {
      Issue.record("\(name) throws \(error)")
    }
  }

  /// A renamed key, a novel value, decodes, losses, and a digest that isn't counted yet.
  private static func fill(_ temporary: TemporaryStore) throws {
    func key(_ path: String, _ kind: ErrorDigest.Kind) -> RecordedError {
      RecordedError(path: ErrorDigest.Path(path) ?? ErrorDigest.Path(), kind: kind)
    }
    let start = Moment(milliseconds: 1_763_632_800_000)
    try temporary.store.append(
      .make(at: start, release: "4.2"),
      .make(
        at: Moment(milliseconds: start.milliseconds + Moment.hour), release: "4.2",
        key("items[0].title", .keyNotFound), key("items[0].name", .unknownKey)))
    try temporary.foldAll()
    try temporary.store.close()
    try temporary.execute(
      """
      UPDATE decodes SET decodes = 2 * digests;
      INSERT INTO loss VALUES (489898, 'evicted', 1, 1, NULL), (489897, 'undated', 1, 1, NULL);
      INSERT INTO digest (id, recorded_at, model, context, errors)
      SELECT 3, recorded_at, model, context, errors FROM digest WHERE id = 1
      """)
  }
}
