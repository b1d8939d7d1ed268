import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

struct ValueLimitTests {
  private let limit = ValueLimit(64)

  @Test(arguments: ["", "villa", String(repeating: "x", count: 64), "日本"])
  func `short text stays as it is`(_ text: String) {
    #expect(limit.cut(text) == text)
  }

  @Test(arguments: [
    String(repeating: "x", count: 65), String(repeating: "é", count: 40),
    String(repeating: "👩‍👩‍👧‍👦", count: 9), "e" + String(repeating: "\u{301}", count: 100_000),
  ])
  func `long text is cut to the limit, marked, and not cut again`(_ text: String) {
    let cut = limit.cut(text)

    #expect(cut.utf8.count <= 64)
    #expect(cut.contains("… (\(text.utf8.count) bytes, "))
    #expect(limit.cut(cut) == cut)
  }

  @Test func `different long texts stay different`() {
    let texts = (0..<1_000).map { String(repeating: "x", count: 1_000) + "\($0)" }

    #expect(Set(texts.map(limit.cut)).count == 1_000)
  }

  @Test func `values, messages and keys in the file are cut`() throws {
    let long = String(repeating: "x", count: 5_000)
    let temporary = try TemporaryStore(DigestStore.Configuration(maximumValueLength: 100))
    var record = RecordedError.novel(long, at: "a[\"\(long)\"].b")
    record.message = long

    try temporary.store.append(.make(model: long, release: long, record))

    let longest = try temporary.query(
      """
      SELECT max(length(o.release), length(o.model), length(o.coding_path), length(o.novel_value),
        length(f.message)) FROM occurrences AS o CROSS JOIN failure AS f
      """)
    #expect(try #require(longest.first.flatMap { Int($0) }) <= 110)
  }

  private typealias Component = ErrorDigest.Path.Component

  @Test func `a path that is too long loses its end, as its pattern says`() {
    let keys = (0..<200).map { Component.key("k\($0)") }
    let long = (0..<9).map { Component.key("\($0)" + String(repeating: "x", count: 62)) }
    let dictionary = (0..<128).map {
      Component.dictionaryKey("\($0)" + String(repeating: "x", count: 60))
    }

    let cut = ErrorDigest.Path(keys).cut(to: limit)
    #expect(cut.components.count == 128)
    #expect(cut.components.prefix(127).elementsEqual(keys.prefix(127)))
    #expect(cut.description.hasSuffix(#"["… (200 components, 8a13862d1b5f3c89)"]"#))
    #expect(cut.cut(to: limit) == cut)

    let short = ErrorDigest.Path(long).cut(to: limit)
    #expect(short.components.count < 9)
    #expect(Array(short.components.dropLast()) == Array(long.prefix(short.components.count - 1)))
    #expect(short.cut(to: limit) == short)

    // What is a dictionary's is in no pattern.
    #expect(ErrorDigest.Path(dictionary).cut(to: limit) == ErrorDigest.Path(dictionary))
    #expect(ErrorDigest.Path(Array(keys[..<128])).cut(to: limit).components.count == 128)
  }

  @Test func `different long paths stay different, and the places of one pattern together`() {
    func path(_ last: String, _ index: Int) -> ErrorDigest.Path {
      ErrorDigest.Path([.index(index)] + Array(repeating: .key("a"), count: 200) + [.key(last)])
    }
    let patterns = [path("x", 1), path("x", 2), path("y", 1)].map { $0.cut(to: limit).pattern }
    #expect(patterns[0] == patterns[1])
    #expect(patterns[0] != patterns[2])
  }

  @Test func `a limit is from 64 to 65,536 bytes`() {
    #expect(
      [Int.min, 0, 64, 65, 65_536, 65_537, .max].map { ValueLimit($0).maximumLength }
        == [64, 64, 64, 65, 65_536, 65_536, 65_536])
  }
}
