import DigestStore
import Foundation
import Hummingbird
import HummingbirdTesting
import RecipesHummingbird
import ResilientDecoding
import TestSupport
import Testing

private enum Kind: String, ResilientRawRepresentable { case house, cabin }

private struct Listing: Decodable {
  let id: Int
  @Resilient var kind: Kind?
}

private struct Report: Decodable {
  let since: Date
  let failures: [Drift.Failure]
  let isTruncated: Bool
  let losses: [String]
}

/// A context whose requests are decoded into the store of the test.
private struct Context: RequestContext {
  @TaskLocal static var store: DigestStore?

  var coreContext: CoreRequestContextStorage
  let requestDecoder: RecordingRequestDecoder

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    guard let store = Self.store else { preconditionFailure("The test sets the store.") }
    requestDecoder = RecordingRequestDecoder(recordingTo: store)
  }
}

struct DriftRoutesTests {
  private let folder = TemporaryFolder()

  /// Tests a server whose store records at `recording`, and whose clock says `now`.
  private func test(
    recordedAt: Date = Date(), now: Date = Date(),
    isRedacting: Bool = false,
    _ body: @escaping @Sendable (any TestClientProtocol, DigestStore) async throws -> Void
  ) async throws {
    var configuration = DigestStore.Configuration(release: "4.2.0", clock: { recordedAt })
    if isRedacting { configuration.redact = { _ in nil } }
    let store = try folder.makeStore(configuration)
    let router = Router(context: Context.self)
    router.post("listings") { request, context in
      "\(try await request.decode(as: Listing.self, context: context).id)"
    }
    router.addDriftRoute(reading: store, now: { now })
    try await Context.$store.withValue(store) {
      try await Application(router: router).test(.router) { try await body($0, store) }
    }
    try store.close()
  }

  private static func report(_ response: TestResponse) throws -> Report {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try decoder.decode(Report.self, from: Data(String(buffer: response.body).utf8))
  }

  @Test func `a request is decoded, and its errors are a row of the report`() async throws {
    try await test { client, store in
      for _ in 1...2 {
        try await client.execute(
          uri: "/listings", method: .post,
          body: ByteBuffer(string: #"{"id": 7, "kind": "villa"}"#)
        ) { response in
          #expect(response.status == .ok)
          #expect(String(buffer: response.body) == "7")
        }
      }
      let report = try Self.report(try await client.execute(uri: "/drift", method: .get))
      #expect(!report.isTruncated)
      #expect(try store.names(of: .operation) == ["POST /listings"])
      #expect(report.losses.isEmpty)
      #expect(
        report.failures.map {
          [$0.model, $0.path, $0.kind, $0.novelValue, $0.firstRelease, "\($0.occurrences)"]
        } == [
          [
            "RecipesHummingbirdTests.Listing", "kind", "unknownNovelValue", "villa", "4.2.0", "2",
          ]
        ])
    }
  }

  @Test func `a body that cannot be decoded is answered with 400 and recorded`() async throws {
    try await test { client, store in
      try await client.execute(
        uri: "/listings", method: .post, body: ByteBuffer(string: #"{"kind": "cabin"}"#)
      ) { #expect($0.status == .badRequest) }
      #expect(
        try store.failures().map { [$0.codingPath, "\($0.kind)"] } == [["id", "keyNotFound"]])
    }
  }

  @Test func `only the window that was asked for counts as new`() async throws {
    let recordedAt = Date(timeIntervalSince1970: 1_795_000_000)
    try await test(recordedAt: recordedAt, now: recordedAt + 3_600 * 30) { client, _ in
      try await client.execute(
        uri: "/listings", method: .post, body: ByteBuffer(string: #"{"id": 7, "kind": "villa"}"#)
      ) { #expect($0.status == .ok) }
      let day = try Self.report(try await client.execute(uri: "/drift", method: .get))
      #expect(day.failures.isEmpty)
      #expect(day.since == recordedAt + 3_600 * 6)
      let days = try Self.report(try await client.execute(uri: "/drift?hours=48", method: .get))
      #expect(days.failures.map(\.firstSeen) == [recordedAt])
    }
  }

  @Test(arguments: ["0", "-1", "8761", "a%20day", ""])
  func `a window that makes no sense is answered with 400`(hours: String) async throws {
    try await test { client, _ in
      try await client.execute(uri: "/drift?hours=\(hours)", method: .get) {
        #expect($0.status == .badRequest)
      }
    }
  }

  @Test func `a report says why errors may be missing`() async throws {
    try await test(isRedacting: true) { client, _ in
      try await client.execute(
        uri: "/listings", method: .post, body: ByteBuffer(string: #"{"id": 7, "kind": "villa"}"#)
      ) { #expect($0.status == .ok) }
      let report = try Self.report(try await client.execute(uri: "/drift", method: .get))
      #expect(report.failures.isEmpty)
      #expect(report.losses == ["redacted"])
    }
  }

  @Test func `a report is bounded, and says when there is more`() async throws {
    try await test { client, _ in
      for number in 1...101 {
        try await client.execute(
          uri: "/listings", method: .post,
          body: ByteBuffer(string: #"{"id": 7, "kind": "value \#(number)"}"#)
        ) { #expect($0.status == .ok) }
      }
      let report = try Self.report(try await client.execute(uri: "/drift", method: .get))
      #expect(report.failures.count == 100)
      #expect(report.isTruncated)
    }
  }
}
