import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

/// Digests that are longer than a line of an export may be.
struct DigestRecordBoundsTests {
  private static let limit = ValueLimit(512)

  /// Nearly the longest text that is kept.
  private static func long(_ number: Int) -> String {
    "\"" + String(repeating: "x", count: 500) + "\(number)"
  }

  /// What a full reporter holds at most, with the longest texts everywhere.
  private static var largest: DigestRecord {
    func failure(_ number: Int, _ last: ErrorDigest.Path.Component) -> RecordedError {
      RecordedError(
        path: ErrorDigest.Path([.key(long(number)), .dictionaryKey(long(number)), last]),
        kind: .unknownNovelValue, expectedType: long(number), novelValue: long(number),
        valueType: long(number), message: long(number), found: .string(long(number)))
    }
    var record = DigestRecord.make(model: long(0), release: long(0))
    record.errors = (0..<1_000).map { failure($0, .index($0)) }
    record.errors += (0..<2_001).map { number in
      var failure = failure(number, .anyIndex).counted(7)
      failure.found = nil
      return failure
    }
    return record
  }

  @Test(.enabled(if: Repetitions.areLong, "a part of make test-long"))
  func `the largest digest is exported as a line that can be imported`() throws {
    let temporary = try TemporaryStore(DigestStore.Configuration(maximumValueLength: 1 << 20))
    let other = try TemporaryStore()
    try temporary.store.append(Self.largest)

    let lines = try temporary.store.lines()
    #expect(lines.count == 1)
    let length = try #require(lines.first).utf8.count
    #expect(length > LineReader.maximumLength / 4)
    #expect(length < LineReader.maximumLength / 2)
    #expect(try other.store.importText(lines[0]).added == 1)
    #expect(try other.store.lines() == lines)
    for store in [temporary.store, other.store] {
      #expect(
        try store.failures().reduce(0) { $0 + $1.occurrences } == Self.largest.occurrences)
      #expect(try store.verify().isSound)
    }
  }

  @Test(arguments: [nil, "a", "🏡", "\"", "\u{1}", "\u{2028}", "\u{7F}", "\u{85}"])
  func `no text makes a line longer than it is taken for`(_ text: String?) throws {
    let text = text.map { String(repeating: $0, count: 500 / $0.utf8.count) }
    let temporary = try TemporaryStore()
    var record = DigestRecord.make(
      id: text.map { String($0.prefix(100)) }, model: text ?? "M", release: text)
    record.errors = (0..<40).map {
      RecordedError(
        path: ErrorDigest.Path([.dictionaryKey(text ?? "a*"), .index($0), .key(text ?? "*")]),
        kind: .unknownNovelValue, expectedType: text, novelValue: text ?? "", valueType: text,
        message: text, found: .string(text))
    }
    let bounded = record.bounded(by: Self.limit)
    try temporary.store.append(record)

    #expect(bounded.bounded(by: Self.limit).errors.count == bounded.errors.count)
    #expect(bounded.occurrences == 40)
    #expect(bounded.errors.contains { $0.times == 1 })
    let lines = try temporary.store.lines()
    #expect(lines.map { $0.utf8.count <= DigestRecord.maximumLength } == [true])
  }

  @Test func `entries without room are counted by failure, and then all as one`() throws {
    // Room for one of these as an entry, and for two as counts.
    let limit = ValueLimit(1 << 16)
    func failure(_ letter: String, _ index: Int) -> RecordedError {
      let text = letter + String(repeating: "\u{1}", count: 44_000)
      return RecordedError(
        path: ErrorDigest.Path([.key("a"), .index(index)]), kind: .unknownNovelValue,
        novelValue: text, message: text, found: .string(text))
    }
    var record = DigestRecord.make(failure("x", 0), failure("x", 1), failure("y", 2))
    record.errors += [failure("x", 3), failure("z", 4), .mismatch(at: "b")]

    let bounded = record.bounded(by: limit)

    func summary(_ failure: RecordedError) -> String {
      "\(failure.path) \(failure.kind) \(failure.novelValue?.first.map(String.init) ?? "-")"
    }
    #expect(
      bounded.errors.map { "\(summary($0)) \($0.times)" } == [
        "a[0] unknownNovelValue x 1", "b typeMismatch - 1", "a[] unknownNovelValue x 2",
        "a[] unknownNovelValue y 1", " other - 1",
      ])
  }

  @Test func `a digest of usual length stays as it is`() {
    var record = DigestRecord.make()
    record.errors = (0..<1_000).map { .novel("value \($0)", at: "items[\($0)].kind") }
    #expect(record.bounded(by: Self.limit).errors.map(\.times) == Array(repeating: 1, count: 1_000))
  }
}
