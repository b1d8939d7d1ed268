import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

/// Bodies that aren't JSON are failures of their own, each kind of body another.
struct BodyTests {
  private static let html = Data("<html>502</html>".utf8)
  private static let truncated = Data(#"{"id": 1"#.utf8)
  private static let others = [
    Data(), Data([0x1f, 0x8b, 8, 0]), "Bad Gateway".data(using: .utf16LittleEndian)!,
    Data("Bad Gateway".utf8),
  ]

  private static let yesterday = Moment(milliseconds: 1_763_632_800_000)
  private static let earlier = Moment(milliseconds: 1_763_632_800_000 - 4 * 24 * Moment.hour)

  /// Records a decode of each body.
  private func record(_ bodies: [Data], at moment: Moment, in temporary: TemporaryStore) throws {
    for body in bodies {
      let reporter = ResilientDecodingErrorReporter()
      #expect(throws: DecodingError.self) {
        try reporter.collectErrors {
          try JSONDecoder().decode(
            Model.self, from: body, reportResilientDecodingErrors: true)
        }
      }
      let digest = try #require(reporter.flushReportedErrors())
      let redact = temporary.store.configuration.redact
      try temporary.store.append(
        DigestRecord(
          digest, model: "App.Model", context: DigestContext(), at: moment, redact: redact))
    }
  }

  /// A store in which HTML began yesterday, and other bodies before.
  private func filled(
    _ configuration: DigestStore.Configuration = DigestStore.Configuration()
  ) throws -> TemporaryStore {
    let temporary = try TemporaryStore(configuration)
    try record(
      [Self.truncated, Self.truncated] + Self.others, at: Self.earlier, in: temporary)
    try record(
      [Self.html, Self.truncated, Self.html, Self.html], at: Self.yesterday, in: temporary)
    return temporary
  }

  private static let counts = [
    "truncated 3 3", "html 3 3", "- 1 1", "compressed 1 1", "empty 1 1", "utf16 1 1",
  ]

  private func counts(_ store: DigestReader) throws -> [String] {
    try store.failures().map {
      "\($0.foundType?.rawValue ?? "-") \($0.occurrences) \($0.digests)"
    }
  }

  @Test func `kinds of bodies are counted apart`() throws {
    let temporary = try filled()
    #expect(try Set(counts(temporary.store)) == Set(Self.counts))
    #expect(try temporary.store.verify().isSound)
    // Of a new connection, which remembers no ids.
    try temporary.store.close()
    let store = try DigestStore(path: temporary.path)
    try store.append(
      .make(
        at: Self.yesterday, model: "App.Model",
        RecordedError(
          path: ErrorDigest.Path(), kind: .dataCorrupted,
          expectedType: "DigestStoreTests.Model",
          found: ErrorDigest.FoundValue(type: .html, text: nil))))
    #expect(try store.failures().map(\.occurrences) == [4, 3, 1, 1, 1, 1])
    #expect(try store.verify().isSound)
  }

  @Test func `what began yesterday is new`() throws {
    let temporary = try filled()
    let filter = DigestFilter(since: Self.yesterday.date)
    let new = try temporary.store.newFailures(matching: filter)
    #expect(new.map(\.foundType) == [.html])
    #expect(new.map(\.occurrences) == [3])
    let changes = try temporary.store.failureChanges(
      from: DigestFilter(until: Self.yesterday.date), to: filter)
    #expect(changes.first.map(\.foundType) == .html)
    #expect(changes.filter { $0.foundType == .html }.map(\.change) == [.new])
  }

  @Test func `an export keeps them apart`() throws {
    let first = try filled()
    let second = try TemporaryStore()
    _ = try second.store.importText(first.store.text())
    #expect(try second.store.text() == first.store.text())
    #expect(try second.store.failures() == first.store.failures())
    let keys = "SELECT hex(key) FROM failure ORDER BY 1"
    #expect(try second.query(keys) == first.query(keys))
    // A push, too.
    let third = try TemporaryStore()
    _ = try DigestStore.push(storesAt: [first.path], to: third.path)
    #expect(try third.query(keys) == first.query(keys))
    #expect(try Set(counts(third.store)) == Set(Self.counts))
  }

  /// What a body is, isn't text of the payload.
  @Test func `redaction and age leave what a body is`() throws {
    let redacted = try filled(
      .init(redact: { entry in
        var entry = entry
        entry.foundValue = nil
        entry.message = ""
        return entry
      }))
    #expect(try Set(counts(redacted.store)) == Set(Self.counts))

    let aged = try filled(.init(maximumAge: .seconds(3_600)))
    try aged.store.append(.make(at: Moment(Date()), .novel("later")))
    _ = try aged.store.prune()
    #expect(try Set(counts(aged.store)).isSuperset(of: Self.counts))
    #expect(
      try aged.query("SELECT DISTINCT message FROM failure WHERE novel_value IS NULL") == ["null"])
    try record([Self.html], at: Self.yesterday, in: aged)
    #expect(try counts(aged.store).first == "html 4 4")
  }

  /// The rest of a digest that is too large is counted without found values.
  @Test func `errors that are only counted keep what a body is`() throws {
    let limit = ValueLimit(1_000)
    let body = RecordedError(
      path: ErrorDigest.Path(), kind: .dataCorrupted,
      expectedType: String(repeating: "M", count: 1_000),
      message: String(repeating: "x", count: 1_000),
      found: ErrorDigest.FoundValue(type: .empty, text: nil))
    let large = RecordedError.mismatch(
      at: "a", message: String(repeating: "x", count: 1_000), found: .string("y"))
    var record = DigestRecord.make(large)
    record.errors = Array(repeating: large, count: 2_000) + [body, body]
    let bounded = record.bounded(by: limit)
    #expect(bounded.occurrences == 2_002)
    #expect(bounded.errors.last?.found == body.found)
    #expect(bounded.errors.last?.times == 2)
  }
}

private struct Model: Decodable { let id: Int }
