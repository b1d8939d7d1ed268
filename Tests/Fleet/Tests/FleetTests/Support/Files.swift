import Foundation
import Testing

/// A directory with stores, gone when it is let go of.
final class Files {
  let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  func path(_ name: String) -> String { directory.appendingPathComponent(name).path }

  /// Adds digests to a store, and makes it where there is none.
  func add(_ digests: [Digest], to store: String) throws {
    let lines = digests.map { $0.line + "\n" }.joined()
    let result = try Tool.run("import", "-", "--store", path(store), input: lines)
    try #require(result.status == 0, "\(result.error)")
  }
}

/// A digest for an import.
struct Digest {
  let line: String

  /// One that is like others, and like none of them: as drifting backends send them.
  static func random(
    _ number: Int, of machine: Int, release: String?? = nil,
    using random: inout some RandomNumberGenerator
  ) -> Digest {
    // Over ten days, so that there are days between the first and the last.
    let moment = 1_760_000_000_000 + Int64.random(in: 0..<864_000_000, using: &random)
    let model =
      ["App.Listing", "App.Account", "App.\u{10FFFE}"].randomElement(using: &random) ?? ""
    let some = ["4.1.0", "4.2.0", "4.10.0", nil].randomElement(using: &random) ?? nil
    let failures = (0..<Int.random(in: 1...4, using: &random)).map { _ in
      let value = values.randomElement(using: &random) ?? ""
      return Int.random(in: 0..<3, using: &random) == 0
        ? [
          "path": "items[\(Int.random(in: 0..<9, using: &random))].price", "kind": "typeMismatch",
          "expectedType": "Int", "message": "Expected to decode Int",
        ]
        : [
          "path": "items[\(Int.random(in: 0..<9, using: &random))].kind",
          "kind": "unknownNovelValue", "novelValue": value, "novelValueType": "String",
          "expectedType": "App.Kind\(Int.random(in: 0..<2, using: &random))",
        ]
    }
    var object: [String: Any] = [
      "id": "\(machine)-\(number)", "recordedAt": text(moment), "model": model,
      "failures": failures,
    ]
    object["release"] = release ?? some
    return Digest(object)
  }

  /// What a server, or an array's text, might take for something else.
  private static let values = [
    "villa", "yurt", "a\"b", "a\\b", "{a,b}", "NULL", "", "a\0b", "a\u{10FFFE}0b", "\u{10FFFE}",
    "€ 𝄞 e\u{301}", "a\nb", "'; DROP SCHEMA digests; --", "%s $1", "Ａ",
  ]

  init(_ object: [String: Any]) {
    // An object of texts and arrays of them always becomes JSON.
    let data = (try? JSONSerialization.data(withJSONObject: object, options: .sortedKeys)) ?? Data()
    line = String(decoding: data, as: UTF8.self)
  }

  private static func text(_ milliseconds: Int64) -> String {
    Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
      .formatted(
        .iso8601.year().month().day().timeZone(separator: .omitted)
          .time(includingFractionalSeconds: true).timeSeparator(.colon))
  }
}

/// SplitMix64: the same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}
