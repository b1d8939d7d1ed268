import Testing

@testable import DigestStore

struct NamesTests {
  private let temporary: TemporaryStore

  init() throws {
    temporary = try TemporaryStore()
    try temporary.store.append(
      .make(release: "4.10.0", .novel("villa"), .novel("e\u{301}", at: "kind"), .novel("")),
      .make(model: "App.Home", release: "nightly", .mismatch(at: "price"), .novel("villa")),
      .make(release: nil, .novel("villa")), .make(release: "4.9.0", .novel("villa")),
      .make(release: "4.10.0-beta", .novel("a\0b")))
  }

  @Test(arguments: [
    (DigestReader.NameCategory.model, ["App.Home", "App.Listing"]),
    (.codingPath, ["items[].kind", "kind", "price"]),
    (.kind, ["typeMismatch", "unknownNovelValue"]),
    (.novelValue, ["", "a\0b", "e\u{301}", "villa"]),
    (.release, ["nightly", "4.9.0", "4.10.0-beta", "4.10.0"]),
  ])
  func `names come once, releases in the order of their age`(
    _ category: DigestReader.NameCategory, _ names: [String]
  ) throws {
    #expect(try temporary.store.names(of: category) == names)
    for name in names { #expect(try temporary.store.hasName(name, of: category)) }
  }

  @Test(arguments: [
    (DigestReader.NameCategory.model, "App"), (.model, "App.*"), (.model, "app.home"),
    (.codingPath, "items[3].kind"), (.kind, "keyNotFound"), (.novelValue, "\u{e9}"),
    (.novelValue, "a"), (.release, "4.9"), (.release, ""),
  ])
  func `a name is known as a whole, by its bytes`(
    _ category: DigestReader.NameCategory, _ name: String
  ) throws {
    #expect(try !temporary.store.hasName(name, of: category))
  }

  @Test(arguments: [
    (DigestReader.NameCategory.model, ["App.*", "app.*", "*"], ["app.*"]),
    (.codingPath, ["items[?].kind", "items[]*", "k?nd"], ["items[?].kind"]),
    (.novelValue, ["v*", "w*", "?", "e?", "???"], ["w*", "???"]),
    (.novelValue, (0..<20).map { "\($0)*" }, (0..<10).map { "\($0)*" }),
  ])
  func `the first ten patterns without a name are known`(
    _ category: DigestReader.NameCategory, _ patterns: [String], _ unmatched: [String]
  ) throws {
    #expect(try temporary.store.patternsWithoutName(patterns, of: category) == unmatched)
  }
}
