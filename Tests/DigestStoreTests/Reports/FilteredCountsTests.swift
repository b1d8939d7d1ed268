import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

/// Every question under every kind of filter, against a recount.
struct FilteredCountsTests {
  static let filters: [DigestFilter] = [
    DigestFilter(kind: .typeMismatch), DigestFilter(kind: .unknownNovelValue),
    DigestFilter(kind: .dataCorrupted), DigestFilter(kind: .keyNotFound),
    DigestFilter(novelValue: "villa"), DigestFilter(novelValue: ""), DigestFilter(novelValue: "*"),
    DigestFilter(novelValue: "??r?"), DigestFilter(environment: "production"),
    DigestFilter(kind: .typeMismatch, operation: "*{id}"),
    DigestFilter(release: "4.2", hasNoRelease: true, environment: "staging", operation: "GET *"),
    DigestFilter(hasNoRelease: true), DigestFilter(release: "4.2", hasNoRelease: true), several,
    DigestFilter(kind: .unknownNovelValue, novelValue: "v*", release: "4.1"),
    DigestFilter(
      model: "*.User", codingPath: "items*", kind: .unknownNovelValue, hasNoRelease: true),
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
    for filter in Self.windowed(index) {
      try store.expectRecount(of: records, filter)
      let inWindow = records.filter { filter.matches($0) }
      let seen = records.filter(filter.hasContext)
      let operations = Recount.of(inWindow, seenIn: seen) {
        filter.matches($0, $1) ? "\($0.context.operation) \($1.failureKey(in: $0))" : nil
      }
      let parts = try store.failuresByOperation(matching: filter)
      #expect(
        Dictionary(
          uniqueKeysWithValues: parts.map {
            ("\($0.operation ?? "") \($0.failure.key)", $0.failure.recount)
          }) == operations, "\(filter)")
      for part in parts {
        let found = inWindow.filter { record in
          record.context.operation == part.operation ?? ""
            && record.errors.contains {
              filter.matches(record, $0) && $0.failureKey(in: record) == part.failure.key
            }
        }
        #expect(part.releases == Set(found.compactMap(\.release)).sorted(), "\(filter)")
      }
      #expect(
        try store.failuresByOperation(matching: filter, limit: 3) == Array(parts.prefix(3)))
    }
  }

  @Test(arguments: filters.indices)
  func `new failures are those of the filter that were not known`(_ index: Int) throws {
    let middle = Moment(milliseconds: RandomRecords.start + 3 * Moment.hour)
    var filter = Self.filters[index]
    filter.since = middle.date
    // What is known is known from any release, and from older ones, in the same operations.
    let known = Recount.of(
      records.filter {
        filter.hasEnvironment(of: $0)
          && ($0.recordedAt < middle
            || !filter.releases.isEmpty && !filter.hasNoRelease && $0.release == nil)
      }
    ) { $1.failureKey(in: $0) }
    let expected = Recount.of(records.filter { filter.matches($0) }) {
      filter.matches($0, $1) ? $1.failureKey(in: $0) : nil
    }
    #expect(
      try temporary.store.newFailures(matching: filter).recounts.mapValues(\.occurrences)
        == expected.mapValues(\.occurrences).filter { known[$0.key] == nil })
  }

  /// A filter in each window.
  private static func windowed(_ index: Int) -> [DigestFilter] {
    windows.map { since, until in
      var filter = filters[index]
      (filter.since, filter.until) = (since?.date, until?.date)
      return filter
    }
  }
}
