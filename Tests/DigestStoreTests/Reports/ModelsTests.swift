import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

struct ModelsTests {
  private func lines(_ models: [DigestStore.ModelCount]) -> [String] {
    models.map {
      "\($0.model) \($0.occurrences) \($0.digests.map(String.init) ?? "-") "
        + "\($0.share.map { "\(($0 * 1_000).rounded() / 1_000)" } ?? "-") "
        + "\($0.failures) \($0.novelValues)"
    }
  }

  @Test(arguments: [
    (DigestFilter(), ["A 6 3 0.5 2 1", "B 2 1 0.167 1 1", "a 2 2 0.333 1 1"]),
    (DigestFilter(model: "B"), ["B 2 1 0.167 1 1"]),
    // Two failures of one value, in the same digest and in two.
    (DigestFilter(model: "A", codingPath: "kind"), ["A 4 3 0.5 1 1"]),
    (DigestFilter(codingPath: "id"), ["A 2 2 0.333 1 0"]),
    (DigestFilter(release: "4.2"), ["A 2 1 0.5 2 1", "a 1 1 0.5 1 1"]),
    (DigestFilter(release: "4.3"), []),
  ])
  func `a digest counts once for its model, whatever it has`(
    _ filter: DigestFilter, _ expected: [String]
  ) throws {
    let temporary = try TemporaryStore()
    let villa = RecordedError.novel("villa", at: "kind")
    let old = RecordedError.novel("villa", at: "kind", expected: "App.OldKind")
    try temporary.store.append(
      .make(model: "a", villa), .make(model: "a", release: "4.2", villa),
      .make(model: "B", villa, villa), .make(model: "A", villa, old, .mismatch(at: "id")),
      .make(model: "A", release: "4.2", old, .mismatch(at: "id")),
      .make(model: "A", .novel("villa", at: "kind").counted(1)))

    #expect(try lines(temporary.store.models(matching: filter)) == expected)
    try temporary.foldAll()
    #expect(try lines(temporary.store.models(matching: filter)) == expected)
    #expect(
      try lines(temporary.store.models(matching: filter, limit: 1)) == Array(expected.prefix(1)))
  }

  @Test func `a store without an error has totals of nothing`() throws {
    let temporary = try TemporaryStore()
    #expect(
      try temporary.store.totals()
        == DigestStore.Totals(
          digests: 0, occurrences: 0, models: 0, failures: 0, novelValues: 0, firstSeen: nil,
          lastSeen: nil))
    #expect(try temporary.store.models().isEmpty)
  }

  @Test func `models that are too many are one, and its row says so`() throws {
    let temporary = try TemporaryStore(
      holding: .make(model: Overflow.model), .make(model: "App.Listing"))
    #expect(try temporary.store.models().map(\.isOverflow) == [true, false])
  }

  @Test func `digests are not known of some failures of a model, once the digests are gone`()
    throws
  {
    let now = Moment(milliseconds: 1_763_632_801_000 + Moment.hour)
    let temporary = try TemporaryStore(
      DigestStore.Configuration(maximumAge: .seconds(3_600), clock: { now.date }),
      holding: .make(at: now, model: "newest", .mismatch(at: "x")))
    let (id, ids) = (RecordedError.mismatch(at: "id"), RecordedError.mismatch(at: "ids[3]"))
    let kind = RecordedError.novel("villa", at: "kind")
    try temporary.store.appendAll(
      (0..<1_000).flatMap { _ in
        [
          DigestRecord.make(model: "A", id, ids), .make(model: "A", kind, id, ids),
          .make(model: "B", kind),
        ]
      })
    #expect(try temporary.store.prune().digests == 3_000)
    try temporary.execute("DELETE FROM digest")
    let filter = DigestFilter(codingPath: "i*")

    #expect(
      try lines(temporary.store.models(matching: filter)) == ["A 4000 - - 2 0"])
    let totals = try temporary.store.totals(matching: filter)
    #expect(totals.digests == nil)
    #expect(totals.occurrences == 4_000)
  }
}
