public import DigestStore
public import Foundation
import ResilientPlatform

extension DigestStore {
  /// The result of an upload.
  public struct UploadSummary: Sendable, Hashable, Codable {
    /// The number of digests that the collector added.
    public internal(set) var added = 0

    /// The number of digests that the collector had already.
    public internal(set) var known = 0

    /// The number of parts that were sent.
    public internal(set) var parts = 0
  }

  /// Sends the digests that a collector does not have yet, and the number of decodes without errors.
  ///
  ///     let summary = try await store.upload(to: URL(string: "https://digests.example.com")!, token: token)
  ///
  /// Sends parts of at most 256 KiB, oldest digests first. A part counts as sent when the collector
  /// has acknowledged it, and the store's file remembers that: an upload that ends early goes on
  /// where it ended, and what is sent twice counts once. Digests that were deleted before they were
  /// sent are counted as a loss, `notSent`, here and in the
  /// collector.
  ///
  /// Lost connections and a collector that is busy are tried again, with pauses that grow to a
  /// minute. Runs no code on the main thread, and blocks no task.
  ///
  /// - Parameters:
  ///   - url: the address of the collector, without the path `v1/digests`: `https`, or `http` for
  ///     this machine.
  ///   - token: the token that the collector accepts; nil if it needs none.
  /// - Returns: what was sent. All digests of the time at which the upload began are among them.
  /// - Throws: ``UploadError`` when the collector does not take a part; `DigestStoreError` when the
  ///   file cannot be read or written; `CancellationError` when the task is cancelled.
  public func upload(to url: URL, token: String? = nil) async throws -> UploadSummary {
    try await upload(to: url, token: token, over: .shared)
  }

  /// Returns the next part of an upload, for a session of your own, such as one in the background.
  ///
  /// Send ``CollectorUpload/request`` with ``CollectorUpload/body``, and hand the answer to
  /// `finish(_:response:data:)`.
  ///
  /// - Parameters:
  ///   - url: the address of the collector, as in `upload(to:token:)`.
  ///   - token: the token that the collector accepts; nil if it needs none.
  /// - Returns: nil if there is nothing to send.
  /// - Throws: ``UploadError`` for an address that is not a collector's; `DigestStoreError` when the
  ///   file cannot be read.
  public func nextUpload(to url: URL, token: String? = nil) throws -> CollectorUpload? {
    let address = try CollectorAddress(url)
    return try nextUploadPart(to: address.text).map {
      CollectorUpload(part: $0, request: address.request(token: token))
    }
  }

  /// Remembers that a part was sent, if the collector has acknowledged it.
  ///
  /// - Parameters:
  ///   - upload: the part.
  ///   - response: the collector's answer.
  ///   - data: the body of the answer.
  /// - Throws: ``UploadError`` when the collector has not taken the part;
  ///   `DigestStoreError` when the file cannot be written.
  @discardableResult
  public func finish(
    _ upload: CollectorUpload, response: URLResponse?, data: Data
  ) throws -> UploadSummary {
    let answer = try CollectorAnswer(response, data, now: Date())
    try finish(upload.part)
    return UploadSummary(added: answer.added, known: answer.known, parts: 1)
  }

  /// Sends all parts.
  package func upload(
    to url: URL, token: String?, over transport: UploadTransport
  ) async throws -> UploadSummary {
    var (summary, retries) = (UploadSummary(), UploadRetries())
    while let upload = try await perform({ try self.nextUpload(to: url, token: token) }) {
      do {
        try Task.checkCancellation()
        let (response, data) = try await transport.send(upload.request, upload.body)
        let part = try await perform {
          try self.finish(upload, response: response, data: data)
        }
        summary.added += part.added
        summary.known += part.known
        summary.parts += 1
        retries = UploadRetries()
        if upload.part.isLast { break }
      } catch let error as UploadError {
        guard let pause = retries.pause(after: error) else { throw error }
        try await transport.pause(pause)
      }
    }
    return summary
  }
}

/// A part of an upload, and the request that sends it.
public struct CollectorUpload: Sendable {
  let part: UploadPart

  /// The request, without its body.
  public let request: URLRequest

  /// The body: lines of NDJSON. A background session sends it from a file.
  public var body: Data { part.bytes }

  /// The number of digests in the part.
  public var digests: Int { part.digests }

  /// Whether it is the last part for now.
  public var isLast: Bool { part.isLast }
}
