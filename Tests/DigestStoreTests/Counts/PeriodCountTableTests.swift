import Foundation
import Testing

@testable import DigestStore

struct PeriodCountTableTests {
  private static let hour: Int64 = 489_889

  /// Counts of failures that occurred once each, in the same hour.
  private static func counts(_ failures: some Sequence<Int64>) -> [PeriodCount] {
    failures.map { failure in
      let moment = hour * Moment.hour + failure % Moment.hour
      return PeriodCount(
        release: 0, start: hour,
        count: Count(
          id: failure, occurrences: 1, digests: 1, sharedDigests: 0, first: moment,
          last: moment))
    }
  }

  /// What the file has of an hour: how many rows, and how often each failure occurred.
  private static func contents(_ store: TemporaryStore) throws -> (
    rows: Int, counts: [Int64: Int64]
  ) {
    try Snapshot.of(Connection(path: store.path, mode: .readOnly)) { snapshot in
      var rows = 0
      var counts: [Int64: Int64] = [:]
      try snapshot.connection.forEachPack("true", []) { period, _, bytes in
        rows += 1
        var decoder = CountDecoder(bytes, period)
        while let count = try decoder.next() {
          counts[count.id, default: 0] += count.occurrences
        }
      }
      return (rows, counts)
    }
  }

  @Test func `an hour has one row as long as it is worth adding to, and few after that`() throws {
    let temporary = try TemporaryStore()
    let table = try PeriodCountTable(
      Connection(path: temporary.path, mode: .readWrite), .failures)
    var budget = Int.max
    try table.add(Self.counts(1...20_000), span: 1, budget: &budget)
    try table.add(Self.counts(1...10_000), span: 1, budget: &budget)
    #expect(try Self.contents(temporary).rows == 1)

    for failure in 1...3_000 as ClosedRange<Int64> {
      try table.add(Self.counts([failure]), span: 1, budget: &budget)
    }

    let (rows, counts) = try Self.contents(temporary)
    #expect(2...4 ~= rows)
    #expect(counts.count == 20_000)
    #expect(
      counts.allSatisfy { failure, count in
        count == (failure <= 3_000 ? 3 : failure <= 10_000 ? 2 : 1)
      })
  }

  @Test func `when nothing more is to be added up, rows wait for the next time`() throws {
    let temporary = try TemporaryStore()
    let table = try PeriodCountTable(
      Connection(path: temporary.path, mode: .readWrite), .failures)
    var budget = 0
    for _ in 0..<5 { try table.add(Self.counts(1...3), span: 1, budget: &budget) }
    #expect(try Self.contents(temporary).rows == 5)

    budget = 1_000
    try table.add(Self.counts(1...3), span: 1, budget: &budget)

    let (rows, counts) = try Self.contents(temporary)
    #expect(rows == 1)
    #expect(counts == [1: 6, 2: 6, 3: 6])
    #expect(budget < 1_000)
  }

  @Test func `a row that is damaged stays as it is, and folding goes on`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(.make())
    try temporary.foldAll()
    try temporary.execute("UPDATE period SET cells = x'ff'")

    try temporary.store.append(.make())
    try temporary.foldAll()

    #expect(try temporary.query("SELECT folded_through FROM store") == ["2"])
    #expect(
      try temporary.query("SELECT count(*) FROM period WHERE cells = x'ff'") == ["3"])
    #expect(try temporary.store.novelValues().map(\.occurrences) == [2])
    #expect(
      try temporary.store.verify().problems.contains {
        $0.contains("packed counts cannot be read")
      })
    let error = #expect(throws: DigestStoreError.self) {
      try temporary.store.novelValues(
        matching: DigestFilter(since: Date(timeIntervalSince1970: 0)))
    }
    #expect(error?.code == .damaged)
  }

  @Test func `a digest that is damaged counts for nothing, and stops no other`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(.make(), .make(), .make())
    try temporary.execute("UPDATE digest SET entries = '[[1,' WHERE id = 2")
    #expect(try temporary.store.novelValues().map(\.occurrences) == [2])

    try temporary.foldAll()

    #expect(try temporary.store.novelValues().map(\.occurrences) == [2])
    #expect(try temporary.store.verify().problems == ["1 digests cannot be read"])
  }
}
