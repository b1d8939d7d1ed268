import DigestStore
import Foundation
import HTTPTypes
import RecipesOpenAPI
import ResilientDecoding
import TestSupport
import Testing

/// The code that the generator writes for an operation and a schema.
enum Operations {
  // swift-format-ignore: TypeNamesShouldBeCapitalized
  enum listListings { static let id = "listListings" }
}

enum Components {
  enum Schemas {
    struct Listing: Codable, Hashable, Sendable {
      let id: Int
      let builtAt: Date?
    }
  }
}

extension Operations.listListings: RecordedOperation {
  typealias Body = [Components.Schemas.Listing]
}

struct RecordingMiddlewareTests {
  private let folder = TemporaryFolder()
  private static let good = #"[{"id": 1, "builtAt": "2026-11-20T00:00:00Z"}]"#
  private static let bad = #"[{"id": 1}, {"id": "7"}]"#

  /// Sends an operation through the middleware, and returns what the client gets.
  private func send(
    _ operation: String = "listListings", status: HTTPResponse.Status = .ok,
    type: String = "application/json", body: String, recordingTo store: DigestStore
  ) async throws -> String {
    let middleware = RecordingMiddleware(Operations.listListings.self, recordingTo: store)
    let url = try #require(URL(string: "https://example.com"))
    let request = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/")
    let (response, received) = try await middleware.intercept(
      request, body: nil, baseURL: url, operationID: operation
    ) { _, _, _ in
      (HTTPResponse(status: status, headerFields: [.contentType: type]), HTTPBody(body))
    }
    #expect(response.status == status)
    return String(
      decoding: try await Data(collecting: try #require(received), upTo: .max), as: UTF8.self)
  }

  @Test func `a body that does not fit is recorded under its operation, and stays`() async throws {
    let store = try folder.makeStore()
    #expect(try await send(body: Self.bad, recordingTo: store) == Self.bad)
    let failures = try store.failures()
    #expect(failures.map(\.codingPath) == ["[].id"])
    #expect(failures.map(\.kind) == [.typeMismatch])
    #expect(failures.map(\.foundValue) == ["7"])
    #expect(try store.names(of: .operation) == ["listListings"])
    try store.close()
  }

  @Test func `a good body is counted as a decode`() async throws {
    let store = try folder.makeStore()
    #expect(try await send(body: Self.good, recordingTo: store) == Self.good)
    store.flush()
    #expect(try store.failures().isEmpty)
    #expect(try store.models().map(\.decodes) == [1])
    try store.close()
  }

  @Test(arguments: [
    ("other", HTTPResponse.Status.ok, "application/json"),
    ("listListings", .internalServerError, "application/json"),
    ("listListings", .ok, "text/html"),
  ])
  func `other operations, errors and pages pass`(
    operation: String, status: HTTPResponse.Status, type: String
  ) async throws {
    let store = try folder.makeStore()
    let body = try await send(
      operation, status: status, type: type, body: Self.bad, recordingTo: store)
    #expect(body == Self.bad)
    #expect(try store.failures().isEmpty)
    try store.close()
  }
}
