// The types of swift-openapi-runtime that the recipe uses, in the same shape, so that it compiles
// without it. Leave this file out where the package is imported.

public import Foundation
public import HTTPTypes

/// A step between a generated client and its transport.
public protocol ClientMiddleware: Sendable {
  func intercept(
    _ request: HTTPRequest, body: HTTPBody?, baseURL: URL, operationID: String,
    next: @Sendable (HTTPRequest, HTTPBody?, URL) async throws -> (HTTPResponse, HTTPBody?)
  ) async throws -> (HTTPResponse, HTTPBody?)
}

/// A body of a request or a response.
public final class HTTPBody: Sendable {
  fileprivate let data: Data

  public convenience init(_ string: String) { self.init(Data(string.utf8)) }
  public init(_ data: Data) { self.data = data }
}

extension Data {
  public init(collecting body: HTTPBody, upTo maximumBytes: Int) async throws {
    guard body.data.count <= maximumBytes else { throw CocoaError(.fileReadTooLarge) }
    self = body.data
  }
}
