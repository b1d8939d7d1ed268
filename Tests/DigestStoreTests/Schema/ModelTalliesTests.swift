import Foundation
import Testing

@testable import DigestStore

/// The step to the schema that has tallies of models.
struct ModelTalliesTests {
  private static let filters = RandomRecords.windows(seed: 61).flatMap { since, until in
    [nil, "4.2"].map { DigestFilter(release: $0, since: since?.date, until: until?.date) }
  }

  @Test(arguments: [(1, 40), (2, 2_600), (3, 40), (3, 2_600)] as [(Int64, Int)])
  func `models are counted of the digests that a store of each schema has`(
    _ schema: Int64, _ count: Int
  ) throws {
    let temporary = try TemporaryStore()
    try temporary.store.appendAll(RandomRecords.make(count, seed: 61))
    let path = try temporary.older(schema: schema)
    let reader = try DigestStore(readingFrom: path)
    func check(_ store: DigestStore) throws {
      for filter in Self.filters {
        #expect(
          try store.models(matching: filter) == temporary.store.models(matching: filter),
          "\(filter)")
      }
    }
    // As it is, by its digests, and then as it is migrated by another one.
    try check(reader)
    #expect(try reader.modelsCountedSince() == .distantFuture)
    let writer = try DigestStore(path: path)
    try check(writer)
    try check(reader)
    #expect(try reader.modelsCountedSince() == .distantPast)
    #expect(try writer.verify().problems == [])

    try writer.append(.make())
    try temporary.store.append(.make())
    try check(writer)
    #expect(try reader.verify().problems == [])
  }

  @Test func `what was evicted before is not counted, and is said not to be`() throws {
    let end = Moment(milliseconds: RandomRecords.start + 101 * Moment.hour).date
    let temporary = try TemporaryStore(
      DigestStore.Configuration(maximumAge: .seconds(50 * 3_600), clock: { end }))
    try temporary.store.appendAll(
      RandomRecords.make(2_600, seed: 61).sorted { $0.recordedAt < $1.recordedAt })
    #expect(try temporary.store.prune().digests > 500)
    // One model has one failure only, of which all is known.
    try temporary.store.append(
      .make(at: Moment(milliseconds: RandomRecords.start), model: "App.Single"))
    #expect(try temporary.store.prune().digests == 1)
    let last = try #require(temporary.store.losses().map(\.hour).max())
    let path = try temporary.older(schema: 3)

    let store = try DigestStore(path: path)

    #expect(try store.verify().problems == [])
    #expect(try store.modelsCountedSince() == last.addingTimeInterval(3_600))
    let allTime = try store.models()
    #expect(
      allTime.map { [$0.model, $0.digests.map { "\($0)" }] } == [
        ["App.User", nil], ["App.Listing", nil], ["App.Single", "1"],
      ])
    #expect(allTime.map(\.occurrences) == (try temporary.store.models().map(\.occurrences)))
    #expect(allTime.allSatisfy { $0.share == nil })
    #expect(try store.totals().digests == nil)
    for filter in Self.filters {
      let models = try store.models(matching: filter)
      let known = try temporary.store.models(matching: filter)
      let window = try store.countedWindow(matching: filter)
      if window.since.map({ $0 > last }) == true {
        #expect(models == known, "\(filter)")
      } else {
        #expect(models.map(\.occurrences) == known.map(\.occurrences), "\(filter)")
        #expect(
          zip(models, known).allSatisfy { $0.digests == nil || $0.digests == $1.digests },
          "\(filter)")
      }
    }
    let later = DigestFilter(since: last.addingTimeInterval(3_600))
    #expect(try store.models(matching: later) == temporary.store.models(matching: later))
    let laterModels = try store.models(matching: later)
    #expect(!laterModels.isEmpty)
    #expect(laterModels.allSatisfy { $0.digests != nil })
  }

  @Test func `an older process that has the file open leaves folding to others`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(.make(), .make())
    let path = try temporary.older(schema: Migration.modelTallies.version - 1)
    let older = try Connection(path: path, mode: .readWrite)
    let fold = try Statement(older, "UPDATE store SET folded_through = ?")
    try fold.run([.integer(0)])

    let writer = try DigestStore(path: path)

    #expect(throws: SQLiteError.self) { try fold.run([.integer(2)]) }
    try writer.write { $0.foldAll() }
    #expect(try writer.totals().digests == 2)
    #expect(try writer.verify().problems == [])
  }

  @Test func `that nothing stands for many is seen without a look at all failures`() throws {
    let temporary = try TemporaryStore()
    let plan = try Connection(path: temporary.path, mode: .readOnly).rows(
      "EXPLAIN QUERY PLAN \(DigestStore.hasOverflow)"
    ) { $0.text(at: 3) ?? "" }

    let ofFailures = plan.filter { $0.contains(" failure") }
    #expect(!ofFailures.isEmpty)
    #expect(ofFailures.allSatisfy { $0.contains("INDEX failure_overflow") }, "\(plan)")
  }
}
