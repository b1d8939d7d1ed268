import DigestStore
import Foundation
import RecipesURLSession
import ResilientDecoding
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private enum Kind: String, ResilientRawRepresentable { case house, cabin }

private struct Listing: Decodable {
  let id: Int
  @Resilient var kind: Kind?
}

struct RecordingClientTests {
  private let folder = TemporaryFolder()

  private func client(_ store: DigestStore) -> RecordingClient {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [StubProtocol.self]
    return RecordingClient(URLSession(configuration: configuration), recordingTo: store)
  }

  @Test func `a document is returned, and its errors are recorded`() async throws {
    let store = try folder.makeStore()
    let listing = try await client(store).get(
      Listing.self, from: StubProtocol.url(#"{"id": 1, "kind": "villa"}"#))

    #expect(listing.id == 1)
    #expect(listing.kind == nil)
    #expect(
      try store.novelValues().map { [$0.model, $0.codingPath, $0.novelValue ?? ""] } == [
        ["RecipesURLSessionTests.Listing", "kind", "villa"]
      ])
    #expect(try store.names(of: .operation) == ["GET /"])
  }

  @Test(arguments: [
    ("https://example.com/v2/listings?page=2", "GET /v2/listings"),
    ("https://example.com/users/7/keys/3f2c", "GET /users/{}/keys/{}"),
    ("https://example.com", "GET /"),
  ])
  func `an operation has no ids`(url: String, operation: String) throws {
    let request = URLRequest(url: try #require(URL(string: url)))
    #expect(RecordingClient.operation(of: request) == operation)
  }

  @Test func `a document that cannot be decoded is recorded, and the error is thrown`() async throws
  {
    let store = try folder.makeStore()
    await #expect(throws: DecodingError.self) {
      try await client(store).get(Listing.self, from: StubProtocol.url(#"{"kind": "cabin"}"#))
    }
    #expect(try store.failures().map { [$0.codingPath, "\($0.kind)"] } == [["id", "keyNotFound"]])
  }

  @Test(arguments: [
    (500, "application/json", URLError.badServerResponse),
    (404, "text/html", .badServerResponse),
    (200, "text/html", .cannotDecodeContentData),
  ])
  func `what is not a document of the backend is not recorded`(
    status: Int, mediaType: String, error: URLError.Code
  ) async throws {
    let store = try folder.makeStore()
    let url = StubProtocol.url("<p>Sign in</p>", status: status, mediaType: mediaType)
    do {
      _ = try await client(store).get(Listing.self, from: url)
      Issue.record("No error was thrown.")
    } catch let thrown as URLError {
      #expect(thrown.code == error)
    }
    #expect(try store.failures().isEmpty)
  }

  @Test(arguments: ["application/json; charset=utf-8", "application/problem+json"])
  func `JSON has more than one media type`(mediaType: String) async throws {
    let url = StubProtocol.url(#"{"id": 1}"#, mediaType: mediaType)
    let listing = try await client(try folder.makeStore()).get(Listing.self, from: url)
    #expect(listing.id == 1)
  }
}

/// Answers each request with the response that its URL describes; nothing leaves the process.
private final class StubProtocol: URLProtocol {
  static func url(
    _ body: String, status: Int = 200, mediaType: String = "application/json"
  ) -> URL {
    var components = URLComponents()
    components.scheme = "http"
    components.host = "stub.invalid"
    components.queryItems = [
      URLQueryItem(name: "body", value: body), URLQueryItem(name: "status", value: "\(status)"),
      URLQueryItem(name: "type", value: mediaType),
    ]
    return components.url!
  }

  override class func canInit(with request: URLRequest) -> Bool { true }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    guard let url = request.url,
      let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems,
      let response = HTTPURLResponse(
        url: url, statusCode: Int(Self.value("status", items)) ?? 0, httpVersion: "HTTP/1.1",
        headerFields: ["Content-Type": Self.value("type", items)])
    else { return }
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Data(Self.value("body", items).utf8))
    client?.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}

  private static func value(_ name: String, _ items: [URLQueryItem]) -> String {
    items.first { $0.name == name }?.value ?? ""
  }
}
