import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

@testable import DigestStore

struct RedactionTests {
  private typealias Configuration = DigestStore.Configuration

  /// A model whose errors quote what the payload has: a message, a found value, a novel value and a
  /// dictionary's key.
  private struct Profile: Decodable {
    @Resilient var height: [Double]
    @Resilient var born: [String: URL]
    // The last one: a full reporter only counts it.
    @Resilient var kind: Kind?
  }

  private static let secret = "s3cr3t-villa"

  private static let payload = Data(
    #"{"kind": "\#(secret)", "born": {"\#(secret)": "\#(secret)://a b"}, "height": ["\#(secret)"]}"#
      .utf8)

  /// Takes out all that may hold something of a payload.
  @Sendable private static func redactAll(_ entry: ErrorDigest.Entry) -> ErrorDigest.Entry? {
    var entry = entry
    entry.codingPath = entry.codingPath.generalized
    entry.novelValue = entry.novelValue.map { ErrorDigest.NovelValue(text: "?", type: $0.type) }
    entry.foundValue = entry.foundValue.map { ErrorDigest.FoundValue(type: $0.type, text: nil) }
    entry.message = ""
    return entry
  }

  private func record(_ payload: Data, in store: DigestStore, maximumEntries: Int = 1_000) throws {
    let reporter = PersistentErrorReporter(
      store: store, model: Profile.self, maximumEntries: maximumEntries)
    _ = try reporter.collectErrors { try JSONDecoder().decode(Profile.self, from: payload) }
    reporter.flushReportedErrors()
  }

  @Test(arguments: [1_000, 2])
  func `redacted text is in no byte of the files`(maximumEntries: Int) throws {
    let plain = try TemporaryStore()
    try record(Self.payload, in: plain.store, maximumEntries: maximumEntries)
    #expect(try plain.files(containing: Self.secret) == ["-wal"])

    let temporary = try TemporaryStore(Configuration(redact: Self.redactAll))
    try record(Self.payload, in: temporary.store, maximumEntries: maximumEntries)

    #expect(try temporary.files(containing: Self.secret) == [])
    #expect(try temporary.store.novelValues().map(\.novelValue) == ["?"])
    #expect(
      try temporary.store.failures().map(\.codingPath) == plain.store.failures().map(\.codingPath))
    #expect(try temporary.store.losses() == [])
    try temporary.store.close()
    #expect(try temporary.files(containing: Self.secret) == [])
  }

  @Test func `redacted errors are counted, and the others are written`() throws {
    let temporary = try TemporaryStore(Configuration(redact: { $0.novelValue == nil ? $0 : nil }))
    try record(Self.payload, in: temporary.store)
    try record(Self.payload, in: temporary.store)

    #expect(try temporary.store.novelValues() == [])
    #expect(try temporary.store.failures().map(\.codingPath).sorted() == ["born.*", "height[]"])
    #expect(try temporary.store.losses().rows == ["redacted 2 2"])
    #expect(try temporary.store.verify().isSound)
  }

  @Test func `of a digest of which all is left out only its time and model are written`() throws {
    let temporary = try TemporaryStore(Configuration(redact: { _ in nil }))
    try record(Self.payload, in: temporary.store, maximumEntries: 1)

    #expect(try temporary.store.failures() == [])
    #expect(try temporary.store.losses().rows == ["redacted 1 3"])
    #expect(try temporary.query("SELECT errors FROM digest") == ["[]"])
    #expect(try temporary.store.verify().isSound)
  }

  @Test func `errors that were only counted are shown once for all of a failure`() throws {
    let seen = Locked<[String]>([])
    let temporary = try TemporaryStore(
      Configuration(redact: { entry in
        let isSaid = "\(entry.error)" == entry.message
        seen.withLock { $0.append("\(entry.codingPath) \(entry.kind) \(isSaid)") }
        return entry
      }))
    let payload = Data(#"{"born": {}, "height": ["a", "b", "c"]}"#.utf8)
    try record(payload, in: temporary.store, maximumEntries: 0)

    #expect(
      seen.withLock { $0 } == ["height[0] typeMismatch false", "height[] typeMismatch true"])
    #expect(try temporary.store.failures().map(\.occurrences) == [3])
  }

  @Test func `a failed write is reported with all errors, also redacted ones`() throws {
    let temporary = try TemporaryStore(Configuration(redact: { $0.novelValue == nil ? $0 : nil }))
    // The store writes nothing while another program has an index on its tables.
    try temporary.execute("CREATE INDEX refuse ON digest (number)")
    try record(Self.payload, in: temporary.store)
    try temporary.execute("DROP INDEX refuse")
    try temporary.store.close()

    let losses = try DigestReader(path: temporary.path).losses()
    #expect(losses.map { "\($0.reason) \($0.occurrences)" } == ["failed write 2", "redacted 1"])
    #expect(temporary.failures.all.map(\.digest.entries.count) == [3])
  }

  @Test func `an import is redacted too, and a second one still changes nothing`() throws {
    let plain = try TemporaryStore()
    try record(Self.payload, in: plain.store)
    try record(Self.payload, in: plain.store, maximumEntries: 0)
    let text = try plain.store.text()

    let temporary = try TemporaryStore(
      Configuration(redact: { $0.kind == .typeMismatch ? nil : Self.redactAll($0) }))
    let summary = try temporary.store.importText(text)
    let failures = try temporary.store.failures()
    let losses = try temporary.store.losses()
    let again = try temporary.store.importText(text)

    #expect(summary.added == 2)
    #expect(again.added == 0)
    #expect(try temporary.files(containing: Self.secret) == [])
    #expect(try temporary.store.failures() == failures)
    #expect(try temporary.store.losses() == losses)
    #expect(losses.reduce(0) { $0 + $1.occurrences } == 2)
  }
}
