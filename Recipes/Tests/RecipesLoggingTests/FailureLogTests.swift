import DigestStore
import Foundation
import InMemoryLogging
import Logging
import RecipesLogging
import ResilientDecoding
import TestSupport
import Testing

private enum Kind: String, ResilientRawRepresentable { case house, cabin }

private struct Item: Decodable {
  @Resilient var kind: Kind?
  @Resilient var price: Double?
}

private struct Listing: Decodable { @Resilient var items: [Item] }

struct FailureLogTests {
  private let folder = TemporaryFolder()
  private let handler = InMemoryLogHandler()

  private var logger: Logger { Logger(label: "tests") { _ in handler } }

  private func decode(_ items: [String], into store: DigestStore, _ log: FailureLog) throws {
    let data = Data(#"{"items": [\#(items.joined(separator: ", "))]}"#.utf8)
    _ = try JSONDecoder().decode(Listing.self, from: data, recordingTo: store, loggingTo: log)
  }

  @Test func `logs a failure once, and the store counts every error`() throws {
    let store = try folder.makeStore()
    let log = FailureLog(logger)
    try decode([#"{"kind": "villa"}"#, #"{"kind": "villa"}"#], into: store, log)
    try decode([#"{"kind": "yurt"}"#, #"{"price": "ask us"}"#], into: store, log)

    #expect(handler.entries.map(\.level) == [.warning, .warning])
    #expect(handler.entries.map { $0.metadata["path"] } == ["items[].kind", "items[].price"])
    #expect(
      try store.failures().map { [$0.codingPath, $0.novelValue ?? "-", "\($0.occurrences)"] } == [
        ["items[].kind", "villa", "2"], ["items[].kind", "yurt", "1"], ["items[].price", "-", "1"],
      ])
  }

  @Test func `a line names the model, path, kind and fingerprint, and no value`() throws {
    let log = FailureLog(logger)
    try decode([#"{"kind": "villa"}"#], into: try folder.makeStore(), log)

    let failure = ErrorDigest.Failure(
      codingPath: try #require(ErrorDigest.Path("items[].kind")), kind: .unknownNovelValue)
    let entry = try #require(handler.entries.first)
    #expect(entry.message == "decoding failure")
    #expect(
      entry.metadata == [
        "model": "RecipesLoggingTests.Listing", "path": "items[].kind", "kind": "unknownNovelValue",
        "fingerprint": "\(FailureError(failure, decoding: Listing.self).fingerprint)",
      ])
  }

  @Test func `a value that was asked for is cut and stays on its line`() throws {
    let log = FailureLog(logger, includesValues: true)
    let value = #"a\n\u2028\u202eb"# + String(repeating: "c", count: 100)
    try decode([#"{"kind": "\#(value)"}"#], into: try folder.makeStore(), log)

    let expected = "a\u{FFFD}\u{FFFD}\u{FFFD}b" + String(repeating: "c", count: 75)
    #expect(handler.entries.first?.metadata["value"] == "\(expected)")
  }

  @Test func `a full log says so once, and remembers no more`() throws {
    let store = try folder.makeStore()
    let log = FailureLog(logger, maximumFailures: 1)
    for _ in 1...2 {
      try decode([#"{"kind": "villa"}"#, #"{"price": "ask us"}"#], into: store, log)
    }

    #expect(
      handler.entries.map(\.message) == [
        "decoding failure", "no further decoding failures are logged; the store has all of them",
      ])
    #expect(try store.failures().map(\.occurrences) == [2, 2])
  }

  @Test func `an error that a decode throws is logged too`() throws {
    let store = try folder.makeStore()
    let log = FailureLog(logger)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(
        Listing.self, from: Data("[]".utf8), recordingTo: store, loggingTo: log)
    }
    #expect(handler.entries.map { $0.metadata["kind"] } == ["typeMismatch"])
  }
}
