// swift-openapi-generator: a client middleware that records the errors of response bodies.
//
// In your target, add `public import OpenAPIRuntime` and leave OpenAPIRuntime.swift out.

public import DigestStore
public import Foundation
public import HTTPTypes
import ResilientDecoding

/// An operation whose responses are recorded. The enum that the generator makes for it conforms
/// with one line:
///
///     extension Operations.listListings: RecordedOperation {
///       typealias Body = Components.Schemas.Listings
///     }
public protocol RecordedOperation: SendableMetatype {
  /// The type that the body of a successful response is decoded as.
  associatedtype Body: Decodable

  /// The identifier of the operation, which the generator writes.
  static var id: String { get }
}

/// Records what the body of a response has that its operation does not expect, under the identifier
/// of the operation.
///
/// A generated client decodes a response after its middlewares have returned it, so no middleware
/// sees the error. This one decodes the body itself, for the store only, and returns the response
/// unchanged. So each recorded body is decoded twice. Have the store write in the background, so
/// that no request waits for a disk.
///
///     let client = Client(
///       serverURL: url, transport: URLSessionTransport(),
///       middlewares: [RecordingMiddleware(Operations.listListings.self, recordingTo: store)])
public struct RecordingMiddleware: ClientMiddleware {
  private let records: [String: @Sendable (Data) -> Void]

  /// Makes a middleware.
  ///
  /// - Parameters:
  ///   - operations: The operations to record; others pass.
  ///   - store: The store.
  ///   - decoder: Decodes as the client does: by default with dates in ISO 8601, the default of the
  ///     generator.
  public init<each Operation: RecordedOperation>(
    _ operations: repeat (each Operation).Type, recordingTo store: DigestStore,
    decoder: JSONDecoder = .iso8601
  ) {
    var records: [String: @Sendable (Data) -> Void] = [:]
    func add<Recorded: RecordedOperation>(_ operation: Recorded.Type) {
      records[Recorded.id] = { data in
        // The client throws this error itself.
        _ = try? decoder.decode(
          Recorded.Body.self, from: data, recordingTo: store, operation: Recorded.id)
      }
    }
    repeat add(each operations)
    self.records = records
  }

  public func intercept(
    _ request: HTTPRequest, body: HTTPBody?, baseURL: URL, operationID: String,
    next: @Sendable (HTTPRequest, HTTPBody?, URL) async throws -> (HTTPResponse, HTTPBody?)
  ) async throws -> (HTTPResponse, HTTPBody?) {
    let (response, body) = try await next(request, body, baseURL)
    // The page of a proxy or a captive portal is not the backend's, so it is not recorded.
    guard let record = records[operationID], response.status.kind == .successful, let body,
      response.headerFields[.contentType]?.lowercased().hasPrefix("application/json") == true
    else { return (response, body) }
    // A body can be read once. The client collects all of a JSON body, too.
    let data = try await Data(collecting: body, upTo: .max)
    record(data)
    return (response, HTTPBody(data))
  }
}

extension JSONDecoder {
  /// A decoder for dates in ISO 8601.
  public static var iso8601: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }
}
