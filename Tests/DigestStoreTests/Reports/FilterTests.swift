import Foundation
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
    (DigestFilter(kind: "typeMismatch"), []),
    (DigestFilter(kind: "unknown*"), []),
    (
      DigestFilter(kind: "unknownNovelValue"),
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
    (DigestFilter(release: "4.2", hasNoRelease: true), []),
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

  @Test func `the most frequent comes first, then model, path and value in their order`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(
      .make(model: "B", .novel("x", at: "a"), .novel("x", at: "a")),
      .make(model: "A", .novel("y", at: "b"), .novel("x", at: "b"), .novel("z", at: "a")))

    let counts = try temporary.store.novelValues()

    #expect(
      counts.map { "\($0.model) \($0.codingPath) \($0.novelValue) \($0.occurrences)" }
        == ["B a x 2", "A a z 1", "A b x 1", "A b y 1"])
    #expect(try temporary.store.novelValues(limit: 2) == Array(counts.prefix(2)))
  }

  @Test(arguments: [
    ("a\0b", ["a\0b"]), ("a\0c", ["a\0c"]), ("a", ["a"]), ("[a]", ["[a]"]), ("[a?", ["[a]"]),
    ("e\u{301}", ["e\u{301}"]), ("\u{e9}", ["\u{e9}"]), ("???", ["[a]"]), ("", [""]),
  ])
  func `a value is told by its characters`(_ pattern: String, _ expected: [String]) throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(
      .make(
        .novel("a\0b"), .novel("a\0c"), .novel("a"), .novel("[a]"), .novel("e\u{301}"),
        .novel("\u{e9}"), .novel(""), .mismatch(at: "price")))

    let values = try temporary.store.novelValues(matching: DigestFilter(novelValue: pattern))

    #expect(
      values.map { Array($0.novelValue.utf8) }.sorted { $0.count > $1.count }
        == expected.map { Array($0.utf8) })
  }

  @Test func `a digest counts once for a value that two types do not know`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(
      .make(.novel("villa", expected: "App.Kind"), .novel("villa", expected: "App.OldKind")))

    #expect(try temporary.store.novelValues().map(\.digests) == [1])
    #expect(try temporary.store.novelValues().map(\.occurrences) == [2])
    #expect(try temporary.store.failures().map(\.digests) == [1, 1])
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
