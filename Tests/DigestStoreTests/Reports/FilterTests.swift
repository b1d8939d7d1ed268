import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

struct FilterTests {
  private static let all = ["Listing items[].kind", "Listing kind", "User kind"]

  @Test(arguments: [
    (DigestFilter(model: "App.Listing"), ["Listing items[].kind", "Listing kind"]),
    (DigestFilter(model: "App.*"), all), (DigestFilter(model: "App.Use?"), ["User kind"]),
    (DigestFilter(model: "app.user"), []),
    (DigestFilter(codingPath: "items[].kind"), ["Listing items[].kind"]),
    (DigestFilter(codingPath: "*[*"), ["Listing items[].kind"]),
    (DigestFilter(codingPath: "[k]ind"), []),
    (DigestFilter(codingPath: "kind"), ["Listing kind", "User kind"]),
    (DigestFilter(codingPath: "k' OR 'a'='a"), []), (DigestFilter(kind: .typeMismatch), []),
    (DigestFilter(kind: .unknownNovelValue), all), (DigestFilter(novelValue: "vill"), []),
    (DigestFilter(novelValue: "Villa"), []), (DigestFilter(novelValue: "vi??a"), all),
    (DigestFilter(model: "App.User", novelValue: "v*"), ["User kind"]),
    (DigestFilter(release: "4.2"), ["User kind"]),
    (DigestFilter(hasNoRelease: true), ["Listing items[].kind", "Listing kind"]),
    (DigestFilter(release: "4.2", hasNoRelease: true), all), (DigestFilter(release: "4.*"), []),
    (DigestFilter(model: "App.User", codingPath: "k*", release: "4.2"), ["User kind"]),
  ])
  func `a filter lets through what meets all of it`(
    _ filter: DigestFilter, _ expected: [String]
  ) throws {
    let temporary = try TemporaryStore(
      holding: .make(.novel("villa"), .novel("villa", at: "kind")),
      .make(model: "App.User", release: "4.2", .novel("villa", at: "kind")))

    let counts = try temporary.store.novelValues(matching: filter)

    #expect(counts.map { "\($0.model) \($0.codingPath)" } == expected.map { "App.\($0)" })
  }

  private static let (listing, castle, user) = (
    "App.Listing items[].kind villa", "App.Listing kind castle", "App.User kind yurt"
  )

  private static let repeated: [(DigestFilter, [String])] = [
    (.with { $0.models = ["App.User", "App.Listing"] }, [listing, castle, user]),
    (.with { $0.models = ["App.User", "No*", "Nothing"] }, [user]),
    (.with { $0.models = ["No*", "Nothing"] }, []),
    (.with { $0.models = ["*.U???", "App.L*"] }, [listing, castle, user]),
    (.with { $0.codingPaths = ["items[].*", "price"] }, [listing]),
    (.with { $0.codingPaths = ["kind", "items[].kind"] }, [listing, castle, user]),
    (.with { $0.novelValues = ["villa", "y*"] }, [listing, user]),
    (.with { $0.novelValues = ["a\0b", "a\0c"] }, []),
    (.with { $0.kinds = [.unknownNovelValue, .typeMismatch] }, [listing, castle, user]),
    (.with { $0.kinds = [.keyNotFound, .typeMismatch] }, []),
    (.with { $0.releases = ["4.2", "4.3"] }, [castle, user]),
    (.with { $0.releases = ["4.2", "5"] }, [user]), (.with { $0.releases = ["5", "4.*"] }, []),
    (.with { ($0.releases, $0.hasNoRelease) = (["4.2"], true) }, [listing, user]),
    (
      .with { ($0.models, $0.novelValues) = (["App.Listing", "App.User"], ["yurt", "castle"]) },
      [castle, user]
    ),
    (.with { $0.novelValues = (0..<500).map { "*\($0)*" } + ["v*"] }, [listing]),
    (.with { $0.novelValues = (0..<4_000).map { "\($0)" } + ["castle"] }, [castle]),
  ]

  @Test(arguments: repeated)
  func `a criterion with several names is met by any of them`(
    _ filter: DigestFilter, _ expected: [String]
  ) throws {
    let temporary = try TemporaryStore(
      holding: .make(.novel("villa")), .make(release: "4.3", .novel("castle", at: "kind")),
      .make(model: "App.User", release: "4.2", .novel("yurt", at: "kind")))
    let store = temporary.store

    for isFolded in [false, true] {
      if isFolded { try temporary.foldAll() }
      let counts = try store.novelValues(matching: filter)
      #expect(counts.map { "\($0.model) \($0.codingPath) \($0.novelValue ?? "")" } == expected)
      #expect(try store.occurrences(matching: filter) == expected.count)
      #expect(
        try store.models(matching: filter).reduce(0) { $0 + $1.occurrences } == expected.count)
      #expect(try store.digests(matching: filter).count == expected.count)
      #expect(
        try store.trend(matching: filter, by: .day, groupedBy: .novelValue).count == expected.count)
      var exported = 0
      try store.exportOccurrences(matching: filter) { _ in exported += 1 }
      #expect(exported == expected.count)
    }
  }

  @Test func `the most frequent comes first, then model, path and value in their order`() throws {
    let temporary = try TemporaryStore(
      holding: .make(model: "B", .novel("x", at: "a"), .novel("x", at: "a")),
      .make(model: "A", .novel("y", at: "b"), .novel("x", at: "b"), .novel("z", at: "a")))

    let counts = try temporary.store.novelValues()

    #expect(
      counts.map { "\($0.model) \($0.codingPath) \($0.novelValue ?? "") \($0.occurrences)" }
        == ["B a x 2", "A a z 1", "A b x 1", "A b y 1"])
    #expect(try temporary.store.novelValues(limit: 2) == Array(counts.prefix(2)))
  }

  @Test(arguments: [
    ("a\0b", ["a\0b"]), ("a\0c", ["a\0c"]), ("a", ["a"]), ("[a]", ["[a]"]), ("[a?", ["[a]"]),
    ("e\u{301}", ["e\u{301}"]), ("\u{e9}", ["\u{e9}"]), ("???", ["[a]"]), ("", [""]),
    // A bracket with a mark is text, and a wildcard matches a whole character.
    ("A[\u{301}]", ["A[\u{301}]"]), ("it?ms", ["it\u{e9}ms"]), ("no ?", ["no 🏡"]),
  ])
  func `values are compared by their characters`(_ pattern: String, _ expected: [String]) throws {
    let temporary = try TemporaryStore(
      holding: .make(
        .novel("a\0b"), .novel("a\0c"), .novel("a"), .novel("[a]"), .novel("e\u{301}"),
        .novel("\u{e9}"), .novel(""), .novel("A[\u{301}]"), .novel("A\u{301}"),
        .novel("it\u{e9}ms"), .novel("no 🏡"), .mismatch(at: "price")))

    let values = try temporary.store.novelValues(matching: DigestFilter(novelValue: pattern))

    #expect(
      values.map { Array(($0.novelValue ?? "").utf8) }.sorted { $0.count > $1.count }
        == expected.map { Array($0.utf8) })
  }

  @Test func `values that differ in case, type or emptiness are different`() throws {
    let temporary = try TemporaryStore(
      holding: .make(
        .novel("villa"), .novel("Villa"), .novel(""), .novel("1"), .novel("1", valueType: "Int"),
        .novel("1", valueType: nil), .novel("e\u{301}"), .novel("\u{e9}"), .novel("a\0b"),
        .novel("a\0c")))

    #expect(try temporary.store.novelValues().count == 10)
    #expect(try temporary.store.novelValues().allSatisfy { $0.occurrences == 1 })
    #expect(Set(try temporary.store.novelValues().map(\.novelValue)).contains("a\0b"))
  }
}

extension DigestFilter {
  fileprivate static func with(_ change: (inout Self) -> Void) -> Self {
    var filter = Self()
    change(&filter)
    return filter
  }
}
