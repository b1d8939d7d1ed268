import Foundation
import Testing

@testable import DigestStore

/// Reports on a server, which selects the failures that they show.
struct CountServerTests {
  typealias Numbers = (earlier: Int64, later: Int64)

  @Test(
    arguments: [
      (errors: (3, 5), digests: (1, 1), decodes: nil, weight: 2_000),
      (errors: (5, 3), digests: (1, 1), decodes: nil, weight: 2_000),
      (errors: (4, 4), digests: (1, 2), decodes: nil, weight: 0),
      // Ten in a hundred before, twenty in a hundred after: ten more than with the share before.
      (errors: (10, 20), digests: (10, 20), decodes: (100, 100), weight: 10_000),
      // As many errors of fewer decodes.
      (errors: (10, 10), digests: (10, 10), decodes: (100, 50), weight: 5_000),
      // The same share is no change, whatever the numbers.
      (errors: (3, 6), digests: (3, 6), decodes: (9, 18), weight: 0),
      // A side without decodes has no share.
      (errors: (3, 6), digests: (3, 6), decodes: (0, 18), weight: 3_000),
      // Less than a thousandth of an error is more than nothing.
      (errors: (1, 1), digests: (1, 1), decodes: (1_000_000, 1_000_001), weight: 1),
      (errors: (0, 1 << 53), digests: (0, 1), decodes: nil, weight: 1 << 53),
    ] as [(errors: Numbers, digests: Numbers, decodes: Numbers?, weight: Int64)])
  func `a change weighs as much as the difference of shares, or of errors`(
    errors: Numbers, digests: Numbers, decodes: Numbers?, weight: Int64
  ) {
    #expect(
      FailureQuery.Change.weight(occurrences: errors, digests: digests, decodes: decodes) == weight)
    #expect(
      FailureQuery.Change.weight(
        occurrences: (errors.later, errors.earlier), digests: digests, decodes: nil)
        == FailureQuery.Change.weight(occurrences: errors, digests: digests, decodes: nil))
  }

  /// A server with three failures, which it selects in the order of their ids.
  private struct Server: CountServer {
    static let failures = (1...3).map { number in
      CountCatalog.CountedFailure(
        model: 1,
        failure: Failure(
          codingPath: "path\(number)", kind: "typeMismatch", expectedType: "Int", novelValue: nil,
          valueType: nil, foundType: nil, foundValue: nil),
        value: nil)
    }

    var selected: [Int64] = []

    func forEachCount(_ query: CountQuery, _ body: (Count, Int64) throws -> Void) throws {
      let numbers = query.table == .models ? [6] : selected
      for (id, number) in zip(Int64(1)..., numbers) {
        try body(
          Count(
            id: id, occurrences: number, digests: 1, sharedDigests: 0, first: 1_000, last: 2_000), 0
        )
      }
    }

    func selection(_ query: FailureQuery) throws -> FailureSelection {
      let selected = (1...3).reversed().prefix(query.limit ?? 3)
      return FailureSelection(
        failures: selected.map { Self.failures[$0 - 1] },
        counts: Server(selected: selected.map { Int64($0) }))
    }

    func modelTotals(_ scope: CountScope) throws -> [ModelTotal] {
      [
        ModelTotal(
          adding: Count(
            id: 1, occurrences: 6, digests: 3, sharedDigests: 0, first: 1_000, last: 2_000),
          failures: 3, novelValues: 0, isPartial: scope.filter.choosesFailures)
      ]
    }

    func hasFailures(matchingAny filters: [DigestFilter]) throws -> Bool {
      filters.contains { $0.codingPaths.contains("path1") }
    }

    func names(of category: FailureName, limit: Int) throws -> [String] {
      ["path3", "path1", "path2"]
    }
  }

  private func reader() throws -> DigestReader {
    var catalogue = CountCatalog()
    catalogue.models = ["App.Listing"]
    return try DigestReader(name: "server", catalogue: catalogue, countSource: Server())
  }

  @Test func `a report shows the failures that the server selects for it`() throws {
    let reader = try reader()

    #expect(try reader.failures(limit: 1).map(\.codingPath) == ["path3"])
    #expect(try reader.failures(limit: 2).map(\.codingPath) == ["path3", "path2"])
    #expect(try reader.failures().map(\.occurrences) == [3, 2, 1])
    // One selection replaces the one before it.
    #expect(try reader.failures(limit: 1).map(\.occurrences) == [3])
  }

  @Test func `a server adds up its models`() throws {
    let totals = try reader().totals()

    #expect(totals.occurrences == 6)
    #expect(totals.failures == 3)
    #expect(try reader().models().map(\.digests) == [1])
    #expect(
      try reader().models(matching: DigestFilter(codingPath: "path1")).map(\.digests) == [nil])
  }

  @Test func `a server looks up names`() throws {
    let reader = try reader()

    #expect(try reader.hasName("path1", of: .codingPath))
    #expect(try !reader.hasName("path9", of: .codingPath))
    #expect(try reader.hasName("App.Listing", of: .model))
    #expect(try reader.names(of: .codingPath) == ["path1", "path2", "path3"])
    #expect(try reader.patternsWithoutName(["path1", "x*"], of: .codingPath) == ["x*"])
  }
}
