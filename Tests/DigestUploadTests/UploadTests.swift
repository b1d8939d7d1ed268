import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

@testable import DigestStore
@testable import DigestStoreTests
@testable import DigestUpload

/// Uploads to a server that fails in many ways: each digest counts once at the end.
struct UploadTests {
  /// An app, a collector, and the pauses that the upload has made.
  private struct Setting {
    let app: TemporaryStore
    let collector: TemporaryStore
    let server: ScriptedServer
    let pauses = Locked<[Duration]>([])
    private let send: UploadTransport.Send

    init(
      _ script: [ScriptedServer.Step] = [], timeout: Double = 60,
      _ configuration: DigestStore.Configuration = .init()
    ) throws {
      let collector = try TemporaryStore()
      self.collector = collector
      app = try TemporaryStore(configuration)
      server = try ScriptedServer(script) { body in
        let counts = try collector.store.add([(CheckedImport(body, requiringIDs: true), .max)])[0]
          .get()
        return #"{"added":\#(counts.added),"known":\#(counts.known),"evicted":\#(counts.evicted)}"#
      }
      send = UploadTransport.session(timeout: timeout)
    }

    @discardableResult
    func upload() async throws -> DigestStore.UploadSummary {
      let pauses = pauses
      return try await app.store.upload(
        to: server.url, token: "0123456789abcdef",
        over: UploadTransport(send: send) { pause in pauses.withLock { $0.append(pause) } })
    }

    func record(_ numbers: Range<Int>, of length: Int = 1) throws {
      try app.store.appendAll(
        numbers.map { number in
          .make(
            at: Moment(milliseconds: 1_763_632_800_000 + Int64(number)), release: "4.\(number % 3)",
            .novel(String(repeating: "v", count: length) + "\(number % 7)"))
        })
    }

    /// The failures of both stores, which are to be equal, and the number of the collector's.
    func expectEqual(_ count: Int, _ location: SourceLocation = #_sourceLocation) throws {
      func rows(_ store: DigestStore) throws -> [String] {
        try store.failures().map {
          "\($0.codingPath) \($0.novelValue ?? "") \($0.occurrences) \($0.digests)"
        }
      }
      #expect(try rows(collector.store) == rows(app.store), sourceLocation: location)
      #expect(try collector.store.totals().occurrences == count, sourceLocation: location)
      #expect(try collector.store.verify().problems == [], sourceLocation: location)
    }
  }

  private static func answer(_ status: String, _ headers: String = "", _ body: String = "{}")
    -> ScriptedServer.Step
  {
    .send(
      "HTTP/1.1 \(status)\r\n\(headers)Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
    )
  }

  @Test func `an upload sends what is new, oldest first, and says how much it was`() async throws {
    let setting = try Setting()
    try setting.record(0..<5)
    #expect(try await setting.upload() == .init(added: 5, known: 0, parts: 1))
    try setting.record(5..<7)
    #expect(try await setting.upload() == .init(added: 2, known: 0, parts: 1))
    try setting.expectEqual(7)
    let lines = setting.server.bodies[0].split(separator: "\n")
    #expect(lines.count == 5 && lines[0].contains(#""novelValue":"v0""#))
    #expect(setting.server.heads[0].hasPrefix("POST /v1/digests HTTP/1.1"))
    #expect(setting.server.heads[0].lowercased().contains("authorization: bearer 0123456789abcdef"))
    #expect(setting.pauses.withLock { $0 } == [])
  }

  @Test func `many digests come in parts of at most 256 KiB, and a longer one in its own`()
    async throws
  {
    let setting = try Setting()
    try setting.record(0..<3_000)
    try setting.app.store.append(
      .make(.novel("x", found: nil)))
    var long = DigestRecord.make()
    long.errors = (0..<990).map {
      .mismatch(at: "\(String(repeating: "k", count: 400)).a\($0)", message: nil)
    }
    try setting.app.store.append(long)
    try setting.record(3_000..<3_010)
    let summary = try await setting.upload()
    #expect(summary.added == 3_012 && summary.known == 0)
    let sizes = setting.server.bodies.map(\.utf8.count)
    #expect(sizes.count { $0 > UploadPart.maximumBytes } == 1)
    #expect(sizes.count > 3)
    #expect(
      setting.server.bodies.first { $0.utf8.count > UploadPart.maximumBytes }?.count { $0 == "\n" }
        == 1)
    try setting.expectEqual(3_011 + 990)
  }

  /// What a server does first, and how often the upload pauses before it gets through.
  private static let toxics: [(String, [ScriptedServer.Step], pauses: Int)] = [
    ("closed before the answer", [.close], 1), ("reset", [.reset], 1),
    ("the answer is lost", [.loseAnswer], 1), ("half an answer", [.sendHalf], 1),
    ("lost three times", [.loseAnswer, .loseAnswer, .loseAnswer], 3),
    ("500", [answer("500 Error")], 1), ("502", [answer("502 Bad", "", "<html>")], 1),
    ("503", [answer("503 Busy", "Retry-After: 7\r\n")], 1),
    ("429", [answer("429 Many", "Retry-After: Wed, 21 Oct 2015 07:28:00 GMT\r\n")], 1),
    ("408", [answer("408 Slow")], 1), ("425", [answer("425 Early")], 1),
    ("an early end", [.send("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{")], 1),
    ("garbage", [.send("what?\r\n\r\n")], 1), ("nothing of HTTP", [.send("\u{0}\u{1}")], 1),
    ("a slow answer", [.hang], 1),
  ]

  @Test(arguments: toxics)
  func `a part that did not get through is sent again`(
    name: String, script: [ScriptedServer.Step], pauses: Int
  ) async throws {
    let setting = try Setting(script, timeout: name == "a slow answer" ? 1 : 60)
    try setting.record(0..<5)
    try await setting.upload()
    try setting.expectEqual(5)
    #expect(setting.server.bodies.count == script.count + 1)
    let taken = setting.pauses.withLock { $0 }
    #expect(taken.count == pauses)
    #expect(taken.allSatisfy { $0 > .zero && $0 <= .seconds(60) })
    if name == "503" { #expect(taken[0] >= .seconds(7)) }
    // And then there is nothing to send again.
    try await setting.upload()
    #expect(try setting.collector.store.totals().occurrences == 5)
  }

  @Test(arguments: [
    ("401 No", "", #"{"error":"the token is unknown"}"#, "refuses the token: the token is unknown"),
    ("401 No", "WWW-Authenticate: Basic realm=\"digests\"\r\n", "", "refuses the token"),
    ("401 No", "WWW-Authenticate: Bearer\r\n", "", "refuses the token"),
    ("403 No", "", "", "refuses the token"),
    ("404 No", "", "", "there is no collector at this address"),
    ("405 No", "", "", "there is no collector at this address"),
    ("400 No", "", #"{"error":"line 3: model is missing"}"#, "(400): line 3: model is missing"),
    ("413 No", "", "<html>", "let the proxy take bodies of at least 4 MiB"),
    ("415 No", "", "", "refuses the part (415)"),
    ("301 Moved", "Location: https://other.example/\r\n", "", "moved to https://other.example/"),
    ("307 Moved", "Location: http://127.0.0.1:9/v1\r\n", "", "moved to http://127.0.0.1:9/v1"),
    (
      "200 OK", "", "<html>Log in to the hotel</html>",
      "something else than a collector has answered"
    ),
    ("204 No Content", "", "", "refuses the part (204)"),
    ("200 OK", "", String(repeating: "x", count: 1 << 18), "something else than a collector"),
    ("503 Busy", "Retry-After: 601\r\n", "", "answers 503"),
  ])
  func `what does not go away ends the upload with a remedy, and it goes on later`(
    status: String, headers: String, body: String, text: String
  ) async throws {
    let setting = try Setting([Self.answer(status, headers, body)])
    try setting.record(0..<5)
    let error = await #expect(throws: UploadError.self) { try await setting.upload() }
    #expect(error?.description.contains(text) == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("0123456789abcdef") == false)
    #expect(setting.server.bodies.count == 1)
    #expect(setting.pauses.withLock { $0 } == [])
    try await setting.upload()
    try setting.expectEqual(5)
  }

  @Test func `an upload gives up after eight attempts at a part`() async throws {
    let setting = try Setting(Array(repeating: Self.answer("503 Busy"), count: 9))
    try setting.record(0..<5)
    await #expect(throws: UploadError.self) { try await setting.upload() }
    #expect(setting.server.bodies.count == 8)
    let seconds = setting.pauses.withLock { $0 }.map { $0 / .seconds(1) }
    #expect(seconds.count == 7)
    for (pause, most) in zip(seconds, [1.0, 2, 4, 8, 16, 32, 60]) {
      #expect(pause >= most / 2 && pause <= most)
    }
  }

  @Test(arguments: [
    "http://digests.example.com", "https://user:password@digests.example.com", "ftp://a.example",
    "https://a.example/?token=1", "https://a.example/#a", "digests.example.com",
    "file:///etc/passwd",
  ])
  func `nothing is sent to an address that is not a collector's`(address: String) throws {
    let app = try TemporaryStore()
    try app.store.append(.make())
    let url = try #require(URL(string: address))
    let error = #expect(throws: UploadError.self) { _ = try app.store.nextUpload(to: url) }
    #expect(error?.code == .invalidAddress)
    #expect(error?.description.contains("password@") == false)
  }

  @Test func `what was deleted before it was sent is a loss on both sides, once`() async throws {
    let clock = Locked(Date(timeIntervalSince1970: 1_763_632_800))
    let setting = try Setting([.loseAnswer], .init(clock: { clock.withLock { $0 } }))
    try setting.record(0..<4)
    clock.withLock { $0 += 40 * 86_400 }
    try setting.app.store.append(.make(at: Moment(clock.withLock { $0 }), .novel("late")))
    _ = try setting.app.store.prune(maximumAge: .seconds(86_400))
    for _ in 0..<2 {
      try await setting.upload()
      for store in [setting.app.store, setting.collector.store] {
        let losses = try store.losses().filter { $0.reason == .notSent }
        #expect(losses.map(\.digests) == [4])
      }
      #expect(try setting.collector.store.totals().occurrences == 1)
    }
    #expect(setting.server.bodies[0].contains(#""through":5,"#))
    #expect(setting.server.bodies[0].contains(#""lost":4}"#))
    #expect(try setting.collector.store.verify().problems == [])
  }

  @Test func `a process that dies without the acknowledgement goes on where it was`() async throws {
    let setting = try Setting()
    try setting.record(0..<5)
    let first = try #require(try setting.app.store.nextUpload(to: setting.server.url))
    #expect(first.digests == 5 && first.isLast)
    // Nobody learns of this part.
    _ = try setting.collector.store.importDigests(first.body)
    try setting.record(5..<8)
    let again = try DigestStore(path: setting.app.path)
    let part = try #require(try again.nextUpload(to: setting.server.url))
    #expect(part.digests == 8)
    try await setting.upload()
    try setting.expectEqual(8)
    try again.close()
  }

  @Test func `decodes without errors come with the digests, and grow with each upload`()
    async throws
  {
    let clock = Locked(Date(timeIntervalSince1970: 1_763_632_800))
    let setting = try Setting([.loseAnswer], .init(clock: { clock.withLock { $0 } }))
    var clean = 0
    for hour in 0..<30 {
      for _ in 0...hour % 3 {
        setting.app.store.countCleanDecode(
          of: "App.Listing", DigestContext(release: "4.\(hour % 2)"))
        clean += 1
      }
      if hour.isMultiple(of: 4) {
        try setting.app.store.append(.make(at: Moment(clock.withLock { $0 })))
      }
      setting.app.store.flush()
      if hour.isMultiple(of: 5) { try await setting.upload() }
      // Sent digests may go: their hours still count.
      if hour == 20 { _ = try setting.app.store.prune(maximumAge: .seconds(3_600)) }
      clock.withLock { $0 += 3_600 }
    }
    try await setting.upload()
    let view = """
      SELECT start || ' ' || release || ' ' || sum(decodes - failed) FROM decodes_by_hour
      WHERE decodes > failed GROUP BY start, release ORDER BY 1
      """
    #expect(try setting.collector.query(view) == setting.app.query(view))
    #expect(
      try setting.collector.query("SELECT sum(decodes - failed) FROM decodes_by_hour") == [
        "\(clean)"
      ])
    #expect(try setting.collector.store.losses().filter { $0.reason == .notSent } == [])
  }

  @Test func `what redact has removed is not sent`() async throws {
    let setting = try Setting(
      [], .init(redact: { $0.novelValue?.text == "secret" ? nil : $0 }))
    let data = Data(#"{"kind": "secret", "other": "villa"}"#.utf8)
    _ = try JSONDecoder().decode(Redacted.self, from: data, recordingTo: setting.app.store)
    try await setting.upload()
    #expect(setting.server.bodies.count == 1)
    #expect(!setting.server.bodies[0].contains("secret"))
    #expect(setting.server.bodies[0].contains("villa"))
  }

  @Test func `names from outside arrive as they are`() async throws {
    let setting = try Setting()
    let names = ["a\nb", "\u{2028}", "\"quoted\"", "\\", "🏡\u{0}", "<script>", "a\r\nb: c"]
    for name in names {
      try setting.app.store.append(.make(model: "M" + name, release: name, .novel(name)))
    }
    try await setting.upload()
    try setting.expectEqual(names.count)
    #expect(
      try setting.collector.query("SELECT release FROM counts_by_day ORDER BY 1")
        == setting.app.query("SELECT release FROM counts_by_day ORDER BY 1"))
  }

  @Test func `a task that is cancelled ends at once`() async throws {
    let setting = try Setting([.hang])
    try setting.record(0..<5)
    let task = Task { try await setting.upload() }
    while setting.server.heads.isEmpty { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(setting.pauses.withLock { $0 } == [])
    try await setting.upload()
    try setting.expectEqual(5)
  }

  @Test func `a closed store and a suspended one say so`() async throws {
    let setting = try Setting()
    try setting.record(0..<1)
    setting.app.store.suspend()
    await #expect(throws: DigestStoreError.self) { try await setting.upload() }
    setting.app.store.resume()
    try await setting.upload()
    try setting.expectEqual(1)
    try setting.app.store.close()
    await #expect(throws: DigestStoreError.self) { try await setting.upload() }
  }
}

private struct Redacted: Decodable {
  enum Kind: String, ResilientRawRepresentable { case house }
  @Resilient var kind: Kind?
  @Resilient var other: Kind?
}
