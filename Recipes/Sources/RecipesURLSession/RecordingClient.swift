// URLSession: a client that decodes responses and records their errors.

public import DigestStore
public import Foundation
import ResilientDecoding

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Gets JSON from a server, and records what could not be decoded to a store.
///
/// Have the store write in the background, so that no request waits for a disk.
///
///     let client = RecordingClient(recordingTo: store)
///     let listing = try await client.get(Listing.self, from: url)
public struct RecordingClient: Sendable {
  private let session: URLSession
  private let store: DigestStore

  /// Makes a client.
  public init(_ session: URLSession = .shared, recordingTo store: DigestStore) {
    self.session = session
    self.store = store
  }

  /// Gets a document.
  ///
  /// - Parameter operation: The operation of the API; by default the method and the path of the
  ///   request, see `operation(of:)`.
  /// - Throws: `URLError` for a failed request, a status other than 2xx, and a media type other
  ///   than JSON; `DecodingError` for a body that cannot be decoded, which is recorded too.
  public func get<T: Decodable>(
    _ type: T.Type, from url: URL, operation: String? = nil
  ) async throws -> T {
    let request = URLRequest(url: url)
    let (data, response) = try await session.data(for: request)
    return try decode(
      type, from: data, of: response, operation: operation ?? Self.operation(of: request))
  }

  /// Returns the method and the path of a request, with `{}` for the parts that have digits: an id in
  /// the name of an operation would make each of them another one. A version, such as `v2`, stays.
  public static func operation(of request: URLRequest) -> String {
    let path = (request.url?.path ?? "").split(separator: "/").map { part in
      let isVersion = part.first == "v" && part.dropFirst().allSatisfy(\.isNumber)
      return part.contains(where: \.isNumber) && !isVersion ? "{}" : part
    }
    return "\(request.httpMethod ?? "GET") /\(path.joined(separator: "/"))"
  }

  /// Decodes the body of a response, for a transport of one's own.
  ///
  /// The page of a proxy or a captive portal is not the backend's, so it is not recorded.
  public func decode<T: Decodable>(
    _ type: T.Type, from data: Data, of response: URLResponse, operation: String? = nil
  ) throws -> T {
    guard let response = response as? HTTPURLResponse, 200..<300 ~= response.statusCode else {
      throw URLError(.badServerResponse)
    }
    let mediaType = response.mimeType?.lowercased() ?? ""
    guard mediaType == "application/json" || mediaType.hasSuffix("+json") else {
      throw URLError(.cannotDecodeContentData)
    }
    return try JSONDecoder().decode(type, from: data, recordingTo: store, operation: operation)
  }
}
