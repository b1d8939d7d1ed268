import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

/// Counts by model against a recount, over random digests, windows and filters.
struct ExactModelsTests {
  /// The errors that a filter matches, by a recount.
  private struct Expected {
    var counts: [String: Recount]
    var failures: [String: Set<String>] = [:]
    var novelValues: [String: Set<String>] = [:]

    /// The times of all time of the failures in a window.
    func times(of failures: some Sequence<String>) -> (first: Moment?, last: Moment?) {
      let found = failures.compactMap { recounts[$0] }
      return (found.map(\.first).min(), found.map(\.last).max())
    }

    /// Models of which not all failures were let through.
    var partial: Set<String> = []
    var allDigests: Int

    /// The counts of each failure.
    var recounts: [String: Recount]

    init(_ records: [DigestRecord], _ filter: DigestFilter) {
      let records = records.filter(filter.hasContext)
      counts = Recount.of(records) { filter.matches($0, $1) ? $0.model : nil }
      recounts = Recount.of(records) { filter.matches($0, $1) ? $1.failureKey(in: $0) : nil }
      allDigests = records.count
      for record in records {
        for error in record.errors {
          guard filter.matches(record, error) else {
            partial.insert(record.model)
            continue
          }
          let key = error.failureKey(in: record)
          failures[record.model, default: []].insert(key)
          if error.novelValue != nil { novelValues[record.model, default: []].insert(key) }
        }
      }
    }
  }

  private static let filters = [
    DigestFilter(), DigestFilter(release: "4.2"), DigestFilter(model: "App.User"),
    DigestFilter(codingPath: "items[].kind"), DigestFilter(codingPath: "*", release: "4.1"),
    DigestFilter(model: "App.Listing", codingPath: "price"), DigestFilter(hasNoRelease: true),
    DigestFilter(kind: .unknownNovelValue), DigestFilter(novelValue: "villa", release: "4.1"),
    DigestFilter(environment: "production"),
    DigestFilter(codingPath: "price", environment: "staging", operation: "GET /listings"),
  ]

  private func check(
    _ store: DigestReader, _ records: [DigestRecord], seed: UInt64
  ) throws {
    for (index, window) in RandomRecords.windows(seed: seed).enumerated() {
      var filter = Self.filters[index % Self.filters.count]
      filter.since = window.since?.date
      filter.until = window.until?.date
      let counted = try store.countedWindow(matching: filter)
      let isEmpty = window.until.map { (window.since ?? .earliest) >= $0 } == true
      let inWindow =
        isEmpty
        ? [] : records.within(counted.since.map { Moment($0) }, counted.until.map { Moment($0) })
      let expected = Expected(inWindow, filter)
      let ever = Expected(records, filter)
      // The others only succeeded.
      let models = try store.models(matching: filter).filter { $0.occurrences > 0 }
      let occurrences = expected.counts.values.reduce(0) { $0 + $1.occurrences }

      #expect(try store.occurrences(matching: filter) == occurrences, "\(filter)")
      #expect(Set(models.map(\.model)) == Set(expected.counts.keys), "\(filter)")
      for model in models {
        let recount = expected.counts[model.model]
        let failures = expected.failures[model.model]?.count
        let isPartial = expected.partial.contains(model.model)
        let isKnown = failures == 1 || !isPartial
        #expect(isKnown ? model.digests == recount?.digests : model.digests == nil, "\(filter)")
        #expect(
          model.share
            == model.digests.map { Double($0) / Double(expected.allDigests) }, "\(filter)")
        let times = ever.times(of: expected.failures[model.model] ?? [])
        #expect(model.occurrences == recount?.occurrences, "\(filter)")
        #expect(
          model.firstSeen == times.first?.date && model.lastSeen == times.last?.date, "\(filter)")
        #expect(model.failures == failures, "\(filter)")
        #expect(model.novelValues == expected.novelValues[model.model]?.count ?? 0, "\(filter)")
      }
      #expect(
        try store.totals(matching: filter)
          == DigestStore.Totals(
            digests: models.contains { $0.digests == nil }
              ? nil : models.reduce(0) { $0 + ($1.digests ?? 0) },
            occurrences: occurrences,
            models: models.count,
            failures: expected.failures.values.reduce(0) { $0 + $1.count },
            novelValues: expected.novelValues.values.reduce(0) { $0 + $1.count },
            firstSeen: ever.times(of: expected.failures.values.joined()).first?.date,
            lastSeen: ever.times(of: expected.failures.values.joined()).last?.date), "\(filter)")
    }
    #expect(try store.verify().problems == [])
  }

  /// The parts of models together are the models, and each of them is what a filter for it counts.
  @Test(arguments: [UInt64(56), 57])
  func `counts by operation equal those of a filter for each`(seed: UInt64) throws {
    let records = RandomRecords.make(200, seed: seed)
    let temporary = try TemporaryStore(holding: records)
    let hour = Moment(milliseconds: RandomRecords.start)
    for (index, record) in records.enumerated() where index % 3 == 0 {
      temporary.store.countCleanDecode(
        of: record.model, record.context, at: index % 2 == 0 ? hour.date : record.recordedAt.date)
    }
    temporary.store.flush()
    let names = ["GET /listings", "GET /users/{id}", ""]
    for (index, window) in RandomRecords.windows(seed: seed).enumerated() {
      // An empty operation cannot be a filter.
      var filter = Self.filters.filter { $0.operations.isEmpty }[index % (Self.filters.count - 1)]
      (filter.since, filter.until) = (window.since?.date, window.until?.date)
      let all = try temporary.store.models(matching: filter).filter { $0.occurrences > 0 }
      let parts = try temporary.store.models(matching: filter, by: .operation)
      #expect(parts.map(\.occurrences) == parts.map(\.occurrences).sorted(by: >))
      for model in all {
        let ofModel = parts.filter { $0.model == model.model }
        #expect(ofModel.reduce(0) { $0 + $1.occurrences } == model.occurrences, "\(filter)")
        // A part without a matching error is not listed.
        if model.decodes != nil, !filter.choosesFailures {
          #expect(ofModel.reduce(0) { $0 + ($1.decodes ?? 0) } == model.decodes, "\(filter)")
        }
      }
      for name in names where !name.isEmpty {
        var one = filter
        one.operations = [name]
        func rows(_ models: [DigestStore.ModelCount]) -> Set<String> {
          Set(
            models.map {
              "\($0.model) \($0.occurrences) \($0.digests ?? -1) \($0.failures) \($0.novelValues) "
                + "\($0.decodes ?? -1) \([$0.firstSeen, $0.lastSeen])"
            })
        }
        #expect(
          try rows(parts.filter { $0.contextName == name })
            == rows(temporary.store.models(matching: one)), "\(one)")
      }
    }
  }

  @Test(arguments: [(UInt64(51), 40), (52, 300)])
  func `counts of models equal a recount, in every window and under every filter`(
    _ seed: UInt64, _ count: Int
  ) throws {
    let records = RandomRecords.make(count, seed: seed)
    let temporary = try TemporaryStore(holding: records)
    try check(temporary.store, records, seed: seed)
    try check(DigestReader(path: temporary.path), records, seed: seed + 1)
  }

  @Test(arguments: [UInt64(54), 55])
  func `counts of models outlive their digests, in memory and in the file`(seed: UInt64) throws {
    let end = Moment(milliseconds: RandomRecords.start + 200 * Moment.hour).date
    let temporary = try TemporaryStore(
      DigestStore.Configuration(maximumAge: .seconds(60), clock: { end }))
    let newest = DigestRecord.make(at: Moment(end))
    try temporary.store.append(newest)
    let records = [newest] + RandomRecords.make(350, seed: seed)
    for part in [records[1...150], records[151...]] {
      try temporary.store.appendAll(Array(part))
      #expect(try temporary.store.prune().digests == part.count)
    }
    try check(temporary.store, records, seed: seed)
    try temporary.store.close()
    try check(DigestStore(path: temporary.path), records, seed: seed)
  }
}
