import Foundation

@testable import ResilientDecoding

/// Decodes that report keys, and their digests as lines.
enum KeyReport {
  /// Decodes a document with a reporter in charge.
  static func decode<T: Decodable>(
    _ type: T.Type, _ json: String, _ keys: ReportedKeys, as format: Format = .json
  ) throws -> (T, ErrorDigest?) {
    let reporter = ResilientDecodingErrorReporter()
    reporter.reportedKeys = keys
    let value = try reporter.collectErrors {
      try format.decode(DocumentRoot<T>.self, from: json, userInfo: [:]).value
    }
    return (value, reporter.flushReportedErrors())
  }

  static func lines(_ digest: ErrorDigest?) -> [String] {
    digest?.entries.map { entry in
      let found = entry.foundValue.map { " \($0.inWords)" } ?? ""
      let expected = entry.expectedType.map { " \($0)" } ?? ""
      return "\(entry.codingPath) \(entry.kind.rawValue)\(expected)\(found)"
    } ?? []
  }

  struct Listing: Decodable {
    let id: Int
    @Resilient var name: String?
    @Resilient var tags: [String]
    @Resilient var owner: Owner?
    @Resilient var rooms: [Room]
    @Resilient var prices: [String: Int]
    let date: Date?
    let urls: [URL]?
    let plain: [String: Room]?

    struct Owner: Decodable {
      let login: String
    }

    struct Room: Decodable {
      @Resilient var size: Int?
    }
  }
}
