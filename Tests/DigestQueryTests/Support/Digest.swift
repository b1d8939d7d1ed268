import Foundation
import ResilientPlatform

@testable import DigestStore

/// A digest of a test, as a line of NDJSON.
///
/// The id `d-1` stands for the first digest of ``Drift/store``, in a line, as an argument, and in
/// what the tool prints: ``Sandbox`` replaces it.
struct Digest {
  var id: String?
  var recordedAt: String
  var model: String
  var release: String?
  var environment: String?
  var operation: String?
  var failures: [Failure]

  /// A digest of one novel value.
  init(
    _ id: String? = nil,
    novelValue: String = "villa",
    at path: String = "kind",
    model: String = "App.Listing",
    recordedAt: String = "2026-11-20T10:00:00.000Z"
  ) {
    self.id = id
    self.recordedAt = recordedAt
    self.model = model
    failures = [Failure(path: path, novelValue: novelValue)]
  }

  struct Failure {
    var path = "kind"
    var pattern: String?
    var kind = "unknownNovelValue"
    var novelValue: String? = "villa"
    var novelValueType: String? = "String"
    var expectedType: String?
    var foundType: String?
    var foundValue: String?
    var count: Int?
  }

  var line: String {
    get throws {
      let object = Self.object([
        "id": id.map(storedID), "recordedAt": recordedAt, "model": model, "release": release,
        "environment": environment, "operation": operation,
        "errors": failures.map { failure in
          Self.object([
            "path": failure.path, "pattern": failure.pattern, "kind": failure.kind,
            "novelValue": failure.novelValue, "novelValueType": failure.novelValueType,
            "expectedType": failure.expectedType, "foundType": failure.foundType,
            "foundValue": failure.foundValue, "count": failure.count,
          ])
        },
      ])
      let data = try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
      return String(decoding: data, as: UTF8.self) + "\n"
    }
  }

  /// The id in an export.
  var exportedID: String? { id.map(storedID) }

  /// The id in an export.
  private func storedID(_ id: String) -> String {
    guard let number = id.wholeMatch(of: /d-([0-9]+)/)?.1 else {
      Self.remember(id)
      return id
    }
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: recordedAt.contains("."))
    let time = try? style.parse(recordedAt)
    let milliseconds = (time?.timeIntervalSince1970 ?? 0) * 1_000
    return "\(Drift.store)-\(number)-\(Int(milliseconds.rounded()))"
  }

  private static let importedIDs = Locked<[String: String]>([:])

  /// Remembers a plain id of another form, of which a store keeps only a number.
  private static func remember(_ id: String) {
    let stored = DigestID(id)
    if stored.source == DigestID.importSource, id.wholeMatch(of: /[A-Za-z0-9 -]+/) != nil {
      importedIDs.withLock { $0["\(stored.number)"] = id }
    }
  }

  /// NDJSON with the ids that an export has.
  static func withStoredIDs(_ text: String) -> String {
    for line in text.components(separatedBy: #""id":""#).dropFirst() {
      remember(String(line.prefix { $0 != "\"" }))
    }
    return text.replacing(/"id":"(d-[0-9]+)","recordedAt":"([^"]+)"/) { match in
      let digest = Digest(String(match.output.1), recordedAt: String(match.output.2))
      return
        #""id":"\#(digest.storedID(String(match.output.1)))","recordedAt":"\#(match.output.2)""#
    }
  }

  /// The text with the ids that tests gave, instead of those in an export.
  static func withGivenIDs(_ text: String) -> String {
    guard text.contains("ddd-") || text.contains("import-") else { return text }
    let ids = importedIDs.withLock { $0 }
    return text.replacing(/d{32}-([0-9]+)-[0-9]+/) { "d-\($0.output.1)" }
      .replacing(/import-([0-9]+)-[0-9]+/) { ids[String($0.output.1)] ?? String($0.output.0) }
  }

  private static func object(_ members: [String: Any?]) -> [String: Any] {
    members.compactMapValues { $0 }
  }
}

extension [Digest] {
  var ndjson: String {
    get throws { try map { try $0.line }.joined() }
  }
}

extension Digest {
  /// A line with a digest without errors, from which ages are measured.
  static var newest: String {
    let time = Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    return #"{"recordedAt":"\#(time)","model":"App.Newest","errors":[]}"# + "\n"
  }
}

extension Sandbox {
  /// Has the tool evict all digests. The newest one, from which ages are measured, is removed
  /// behind its back.
  func evictAll() throws {
    try load(Digest.newest)
    _ = try run("prune", "--max-age", "0s")
    try alter("DELETE FROM digest")
  }
}
