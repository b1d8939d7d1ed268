// Hummingbird: decodes request bodies into a store, and adds a route for new failures.

public import DigestStore
public import Foundation
public import Hummingbird
import ResilientDecoding

/// Reads the body of a request, then decodes it and records its errors under the route, as in
/// `POST /listings/{id}`.
///
/// Return it as the `requestDecoder` of a request context. Hummingbird answers a body that cannot
/// be decoded with 400, as it does with its own decoder. Have the store write in the background, or
/// each request blocks a thread of the pool while its digest is written.
///
///     struct Context: RequestContext {
///       var coreContext: CoreRequestContextStorage
///       var requestDecoder: RecordingRequestDecoder { RecordingRequestDecoder(recordingTo: store) }
///
///       init(source: Source) { coreContext = .init(source: source) }
///     }
public struct RecordingRequestDecoder: RequestDecoder, Sendable {
  private let store: DigestStore
  private let decoder: JSONDecoder

  /// Makes a decoder, which reads dates as Hummingbird does unless another is given.
  public init(recordingTo store: DigestStore, decoder: JSONDecoder? = nil) {
    self.store = store
    self.decoder = decoder ?? .iso8601
  }

  public func decode<Body: Decodable>(
    _ type: Body.Type, from request: Request, context: some RequestContext
  ) async throws -> Body {
    let body = try await request.body.collect(upTo: context.maxUploadSize)
    // The route, not the path of the request, which may have ids.
    let operation = context.endpointPath.map { "\(request.method) \($0)" }
    return try decoder.decode(
      type, from: Data(body.readableBytesView), recordingTo: store, operation: operation)
  }
}

extension JSONDecoder {
  fileprivate static var iso8601: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }
}

/// The failures that were recorded for the first time in the last hours, as JSON for whoever is on
/// call.
///
///     router.addDriftRoute(reading: store)
///
/// `GET /drift?hours=24` returns at most a hundred failures, most frequent first. The response has
/// novel values, which are text of payloads: serve it on an internal port or behind authentication.
public struct Drift: ResponseEncodable, Sendable {
  /// A new failure and its counts in the window.
  public struct Failure: Codable, Sendable {
    public let model: String
    public let path: String
    public let kind: String
    public let expectedType: String?
    public let novelValue: String?
    public let occurrences: Int
    public let digests: Int
    public let firstSeen: Date
    public let lastSeen: Date
    public let firstRelease: String?
  }

  /// The beginning of the window.
  public let since: Date

  /// The failures, most frequent first.
  public let failures: [Failure]

  /// Whether there are more failures than the response has.
  public let isTruncated: Bool

  /// Why errors of the window may be missing, as the reasons of the store's losses.
  public let losses: [String]

  /// Reads the failures that are new since a moment.
  public init(reading reader: DigestReader, since: Date, limit: Int = 100) throws {
    let filter = DigestFilter(since: since)
    // One more than is returned, to know whether there are more.
    let rows = try reader.newFailures(matching: filter, limit: limit + 1)
    self.since = since
    isTruncated = rows.count > limit
    // Evicted digests stay counted.
    losses = Set(try reader.losses(matching: filter).map(\.reason)).subtracting([.evicted])
      .map(\.rawValue).sorted()
    failures = rows.prefix(limit).map { row in
      Failure(
        model: row.model, path: row.codingPath, kind: row.kind.rawValue,
        expectedType: row.expectedType, novelValue: row.novelValue, occurrences: row.occurrences,
        digests: row.digests, firstSeen: row.firstSeen, lastSeen: row.lastSeen,
        firstRelease: row.firstRelease)
    }
  }
}

extension RouterMethods {
  /// Adds a route that returns the ``Drift`` of a store.
  @discardableResult
  public func addDriftRoute(
    _ path: RouterPath = "drift", reading reader: DigestReader,
    now: @escaping @Sendable () -> Date = { Date() }
  ) -> Self {
    get(path) { request, _ -> Drift in
      let hours = try request.uri.queryParameters["hours"].map { text in
        guard let hours = Int(text), 1...8_760 ~= hours else {
          throw HTTPError(.badRequest, message: "hours must be from 1 to 8760.")
        }
        return hours
      }
      let since = now().addingTimeInterval(-3_600 * Double(hours ?? 24))
      return try await reader.perform { try Drift(reading: reader, since: since) }
    }
  }
}
