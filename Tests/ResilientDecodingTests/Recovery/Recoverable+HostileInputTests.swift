import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

/// Deep input, where a decoder could retry each level.
struct RecoverableHostileInputTests {
  private static let depth = 30

  /// How an object is nested in another one.
  static let ways: [(name: String, wrap: @Sendable (String) -> String)] = [
    ("rows", { #"{"rows": [[\#($0)]]}"# }),
    ("lists", { #"{"lists": {"a": [\#($0)]}}"# }),
    ("maybes", { #"{"maybes": [\#($0)]}"# }),
    ("byNumber", { #"{"byNumber": {"1": \#($0)}}"# }),
    ("lossless", { #"{"lossless": [[\#($0)]]}"# }),
    ("replaced", { #"{"replaced": [\#($0)]}"# }),
    ("fallback", { #"{"fallback": [\#($0)]}"# }),
  ]

  @Test(.needsLargeStack, arguments: ways.indices, [false, true])
  func `each value of deep collections is decoded once`(index: Int, isForeign: Bool) throws {
    let way = Self.ways[index]
    let json = (0..<Self.depth).reduce("{}") { json, _ in way.wrap(json) }
    let counter = Counter()
    let reporter = ResilientDecodingErrorReporter()
    let userInfo: [CodingUserInfoKey: any Sendable] = [
      .resilientDecodingErrorReporter: reporter, .counter: counter,
      .foreign: ForeignDecoder.Log(advancesOnFailure: true),
    ]
    #expect(throws: DecodingError.self) {
      if isForeign {
        _ = try Format.json.decode(Foreignly<Nest>.self, from: json, userInfo: userInfo)
      } else {
        _ = try Format.json.decode(Nest.self, from: json, userInfo: userInfo)
      }
    }
    #expect(counter.value == Self.depth + 1)
    #expect(reporter.flushReportedErrors()?.entries.count == Self.depth)
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
}

private final class Counter: Sendable {
  private let count = Locked(0)

  var value: Int { count.withLock { $0 } }

  func increment() { count.withLock { $0 += 1 } }
}

extension CodingUserInfoKey {
  fileprivate static let counter = CodingUserInfoKey(rawValue: "nested counter")!  // Never nil.
}

private enum Blank: DefaultValueProvider {
  static var defaultValue: Nest { Nest() }
}

private enum Blanks: DefaultValueProvider {
  static var defaultValue: [Nest] { [] }
}

private struct Nest: Decodable {
  private enum CodingKeys: CodingKey {
    case rows, lists, maybes, byNumber, lossless, replaced, fallback, id
  }

  init() {}

  init(from decoder: any Decoder) throws {
    let counter = decoder.userInfo[.counter] as? Counter
    counter?.increment()
    // Without a limit, a library that retries at each level would make this test run forever.
    guard counter?.value ?? 0 < 10_000 else { throw Mishap(description: "far too often") }
    let container = try decoder.container(keyedBy: CodingKeys.self)
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
