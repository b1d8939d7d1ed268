import ResilientDecoding
import Testing

@testable import DigestStore

/// The ids that a writer remembers. A remembered failure is found although its row has changed.
struct NameTableTests {
  private static let long = String(repeating: "x", count: 2_000)

  private static func record(_ components: [ErrorDigest.Path.Component]) -> DigestRecord {
    var record = DigestRecord.make(.mismatch(at: "a"))
    record.errors[0].path = ErrorDigest.Path(components)
    return record
  }

  @Test(arguments: [
    (DigestRecord.make(.novel("villa")), DigestRecord.make(.novel("villa"))),
    (.make(.novel(long)), .make(.novel(long))),
    (record([.key(long), .index(1)]), record([.key(long), .index(2)])),
    (record([.key("a"), .dictionaryKey("one")]), record([.key("a"), .dictionaryKey("two")])),
    (
      record([.key("a"), .dictionaryKey(long), .key(long)]),
      record([.key("a"), .dictionaryKey("two"), .key(long)])
    ),
  ])
  func `a failure is looked up once`(_ first: DigestRecord, _ second: DigestRecord) throws {
    let temporary = try TemporaryStore(holding: first)
    try temporary.execute("UPDATE failure SET kind = 'changed'")

    try temporary.store.append(second, second)

    #expect(try temporary.query("SELECT count(*) FROM failure") == ["1"])
    #expect(try temporary.query("SELECT occurrences FROM failures") == ["3"])
  }

  @Test func `failures that differ in one text differ in their hashes`() {
    func hash(_ keys: [String], expecting type: String, of valueType: String?) -> Int {
      FailureIdentity(
        RecordedError(
          path: ErrorDigest.Path(keys.map { .key($0) }), kind: .typeMismatch, expectedType: type,
          valueType: valueType)
      ).hashValue
    }
    let hashes = [
      hash(["ab", "c"], expecting: "T", of: nil), hash(["a", "bc"], expecting: "T", of: nil),
      hash(["abc"], expecting: "T", of: nil), hash(["ab", "c"], expecting: "U", of: nil),
      hash(["ab", "c"], expecting: "T", of: "V"),
    ]
    #expect(Set(hashes).count == hashes.count)
  }
}
