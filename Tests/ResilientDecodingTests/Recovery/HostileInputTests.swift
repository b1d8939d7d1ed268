import Foundation
import ResilientDecoding
import Testing

/// Input that takes exponential time in a library that retries containers.
struct HostileInputTests {
  private static let depth = 30

  /// How an object is nested in another one, and the path of the inner one.
  static let ways: [(step: String, wrap: @Sendable (String) -> String)] = [
    ("array[0]", { #"{"array": [\#($0)]}"# }),
    ("dictionary.a", { #"{"dictionary": {"a": \#($0)}}"# }),
    ("optional", { #"{"optional": \#($0)}"# }),
    ("generic[0]", { #"{"generic": [\#($0)]}"# }),
    ("rows[0][0]", { #"{"rows": [[\#($0)]]}"# }),
    ("lists.a[0]", { #"{"lists": {"a": [\#($0)]}}"# }),
    ("maybes[0]", { #"{"maybes": [\#($0)]}"# }),
    ("byNumber.1", { #"{"byNumber": {"1": \#($0)}}"# }),
    ("lossless[0][0]", { #"{"lossless": [[\#($0)]]}"# }),
    ("replaced[0]", { #"{"replaced": [\#($0)]}"# }),
    ("fallback[0]", { #"{"fallback": [\#($0)]}"# }),
  ]

  @Test(.needsLargeStack, arguments: ways.indices)
  func `each value of deep collections is decoded once`(index: Int) throws {
    let (step, wrap) = Self.ways[index]
    let json = (0..<Self.depth).reduce("{}") { json, _ in wrap(json) }
    // The deepest error comes first.
    let paths = (1...Self.depth).reversed().map { level in
      (Array(repeating: step, count: level) + ["id"]).joined(separator: ".")
    }
    for format in Format.allCases {
      let (attempts, digest) = try decode(Nest.self, from: json, in: format)
      #expect(attempts == Self.depth + 1)
      #expect(digest?.paths == paths)
    }
    let (attempts, digest) = try decode(Foreignly<Nest>.self, from: json, in: .json)
    #expect(attempts == Self.depth + 1)
    #expect(digest?.paths == paths)
  }

  @Test(.needsLargeStack, arguments: Format.allCases)
  func `each element of a wide array is decoded once`(format: Format) throws {
    let elements = Array(repeating: "{}", count: 500).joined(separator: ",")
    let (attempts, digest) = try decode(Nest.self, from: #"{"array": [\#(elements)]}"#, in: format)
    #expect(attempts == 501)
    #expect(digest?.paths == (0..<500).map { "array[\($0)].id" })
  }

  @Test func `keys and strings can have any length`() throws {
    let long = String(repeating: "k", count: 100_000)
    let (model, digest) = try Format.json.decode(
      GenericModel<[String: [Int]]>.self, from: #"{"p": {"\#(long)": ["\#(long)", 1]}}"#)
    #expect(model.p == [long: [1]])
    #expect(digest?.paths == ["p.\(long)[0]"])
    #expect(digest?.entries.first?.foundValue?.text?.count == 1_001)
  }

  @Test func `the decoder chooses between duplicate keys as without the wrapper`() throws {
    let json = #"{"p": {"a": [1], "a": [2]}}"#
    let plain = try JSONDecoder().decode([String: [String: [Int]]].self, from: Data(json.utf8))
    let (model, digest) = try Format.json.decode(GenericModel<[String: [Int]]>.self, from: json)
    #expect(model.p == plain["p"])
    #expect(digest == nil)
  }

  /// Decodes, expects that the key of the root is missing, and counts the attempts.
  private func decode<T: Decodable>(
    _ type: T.Type, from json: String, in format: Format
  ) throws -> (attempts: Int, ErrorDigest?) {
    let counter = Counter()
    let reporter = ResilientDecodingErrorReporter()
    let error = #expect(throws: DecodingError.self) {
      try format.decode(
        type, from: json,
        userInfo: [
          .resilientDecodingErrorReporter: reporter, .counter: counter,
          .foreign: ForeignDecoder.Log(advancesOnFailure: true),
        ])
    }
    #expect(error.map(nameOfCase) == "keyNotFound")
    return (counter.value, reporter.flushReportedErrors())
  }
}

private enum Blank: DefaultValueProvider {
  static var defaultValue: Nest { Nest() }
}

private enum Blanks: DefaultValueProvider {
  static var defaultValue: [Nest] { [] }
}

private final class Nest: Decodable {
  private enum CodingKeys: CodingKey {
    case array, dictionary, optional, generic, rows, lists, maybes, byNumber, lossless, replaced
    case fallback, id
  }

  init() {}

  init(from decoder: any Decoder) throws {
    try decoder.countAttempt()
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func decodeGeneric<T: Decodable>(_ type: T.Type) throws {
      _ = try container.decode(Resilient<T>.self, forKey: .generic)
    }
    _ = try container.decode(Resilient<[Nest]>.self, forKey: .array)
    _ = try container.decode(Resilient<[String: Nest]>.self, forKey: .dictionary)
    _ = try container.decode(Resilient<Nest?>.self, forKey: .optional)
    try decodeGeneric([Nest].self)
    _ = try container.decode(Resilient<[[Nest]]>.self, forKey: .rows)
    _ = try container.decode(Resilient<[String: [Nest]]>.self, forKey: .lists)
    _ = try container.decode(Resilient<[Nest?]>.self, forKey: .maybes)
    _ = try container.decode(Resilient<[Int: Nest]>.self, forKey: .byNumber)
    _ = try container.decode(ResilientLossless<[[Nest]]>.self, forKey: .lossless)
    _ = try container.decode(ResilientElements<Blank>.self, forKey: .replaced)
    _ = try container.decode(ResilientDefault<Blanks>.self, forKey: .fallback)
    _ = try container.decode(Int.self, forKey: .id)
  }
}
