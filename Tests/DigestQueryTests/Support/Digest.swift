import Foundation

/// A digest of a test, as a line of NDJSON.
struct Digest {
  var id: String?
  var recordedAt: String
  var model: String
  var release: String?
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
    var message: String?
    var foundType: String?
    var foundValue: String?
    var count: Int?
  }

  var line: String {
    get throws {
      let object = Self.object([
        "id": id, "recordedAt": recordedAt, "model": model, "release": release,
        "failures": failures.map { failure in
          Self.object([
            "path": failure.path, "pattern": failure.pattern, "kind": failure.kind,
            "novelValue": failure.novelValue, "novelValueType": failure.novelValueType,
            "expectedType": failure.expectedType, "message": failure.message,
            "foundType": failure.foundType, "foundValue": failure.foundValue,
            "count": failure.count,
          ])
        },
      ])
      let data = try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
      return String(decoding: data, as: UTF8.self) + "\n"
    }
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
