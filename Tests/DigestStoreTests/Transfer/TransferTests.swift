import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

struct TransferTests {
  @Test func `a line is what it is documented to be`() throws {
    let temporary = try TemporaryStore(
      holding: .make(release: "4.2.0", .novel("villa", found: .string("villa"))))
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
    let original = try TemporaryStore(holding: .make())
    try original.store.close()
    let copy = original.folder.appending(path: "copy.sqlite").path
    try FileManager.default.copyItem(atPath: original.path, toPath: copy)
    let first = try DigestStore(path: original.path)
    let second = try DigestStore(path: copy)
    try first.append(.make(at: Moment(milliseconds: 1_000), .novel("first")))
    try second.append(.make(at: Moment(milliseconds: 2_000), .novel("second")))

    let lines = try second.text()
    #expect(
      try first.importText(lines)
        == DigestStore.ImportSummary(added: 1, known: 1, invalid: 0, problems: []))
    #expect(try first.importText(lines).added == 0)
    try first.append(.make(at: Moment(milliseconds: 3_000), .novel("third")))

    #expect(try Set(first.lines()).count == 4)
    let gathered = try TemporaryStore()
    #expect(
      try gathered.store.importText(first.text()).added == 4)
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

    expectError(.invalidInput, "line 3: recordedAt is missing") {
      try temporary.store.importText("\(good)\n\n{\"secret\": 1}\n")
    }
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
}
