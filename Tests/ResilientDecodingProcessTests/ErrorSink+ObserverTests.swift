import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

@testable import ResilientDecodingTests

/// All threads share the observer, so each test runs in its own process.
struct ErrorSinkObserverTests {
  @Test func `it is called for each error with and without a reporter`() async {
    await #expect(processExitsWith: .success) {
      let heard = Heard.install()
      _ = try Format.json.decode(Model.self, from: Model.bad, userInfo: [:])
      #expect(heard.take() == Model.badReports)
      let (_, digest) = try Format.json.decode(Model.self, from: Model.bad)
      #expect(heard.take() == Model.badReports)
      #expect(digest?.reports == Model.badReports)
    }
  }

  @Test func `observers are added and removed without replacing each other`() async {
    await #expect(processExitsWith: .success) {
      let calls = Locked<[String]>([])
      @Sendable func note(_ name: String) -> ResilientDecodingErrorReporter.Observer {
        { entry in calls.withLock { $0.append("\(name) \(entry.codingPath)") } }
      }
      func heard() throws -> [String] {
        _ = try Format.json.decode(GenericModel<[Int]>.self, from: #"{"p": ["x"]}"#, userInfo: [:])
        return calls.withLock { heard in
          defer { heard = [] }
          return heard
        }
      }
      let first = ResilientDecodingErrorReporter.addObserver(note("first"))
      let second = ResilientDecodingErrorReporter.addObserver(note("second"))
      ResilientDecodingErrorReporter.observer = note("own")
      try #expect(heard() == ["own p[0]", "first p[0]", "second p[0]"])
      first.remove()
      first.remove()
      try #expect(heard() == ["own p[0]", "second p[0]"])
      ResilientDecodingErrorReporter.observer = nil
      try #expect(heard() == ["second p[0]"])
      second.remove()
      try #expect(heard().isEmpty)
      #expect(first != second)
    }
  }

  @Test func `an observer may decode, and add and remove observers`() async {
    await #expect(processExitsWith: .success) {
      let depth = Locked(0)
      let observation = Locked<ResilientDecodingErrorReporter.Observation?>(nil)
      let added = ResilientDecodingErrorReporter.addObserver { _ in
        let isFirst = depth.withLock { depth in
          depth += 1
          return depth == 1
        }
        guard isFirst else { return }
        _ = try? Format.json.decode(GenericModel<[Int]>.self, from: #"{"p": ["y"]}"#, userInfo: [:])
        ResilientDecodingErrorReporter.addObserver { _ in }
        observation.withLock { $0 }?.remove()
      }
      observation.withLock { $0 = added }
      for _ in 0..<2 {
        _ = try Format.json.decode(GenericModel<[Int]>.self, from: #"{"p": ["x"]}"#, userInfo: [:])
      }
      #expect(depth.withLock { $0 } == 2)
    }
  }

  @Test func `it is not called for good values, nor after its removal`() async {
    await #expect(processExitsWith: .success) {
      let heard = Heard.install()
      _ = try Format.json.decode(Model.self, from: #"{"list": [1]}"#, userInfo: [:])
      #expect(heard.take().isEmpty)
      ResilientDecodingErrorReporter.observer = nil
      _ = try Format.json.decode(Model.self, from: Model.bad, userInfo: [:])
      #expect(heard.take().isEmpty)
    }
  }

  @Test func `it is called for errors that a full reporter only counts`() async {
    await #expect(processExitsWith: .success) {
      let heard = Heard.install()
      let reporter = ResilientDecodingErrorReporter(maximumEntries: 2)
      _ = try Format.json.decode(
        Model.self, from: Model.withBadElements(1_100),
        userInfo: [.resilientDecodingErrorReporter: reporter])
      #expect(heard.takePaths() == (0..<1_100).map { "list[\($0)]" })
      let digest = reporter.flushReportedErrors()
      #expect(digest?.entries.count == 2)
      #expect(digest?.errorCount == 1_100)
    }
  }

  @Test func `for an attempt it is called for a thousand errors, or as many as the reporter holds`()
    async
  {
    await #expect(processExitsWith: .success) {
      let heard = Heard.install()
      for (entries, heardOf) in [(nil, 1_000), (2, 1_000), (1_050, 1_050)] as [(Int?, Int)] {
        let reporter = entries.map { ResilientDecodingErrorReporter(maximumEntries: $0) }
        var userInfo: [CodingUserInfoKey: any Sendable] = [:]
        userInfo[.resilientDecodingErrorReporter] = reporter
        _ = try Format.json.decode(
          Checked<Checked<Model>>.self, from: Model.withBadElements(1_100), userInfo: userInfo)
        #expect(heard.takePaths() == (0..<heardOf).map { "list[\($0)]" })
        let digest = reporter?.flushReportedErrors()
        #expect(digest?.entries.count == entries)
        #expect(digest?.errorCount == entries.map { _ in 1_100 })
      }
    }
  }

  @Test func `a task that an observer starts has no state of the decode`() async {
    await #expect(processExitsWith: .success) {
      let task = Locked<Task<([String], Int?), any Error>?>(nil)
      ResilientDecodingErrorReporter.addObserver { entry in
        guard entry.codingPath.description == "p[0]" else { return }
        let new = Task {
          let reporter = ResilientDecodingErrorReporter()
          let model = try reporter.collectErrors {
            try Format.json.decode(
              GenericModel<[String]>.self, from: #"{"p": ["a", 2]}"#, userInfo: [:])
          }
          return (model.p, reporter.flushReportedErrors()?.entries.count)
        }
        task.withLock { $0 = new }
      }
      let decoder = JSONDecoder()
      decoder.userInfo[.reportsUnknownKeys] = true
      _ = try decoder.decodeReporting(GenericModel<[Int]>.self, #"{"p": ["x"]}"#)
      let (strings, errors) = try #require(try await task.withLock { $0 }?.value)
      #expect(strings == ["a"])
      #expect(errors == 1)
    }
  }

  @Test func `an observer that passes its entries on is not called again`() async {
    await #expect(processExitsWith: .success) {
      let heard = Locked(0)
      let target = ResilientDecodingErrorReporter()
      ResilientDecodingErrorReporter.addObserver { entry in
        heard.withLock { $0 += 1 }
        target.report(entry)
      }
      _ = try Format.json.decode(
        GenericModel<[Int]>.self, from: #"{"p": ["x", "y"]}"#, userInfo: [:])
      #expect(heard.withLock { $0 } == 2)
      #expect(target.flushReportedErrors()?.paths == ["p[0]", "p[1]"])
    }
  }

  @Test func `it is called for kept errors and not for discarded ones`() async {
    await #expect(processExitsWith: .success) {
      let heard = Heard.install()
      let json = #"[{"list": ["x"], "kind": "novel"}, {"list": ["y"], "id": 1}]"#
      for userInfo in [[:], [.resilientDecodingErrorReporter: ResilientDecodingErrorReporter()]]
        as [[CodingUserInfoKey: any Sendable]]
      {
        _ = try Format.json.decode([Attempt].self, from: json, userInfo: userInfo)
        #expect(heard.takePaths() == ["[0].kind", "[1].list[0]"])
      }
    }
  }

  @Test func `it is called once for errors that a throwing call passes on`() async {
    await #expect(processExitsWith: .success) {
      let heard = Heard.install()
      let decoder = JSONDecoder()
      let reporter = decoder.enableResilientDecodingErrorReporting()
      #expect(throws: DecodingError.self) {
        try decoder.decodeReporting(Strict.self, #"{"list": ["x"]}"#)
      }
      #expect(heard.takePaths() == ["list[0]"])
      #expect(reporter.flushReportedErrors()?.paths == ["list[0]"])
    }
  }

  @Test func `it is called once for errors that a throwing call within an attempt passes on`() async
  {
    await #expect(processExitsWith: .success) {
      let heard = Heard.install()
      _ = try Format.json.decode(Checked<Inner>.self, from: "{}", userInfo: [:])
      #expect(heard.takePaths() == ["list[0]"])
    }
  }

  @Test func `it is called for conversions and failed documents`() async {
    await #expect(processExitsWith: .success) {
      let heard = Heard.install()
      _ = try Format.json.decode(LosslessModel<Int>.self, from: #"{"p": "5"}"#, userInfo: [:])
      #expect(heard.take() == ["p: converted Int"])
      ResilientDecodingErrorReporter().report(Mishap(description: "no"), decoding: Int.self)
      #expect(heard.take() == [": other Int"])
    }
  }

  @Test func `it can decode with errors itself`() async {
    await #expect(processExitsWith: .success) {
      let heard = Heard()
      ResilientDecodingErrorReporter.observer = { entry in
        heard.add(entry)
        guard entry.codingPath.description == "maybe" else { return }
        _ = try? Format.json.decode(Model.self, from: #"{"kind": "novel"}"#, userInfo: [:])
      }
      _ = try Format.json.decode(Model.self, from: #"{"maybe": "x"}"#, userInfo: [:])
      #expect(heard.takePaths() == ["maybe", "kind"])
    }
  }
}

private final class Heard: Sendable {
  private let entries = Locked<[ErrorDigest.Entry]>([])

  static func install() -> Heard {
    let heard = Heard()
    ResilientDecodingErrorReporter.observer = { heard.add($0) }
    return heard
  }

  func add(_ entry: ErrorDigest.Entry) { entries.withLock { $0.append(entry) } }

  func take() -> [String] { takeEntries().map(\.report) }

  func takePaths() -> [String] { takeEntries().map(\.codingPath.description) }

  private func takeEntries() -> [ErrorDigest.Entry] {
    entries.withLock { entries in
      defer { entries = [] }
      return entries
    }
  }
}

private struct Model: Decodable {
  @Resilient var maybe: Int?
  @Resilient var list: [Int]
  @Resilient var kind: Kind?

  static func withBadElements(_ count: Int) -> String {
    #"{"list": [\#(repeatElement(#""x""#, count: count).joined(separator: ","))]}"#
  }

  static let bad = #"{"maybe": "x", "list": [1, null], "kind": "novel"}"#
  static let badReports = [
    "maybe: typeMismatch Int",
    "list[1]: valueNotFound Int",
    "kind: unknownNovelValue Kind = novel",
  ]
}

private struct Strict: Decodable {
  @Resilient var list: [Int]
  let id: Int
}

/// Decodes strictly, or else decodes only the kind.
private struct Attempt: Decodable {
  private struct Other: Decodable {
    @Resilient var kind: Kind?
  }

  init(from decoder: any Decoder) throws {
    do {
      _ = try decoder.withReportingCheckpoint { try Strict(from: decoder) }
    } catch {
      _ = try Other(from: decoder)
    }
  }
}

/// Decodes another document, which throws.
private struct Inner: Decodable {
  init(from decoder: any Decoder) throws {
    _ = try? JSONDecoder().decodeReporting(Strict.self, #"{"list": ["x"]}"#)
  }
}
