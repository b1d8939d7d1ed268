import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

/// Every question under every kind of filter, against a recount.
struct FilteredCountsTests {
  private typealias Condition = @Sendable (DigestRecord, RecordedError) -> Bool

  /// Filters, and what they let through in other words.
  private static let filters: [(DigestFilter, Condition)] = [
    (DigestFilter(kind: .typeMismatch), { $1.kind == .typeMismatch }),
    (DigestFilter(kind: .unknownNovelValue), { $1.kind == .unknownNovelValue }),
    (DigestFilter(kind: .dataCorrupted), { $1.kind == .dataCorrupted }),
    (DigestFilter(kind: .keyNotFound), { _, _ in false }),
    (DigestFilter(novelValue: "villa"), { $1.novelValue == "villa" }),
    (DigestFilter(novelValue: ""), { $1.novelValue == "" }),
    (DigestFilter(novelValue: "*"), { $1.novelValue != nil }),
    (DigestFilter(novelValue: "??r?"), { $1.novelValue == "yurt" }),
    (
      DigestFilter(environment: "production"),
      { record, _ in record.context.environment == "production" }
    ),
    (
      DigestFilter(kind: .typeMismatch, operation: "*{id}"),
      { $0.context.operation == "GET /users/{id}" && $1.kind == .typeMismatch }
    ),
    (
      DigestFilter(release: "4.2", hasNoRelease: true, environment: "staging", operation: "GET *"),
      { record, _ in
        record.release != "4.1" && record.context.environment == "staging"
          && record.context.operation.hasPrefix("GET ")
      }
    ),
    (DigestFilter(hasNoRelease: true), { record, _ in record.release == nil }),
    (
      DigestFilter(release: "4.2", hasNoRelease: true),
      { record, _ in record.release == "4.2" || record.release == nil }
    ),
    (
      several,
      {
        $0.release != nil && $1.novelValue != "yurt"
          && [.unknownNovelValue, .dataCorrupted].contains($1.kind)
      }
    ),
    (
      DigestFilter(kind: .dataCorrupted, novelValue: "v*", release: "4.1"),
      { $0.release == "4.1" && $1.kind == .dataCorrupted && $1.novelValue == "villa" }
    ),
    (
      DigestFilter(
        model: "*.User", codingPath: "items*", kind: .unknownNovelValue, hasNoRelease: true),
      {
        $0.model == "App.User" && $0.release == nil && $1.kind == .unknownNovelValue
          && $1.path.pattern.hasPrefix("items")
      }
    ),
  ]

  private static let several: DigestFilter = {
    var filter = DigestFilter()
    filter.models = ["App.User", "App.L*"]
    filter.kinds = [.unknownNovelValue, .dataCorrupted]
    filter.novelValues = ["villa", "v*", "", "no"]
    filter.releases = ["4.1", "4.2", "9"]
    return filter
  }()

  private static let windows = [(nil, nil)] + RandomRecords.windows(seed: 8).suffix(3)

  private let temporary: TemporaryStore
  private let records: [DigestRecord]

  init() throws {
    temporary = try TemporaryStore()
    records = RandomRecords.make(500, seed: 8)
    try temporary.store.appendAll(records)
  }

  @Test(arguments: filters.indices)
  func `counts equal a recount`(_ index: Int) throws {
    let store = temporary.store
    try forEachWindow(of: index) { filter, records, condition in
      func isReleased(_ record: DigestRecord) -> Bool {
        filter.isOfContext(record)
          && (!filter.choosesReleases
            || record.release.map(filter.releases.contains) ?? filter.hasNoRelease)
      }
      let seen = self.records.filter(isReleased)
      let values = try store.novelValues(matching: filter)
      #expect(
        values.recounts
          == Recount.of(records, seenIn: seen) {
            condition($0, $1) ? $1.novelValueKey(in: $0) : nil
          },
        "\(filter)")
      let failures = try store.failures(matching: filter)
      #expect(
        failures.recounts
          == Recount.of(records, seenIn: seen) {
            condition($0, $1) ? $1.failureKey(in: $0) : nil
          },
        "\(filter)")
      let operations = Recount.of(records, seenIn: seen) {
        condition($0, $1) ? "\($0.context.operation) \($1.failureKey(in: $0))" : nil
      }
      let parts = try store.failuresByOperation(matching: filter)
      #expect(
        Dictionary(
          uniqueKeysWithValues: parts.map {
            ("\($0.operation ?? "") \($0.failure.key)", $0.failure.recount)
          }) == operations, "\(filter)")
      for part in parts {
        let found = records.filter { record in
          record.context.operation == part.operation ?? ""
            && record.errors.contains {
              condition(record, $0) && $0.failureKey(in: record) == part.failure.key
            }
        }
        #expect(part.releases == Set(found.compactMap(\.release)).sorted(), "\(filter)")
      }
      #expect(
        try store.failuresByOperation(matching: filter, limit: 3) == Array(parts.prefix(3)))
      let valueTrend = try store.trend(matching: filter, by: .day, groupedBy: .novelValue)
      #expect(
        Set(valueTrend.map { "\($0.novelValue ?? "") \($0.occurrences)" })
          == Set(values.map { "\($0.novelValue ?? "") \($0.occurrences)" }),
        "\(filter)")
      #expect(
        valueTrend.allSatisfy {
          $0.occurrences == $0.points.reduce(0) { $0 + ($1.occurrences ?? 0) }
        })
      let trend = try store.trend(matching: filter, by: .week, groupedBy: .kind)
      #expect(
        Dictionary(uniqueKeysWithValues: trend.map { ($0.kind?.rawValue, $0.occurrences) })
          == Recount.of(records) { condition($0, $1) ? $1.kind.rawValue : nil }
          .mapValues(\.occurrences),
        "\(filter)")
    }
  }

  @Test(arguments: filters.indices)
  func `exports have whole digests, and single occurrences`(_ index: Int) throws {
    let store = temporary.store
    try forEachWindow(of: index) { filter, records, condition in
      let errors = records.map { record in
        record.entries.count { condition(record, $0) }
          + record.omissions.reduce(0) { $0 + (condition(record, $1.failure) ? $1.count : 0) }
      }
      let digests = try store.lines(matching: filter).map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
      let expected = zip(records, errors).filter { $1 > 0 }.map { record, _ in
        record.entries.count + record.omissions.count
      }
      #expect(digests.map { ($0["errors"] as? [Any])?.count ?? 0 } == expected, "\(filter)")
      #expect(try store.digests(matching: filter).count == expected.count, "\(filter)")
      var occurrences = 0
      try store.exportOccurrences(matching: filter) { occurrences += $0.times }
      #expect(occurrences == errors.reduce(0, +), "\(filter)")
    }
  }

  @Test(arguments: filters.indices)
  func `new and changed rows are those of the filter`(_ index: Int) throws {
    let store = temporary.store
    let middle = Moment(milliseconds: RandomRecords.start + 3 * Moment.hour)
    var (filter, condition) = Self.filters[index]
    func keys(
      _ records: [DigestRecord], _ key: (RecordedError, DigestRecord) -> String?
    ) -> [String: Int] {
      Recount.of(records) { condition($0, $1) ? key($1, $0) : nil }.mapValues(\.occurrences)
    }
    let before = records.within(nil, middle)
    let after = records.within(middle, nil)

    var earlier = filter
    earlier.until = middle.date
    filter.since = middle.date

    // What is known is known from any release, and from older ones, in the same operations.
    let old = records.filter {
      filter.isOfContext($0)
        && ($0.recordedAt < middle
          || !filter.releases.isEmpty && !filter.hasNoRelease && $0.release == nil)
    }
    let known = Recount.of(old) { $1.failureKey(in: $0) }
    #expect(
      Dictionary(
        uniqueKeysWithValues: try store.newFailures(matching: filter).map {
          ($0.key, $0.occurrences)
        })
        == keys(after) { $0.failureKey(in: $1) }.filter { known[$0.key] == nil })
    let knownValues = Recount.of(old) { $1.novelValueKey(in: $0) }
    #expect(
      Dictionary(
        uniqueKeysWithValues: try store.newFailures(matching: filter.ofNovelValues)
          .map { ($0.key, $0.occurrences) })
        == keys(after) { $0.novelValueKey(in: $1) }.filter { knownValues[$0.key] == nil })

    let counts = keys(before) { $0.novelValueKey(in: $1) }
    let newCounts = keys(after) { $0.novelValueKey(in: $1) }
    let changes = try store.failureChanges(
      from: earlier.ofNovelValues, to: filter.ofNovelValues)
    let expected = Set(counts.keys).union(newCounts.keys)
      .filter { counts[$0] != newCounts[$0] }
    #expect(Set(changes.map(\.key)) == expected)
    #expect(changes.allSatisfy { $0.occurrencesBefore == counts[$0.key] ?? 0 })
    #expect(changes.allSatisfy { $0.occurrencesAfter == newCounts[$0.key] ?? 0 })
    let (oldFailures, newFailures) = (
      keys(before) { $0.failureKey(in: $1) }, keys(after) { $0.failureKey(in: $1) }
    )
    let increase = try store.failureChanges(from: earlier, to: filter)
      .reduce(0) { $0 + $1.occurrencesAfter - $1.occurrencesBefore }
    #expect(increase == newFailures.values.reduce(0, +) - oldFailures.values.reduce(0, +))
  }

  private func forEachWindow(
    of index: Int,
    _ body: (DigestFilter, [DigestRecord], Condition) throws -> Void
  ) throws {
    for (since, until) in Self.windows {
      var (filter, condition) = Self.filters[index]
      (filter.since, filter.until) = (since?.date, until?.date)
      try body(filter, records.within(since, until), condition)
    }
  }
}

extension DigestStore.FailureChange {
  fileprivate var key: String {
    "\(model)|\(codingPath)|\(novelValue ?? "-")|\(valueType ?? "-")"
  }
}
