import Foundation

/// A digest of a test, as a line of NDJSON.
///
/// The id `d-1` stands for the first digest of ``Drift/store``, in a line, as an argument, and in
/// what the tool prints: ``Sandbox`` replaces it.
struct Digest: Encodable {
  var id: String?
  var recordedAt: String
  var model: String
  var release: String?
  var environment: String?
  var operation: String?
  var errors: [Failure]

  /// A digest of one novel value, or of these failures.
  init(
    _ id: String? = nil,
    novelValue: String = "villa",
    at path: String = "kind",
    model: String = "App.Listing",
    release: String? = nil,
    recordedAt: String = "2026-11-20T10:00:00.000Z",
    environment: String? = nil,
    operation: String? = nil,
    count: Int? = nil,
    failures: [Failure]? = nil
  ) {
    (self.id, self.recordedAt, self.model, self.release) = (id, recordedAt, model, release)
    (self.environment, self.operation) = (environment, operation)
    errors = failures ?? [.novel(novelValue, at: path, count: count)]
  }

  struct Failure: Encodable {
    var path: String
    var pattern: String?
    var kind: String
    var novelValue: String?
    var novelValueType: String?
    var expectedType: String?
    var foundType: String?
    var foundValue: String?
    var count: Int?

    static func novel(
      _ value: String = "villa", at path: String = "kind", type: String? = "String",
      expected: String? = nil, found: (type: String, value: String?)? = nil, count: Int? = nil
    ) -> Self {
      var failure = error("unknownNovelValue", at: path, expected: expected, found: found)
      (failure.novelValue, failure.novelValueType, failure.count) = (value, type, count)
      return failure
    }

    static func error(
      _ kind: String, at path: String = "kind", expected: String? = nil,
      found: (type: String, value: String?)? = nil, count: Int? = nil
    ) -> Self {
      Self(
        path: path, kind: kind, expectedType: expected, foundType: found?.type,
        foundValue: found?.value, count: count)
    }
  }

  var line: String {
    var digest = self
    digest.id = id.map { Self.storedID($0, recordedAt) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: (try? encoder.encode(digest)) ?? Data(), as: UTF8.self) + "\n"
  }

  /// A line that counts decodes without errors in an hour.
  static func decodes(
    _ count: Int, of model: String = "App.Listing", at hour: String = "2026-11-20T10:00:00Z",
    release: String? = nil, environment: String? = nil, operation: String? = nil
  ) -> String {
    let context = [
      ("release", release), ("environment", environment), ("operation", operation),
    ].map { name, value in
      value.map { ",\"\(name)\":\"\($0)\"" } ?? ""
    }
    return #"{"id":"\#(Drift.store)","hour":"\#(hour)","model":"\#(model)""# + context.joined()
      + ",\"decodes\":\(count)}\n"
  }

  /// A digest without errors, from which ages are measured.
  static var newest: Self { Self(model: "App.Newest", recordedAt: time(ago: 0), failures: []) }

  /// The time so many seconds ago.
  static func time(ago seconds: TimeInterval) -> String {
    Date(timeIntervalSinceNow: -seconds).formatted(
      Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  /// The id in an export.
  private static func storedID(_ id: String, _ recordedAt: String) -> String {
    guard let number = id.wholeMatch(of: /d-([0-9]+)/)?.1 else { return id }
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: recordedAt.contains("."))
    let time = try? style.parse(recordedAt)
    return
      "\(Drift.store)-\(number)-\(Int(((time?.timeIntervalSince1970 ?? 0) * 1_000).rounded()))"
  }

  /// NDJSON with the ids that an export has.
  static func withStoredIDs(_ text: String) -> String {
    text.replacing(/"id":"(d-[0-9]+)","recordedAt":"([^"]+)"/) { match in
      let (id, time) = (String(match.output.1), String(match.output.2))
      return #""id":"\#(storedID(id, time))","recordedAt":"\#(time)""#
    }
  }

  /// The text with the ids that tests gave, instead of those in an export.
  static func withGivenIDs(_ text: String) -> String {
    guard text.contains("ddd-") else { return text }
    return text.replacing(/d{32}-([0-9]+)-[0-9]+/) { "d-\($0.output.1)" }
  }
}

extension [Digest] {
  var ndjson: String { map(\.line).joined() }
}
