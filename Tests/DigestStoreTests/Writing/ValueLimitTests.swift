import Foundation
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
    var record = FailureRecord.novel(long, at: "a[\"\(long)\"].b")
    record.message = long

    try temporary.store.append(.make(model: long, release: long, record))

    let longest = try temporary.query(
      """
      SELECT max(length(release), length(model), length(coding_path), length(novel_value),
        length(message)) FROM occurrences
      """)
    #expect(longest.compactMap { Int($0) }.allSatisfy { $0 <= 110 })
  }
}
