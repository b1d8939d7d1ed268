import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

struct FilterTests {
  @Test(arguments: [
    (DigestFilter(model: "App.Listing"), ["App.Listing items[].kind", "App.Listing kind"]),
    (
      DigestFilter(model: "App.*"),
      ["App.Listing items[].kind", "App.Listing kind", "App.User kind"]
    ),
    (DigestFilter(model: "App.Use?"), ["App.User kind"]),
    (DigestFilter(model: "app.user"), []),
    (DigestFilter(codingPath: "items[].kind"), ["App.Listing items[].kind"]),
    (DigestFilter(codingPath: "*[*"), ["App.Listing items[].kind"]),
    (DigestFilter(codingPath: "[k]ind"), []),
    (DigestFilter(codingPath: "kind"), ["App.Listing kind", "App.User kind"]),
    (DigestFilter(codingPath: "k' OR 'a'='a"), []),
    (DigestFilter(kind: .typeMismatch), []),
    (
      DigestFilter(kind: .unknownNovelValue),
      ["App.Listing items[].kind", "App.Listing kind", "App.User kind"]
    ),
    (DigestFilter(novelValue: "vill"), []),
    (DigestFilter(novelValue: "Villa"), []),
    (
      DigestFilter(novelValue: "vi??a"),
      ["App.Listing items[].kind", "App.Listing kind", "App.User kind"]
    ),
    (DigestFilter(model: "App.User", novelValue: "v*"), ["App.User kind"]),
    (DigestFilter(release: "4.2"), ["App.User kind"]),
    (DigestFilter(hasNoRelease: true), ["App.Listing items[].kind", "App.Listing kind"]),
    (
      DigestFilter(release: "4.2", hasNoRelease: true),
      ["App.Listing items[].kind", "App.Listing kind", "App.User kind"]
    ),
    (DigestFilter(release: "4.*"), []),
    (DigestFilter(model: "App.User", codingPath: "k*", release: "4.2"), ["App.User kind"]),
  ])
  func `a filter lets through what meets all of it`(
    _ filter: DigestFilter, _ expected: [String]
  ) throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(
      .make(.novel("villa"), .novel("villa", at: "kind")),
      .make(model: "App.User", release: "4.2", .novel("villa", at: "kind")))

    let counts = try temporary.store.novelValues(matching: filter)

    #expect(counts.map { "\($0.model) \($0.codingPath)" } == expected)
  }

  private static let repeated: [(DigestFilter, [String])] = [
    (.with { $0.models = ["App.User", "App.Listing"] }, everything),
    (.with { $0.models = ["App.User", "No*", "Nothing"] }, ["App.User kind yurt"]),
    (.with { $0.models = ["No*", "Nothing"] }, []),
    (.with { $0.models = ["*.U???", "App.L*"] }, everything),
    (.with { $0.codingPaths = ["items[].*", "price"] }, ["App.Listing items[].kind villa"]),
    (.with { $0.codingPaths = ["kind", "items[].kind"] }, everything),
    (
      .with { $0.novelValues = ["villa", "y*"] },
      ["App.Listing items[].kind villa", "App.User kind yurt"]
    ),
    (.with { $0.novelValues = ["a\0b", "a\0c"] }, []),
    (.with { $0.kinds = [.unknownNovelValue, .typeMismatch] }, everything),
    (.with { $0.kinds = [.keyNotFound, .typeMismatch] }, []),
    (.with { $0.releases = ["4.2", "4.3"] }, ["App.Listing kind castle", "App.User kind yurt"]),
    (.with { $0.releases = ["4.2", "5"] }, ["App.User kind yurt"]),
    (.with { $0.releases = ["5", "4.*"] }, []),
    (
      .with { ($0.releases, $0.hasNoRelease) = (["4.2"], true) },
      ["App.Listing items[].kind villa", "App.User kind yurt"]
    ),
    (
      .with { ($0.models, $0.novelValues) = (["App.Listing", "App.User"], ["yurt", "castle"]) },
      ["App.Listing kind castle", "App.User kind yurt"]
    ),
    (
      .with { $0.novelValues = (0..<500).map { "*\($0)*" } + ["v*"] },
      ["App.Listing items[].kind villa"]
    ),
    (
      .with { $0.novelValues = (0..<4_000).map { "\($0)" } + ["castle"] },
      ["App.Listing kind castle"]
    ),
  ]

  private static let everything = [
    "App.Listing items[].kind villa", "App.Listing kind castle", "App.User kind yurt",
  ]

  @Test(arguments: repeated)
  func `a criterion with several names is met by any of them`(
    _ filter: DigestFilter, _ expected: [String]
  ) throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    try store.append(
      .make(.novel("villa")), .make(release: "4.3", .novel("castle", at: "kind")),
      .make(model: "App.User", release: "4.2", .novel("yurt", at: "kind")))

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
    let temporary = try TemporaryStore()
    try temporary.store.append(
      .make(model: "B", .novel("x", at: "a"), .novel("x", at: "a")),
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
    let temporary = try TemporaryStore()
    try temporary.store.append(
      .make(
        .novel("a\0b"), .novel("a\0c"), .novel("a"), .novel("[a]"), .novel("e\u{301}"),
        .novel("\u{e9}"), .novel(""), .novel("A[\u{301}]"), .novel("A\u{301}"),
        .novel("it\u{e9}ms"), .novel("no 🏡"), .mismatch(at: "price")))

    let values = try temporary.store.novelValues(matching: DigestFilter(novelValue: pattern))

    #expect(
      values.map { Array(($0.novelValue ?? "").utf8) }.sorted { $0.count > $1.count }
        == expected.map { Array($0.utf8) })
  }

  @Test func `a digest counts once for a value that two types do not know`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(
      .make(.novel("villa", expected: "App.Kind"), .novel("villa", expected: "App.OldKind")))

    #expect(try temporary.store.novelValues().map(\.digests) == [1])
    #expect(try temporary.store.novelValues().map(\.occurrences) == [2])
    #expect(try temporary.store.failures().map(\.digests) == [1])
  }

  @Test func `values that differ in case, type or emptiness are different`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(
      .make(
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
