import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

struct TransferTests {
  /// Digests with everything in them that a line can have.
  private func filled() throws -> TemporaryStore {
    let temporary = try TemporaryStore()
    var dictionary = RecordedError.mismatch(at: "", message: nil)
    dictionary.path = ErrorDigest.Path([.key("attrs"), .dictionaryKey("x.y"), .index(1)])
    let hostile = "\0\u{1b}[31m\"\\\u{2028}\n👩‍👩‍👧‍👦"
    try temporary.store.append(
      .make(
        release: "4.2.0", .novel("villa", found: .string("villa")),
        .novel("=1+1", at: "kind", valueType: nil, found: .number("2"))),
      .make(
        at: Moment(milliseconds: 1_763_632_800_999), dictionary,
        .mismatch(at: "a[1]", found: .array)),
      .make(.novel(hostile, at: "items[0].kind", found: .string(hostile))),
      .make(
        .novel("", at: "items[0].kind", found: .string("")), .mismatch(at: "a[1]", found: .null),
        omissions: [
          (.novel("villa", at: "items[].kind"), 12),
          (.novel("villa", at: "items[].kind", found: .string("other")), 3),
        ]),
      .make(at: .earliest, .mismatch(at: "", message: "other")),
      .make(at: .latest, .mismatch(at: "", message: "message")))
    return temporary
  }

  @Test func `an import of an export is an equal store`() throws {
    let first = try filled()
    let lines = try first.store.lines()
    let second = try TemporaryStore()

    let summary = try second.store.importText(lines.joined(separator: "\n"))

    #expect(summary == DigestStore.ImportSummary(added: 6, known: 0, invalid: 0, problems: []))
    #expect(try second.store.lines() == lines)
    #expect(try second.store.novelValues() == first.store.novelValues())
    #expect(try second.store.failures() == first.store.failures())
    // A line has no message: that of a failure's sample is of another error.
    #expect(try second.query("SELECT DISTINCT message FROM failure") == ["null"])
    for view in ["occurrences", "novel_values"] {
      #expect(try second.query("SELECT * FROM \(view)") == first.query("SELECT * FROM \(view)"))
    }
    for view in ["occurrences", "failures"] {
      #expect(try second.found(in: view) == first.found(in: view))
    }
    #expect(try second.store.verify().isSound)
  }

  @Test func `importing twice, or where it comes from, changes nothing`() throws {
    let first = try filled()
    let text = try first.store.lines().joined(separator: "\n")
    let second = try TemporaryStore()
    _ = try second.store.importText(text)

    let again = try second.store.importText(text)
    let home = try first.store.importText(try second.store.lines().joined(separator: "\n"))

    #expect(again == DigestStore.ImportSummary(added: 0, known: 6, invalid: 0, problems: []))
    #expect(home == DigestStore.ImportSummary(added: 0, known: 6, invalid: 0, problems: []))
    #expect(try second.store.lines().joined(separator: "\n") == text)
    #expect(try first.store.lines().joined(separator: "\n") == text)
  }

  @Test func `a line is what it is documented to be`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(.make(release: "4.2.0", .novel("villa", found: .string("villa"))))
    let identity = try #require(try temporary.query("SELECT identity FROM store").first)

    #expect(
      try temporary.store.lines() == [
        #"{"id":"\#(identity)-1-1763632800123","recordedAt":"2025-11-20T10:00:00.123Z","model":"App.Listing","#
          + #""release":"4.2.0","errors":[{"path":"items[3].kind","kind":"unknownNovelValue","#
          + #""novelValue":"villa","novelValueType":"String","expectedType":"App.Kind","#
          + #""foundType":"string","foundValue":"villa"}]}"#
      ])
  }

  @Test func `two digests that got the same number are both kept`() throws {
    // A copy of a store goes on by itself, as after a restore.
    let original = try TemporaryStore()
    try original.store.append(.make())
    try original.store.close()
    let copy = original.folder.appending(path: "copy.sqlite").path
    try FileManager.default.copyItem(atPath: original.path, toPath: copy)
    let first = try DigestStore(path: original.path)
    let second = try DigestStore(path: copy)
    try first.append(.make(at: Moment(milliseconds: 1_000), .novel("first")))
    try second.append(.make(at: Moment(milliseconds: 2_000), .novel("second")))

    let lines = try second.lines().joined(separator: "\n")
    #expect(
      try first.importText(lines)
        == DigestStore.ImportSummary(added: 1, known: 1, invalid: 0, problems: []))
    #expect(try first.importText(lines).added == 0)
    try first.append(.make(at: Moment(milliseconds: 3_000), .novel("third")))

    #expect(try Set(first.lines()).count == 4)
    let gathered = try TemporaryStore()
    #expect(
      try gathered.store.importText(first.lines().joined(separator: "\n")).added == 4)
    #expect(
      try gathered.store.novelValues().map(\.novelValue) == ["first", "second", "third", "villa"])
  }

  @Test func `a number that this store has not reached yet stays free`() throws {
    let temporary = try TemporaryStore()
    let identity = try #require(try temporary.query("SELECT identity FROM store").first)
    let line =
      #"{"id":"\#(identity)-2-5000","recordedAt":"1970-01-01T00:00:05Z","model":"M","errors":[]}"#

    _ = try temporary.store.importText(line)
    try temporary.store.append(.make(), .make())

    let ids = try temporary.store.lines().map { $0.prefix { $0 != "," } }
    #expect(Set(ids).count == 3)
  }

  @Test func `a line without an id is a new digest each time`() throws {
    let temporary = try TemporaryStore()
    let line = #"{"recordedAt":"2026-11-20T10:00:00Z","model":"M","errors":[]}"#

    _ = try temporary.store.importText("\(line)\r\n\n\(line)\n")
    _ = try temporary.store.importText(line)

    #expect(try temporary.store.verify().digests == 3)
  }

  @Test func `a bad line stops the import, and nothing of it is there`() throws {
    let temporary = try TemporaryStore()
    let good = #"{"id":"a","recordedAt":"2026-11-20T10:00:00Z","model":"M","errors":[]}"#

    let error = #expect(throws: DigestStoreError.self) {
      try temporary.store.importText("\(good)\n\n{\"secret\": 1}\n")
    }

    #expect(error?.code == .invalidInput)
    #expect(error?.description == "line 3: recordedAt is missing")
    #expect(try temporary.store.verify().digests == 0)
    #expect(try temporary.query("SELECT count(*) FROM model") == ["0"])
    #expect(try temporary.store.importText(good).added == 1)
  }

  @Test func `bad lines can be left out, and are reported`() throws {
    let temporary = try TemporaryStore()
    let good = #"{"recordedAt":"2026-11-20T10:00:00Z","model":"M","errors":[]}"#

    let summary = try temporary.store.importText("nonsense\n\(good)\n[]\n", skippingInvalid: true)

    #expect(
      summary
        == DigestStore.ImportSummary(
          added: 1, known: 0, invalid: 2,
          problems: [
            "line 1: it isn't a JSON object on one line", "line 3: the line isn't an object",
          ]))
  }

  @Test func `a filter exports whole digests, and only them`() throws {
    let temporary = try filled()
    let lines = try temporary.store.lines()

    #expect(
      try temporary.store.lines(matching: DigestFilter(codingPath: "kind")) == [lines[0]])
    #expect(
      try temporary.store.lines(matching: DigestFilter(codingPath: "attrs.*")) == [lines[1]])
    #expect(try temporary.store.lines(matching: DigestFilter(release: "4.2.0")) == [lines[0]])
    #expect(
      try temporary.store.lines(
        matching: DigestFilter(since: Moment(milliseconds: 1_763_632_800_999).date))
        == [lines[1], lines[5]])
  }

  @Test func `an export of more than a page has all and in order`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.write { writer in
      for number in 0..<1_234 { try writer.append(.make(.mismatch(at: "a[\(number)]"))) }
    }

    var paths: [String] = []
    try temporary.store.exportOccurrences { paths.append($0.codingPath) }

    #expect(paths == (0..<1_234).map { "a[\($0)]" })
    #expect(try temporary.store.lines().count == 1_234)
  }
}
