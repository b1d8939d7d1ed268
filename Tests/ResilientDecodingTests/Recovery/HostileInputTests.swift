import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

/// Input that takes exponential time in a library that retries containers.
struct HostileInputTests {
  private static let depth = 40

  @Test(arguments: Format.allCases)
  func `each value of a deep array is decoded once`(format: Format) throws {
    let json = nested { #"{"children": [\#($0)]}"# }
    let (attempts, digest) = try decode(ArrayNode.self, from: json, in: format)
    #expect(attempts == Self.depth + 1)
    #expect(digest?.paths == paths(of: "children[0]"))
  }

  @Test(arguments: Format.allCases)
  func `each value of a deep dictionary is decoded once`(format: Format) throws {
    let json = nested { #"{"children": {"a": \#($0)}}"# }
    let (attempts, digest) = try decode(DictionaryNode.self, from: json, in: format)
    #expect(attempts == Self.depth + 1)
    #expect(digest?.paths == paths(of: "children.a"))
  }

  @Test(arguments: Format.allCases)
  func `each value of a deep optional is decoded once`(format: Format) throws {
    let json = nested { #"{"children": \#($0)}"# }
    let (attempts, digest) = try decode(OptionalNode.self, from: json, in: format)
    #expect(attempts == Self.depth + 1)
    #expect(digest?.paths == paths(of: "children"))
  }

  @Test(arguments: Format.allCases)
  func `each value of a deep generic model is decoded once`(format: Format) throws {
    let json = nested { #"{"children": [\#($0)]}"# }
    let (attempts, digest) = try decode(GenericNode.self, from: json, in: format)
    #expect(attempts == Self.depth + 1)
    #expect(digest?.paths == paths(of: "children[0]"))
  }

  @Test(arguments: Format.allCases)
  func `each element of a wide array is decoded once`(format: Format) throws {
    let json =
      #"{"id": 1, "children": [\#(Array(repeating: "{}", count: 500).joined(separator: ","))]}"#
    let (attempts, digest) = try decode(ArrayNode.self, from: json, in: format)
    #expect(attempts == 501)
    #expect(digest?.paths == (0..<500).map { "children[\($0)].id" })
  }

  /// Returns nested objects without an `id`.
  private func nested(_ wrap: (String) -> String) -> String {
    (0..<Self.depth).reduce("{}") { json, _ in wrap(json) }
  }

  /// The paths of the missing keys, the deepest first.
  private func paths(of step: String) -> [String] {
    (1...Self.depth).reversed().map { level in
      (Array(repeating: step, count: level) + ["id"]).joined(separator: ".")
    }
  }

  /// Decodes, expects a missing key at the root unless it is present, and counts the attempts.
  private func decode<T: Decodable>(
    _ type: T.Type,
    from json: String,
    in format: Format
  ) throws -> (attempts: Int, ErrorDigest?) {
    let counter = Counter()
    let reporter = ResilientDecodingErrorReporter()
    do {
      _ = try format.decode(
        type,
        from: json,
        userInfo: [.resilientDecodingErrorReporter: reporter, .counter: counter]
      )
    } catch DecodingError.keyNotFound(let key, let context) {
      #expect(key.stringValue == "id" && context.codingPath.isEmpty)
    }
    return (counter.count, reporter.flushReportedErrors())
  }
}

private final class Counter: Sendable {
  private let value = Locked(0)

  var count: Int { value.withLock { $0 } }

  func increment() { value.withLock { $0 += 1 } }
}

extension CodingUserInfoKey {
  fileprivate static let counter = CodingUserInfoKey(rawValue: "counter")!  // Never nil.
}

private enum NodeKeys: CodingKey {
  case children
  case id
}

extension Decoder {
  /// Counts an attempt, and returns its options.
  fileprivate func countedContainer() throws -> KeyedDecodingContainer<NodeKeys> {
    let counter = userInfo[.counter] as? Counter
    counter?.increment()
    // Without a limit, a library that retries at each level would make this test run forever.
    guard counter?.count ?? 0 < 10_000 else { throw Mishap(description: "far too often") }
    return try container(keyedBy: NodeKeys.self)
  }
}

private struct ArrayNode: Decodable {
  @Resilient var children: [ArrayNode]
  let id: Int

  init(from decoder: any Decoder) throws {
    let container = try decoder.countedContainer()
    _children = try container.decode(Resilient<[ArrayNode]>.self, forKey: .children)
    id = try container.decode(Int.self, forKey: .id)
  }
}

private struct DictionaryNode: Decodable {
  @Resilient var children: [String: DictionaryNode]
  let id: Int

  init(from decoder: any Decoder) throws {
    let container = try decoder.countedContainer()
    _children = try container.decode(Resilient<[String: DictionaryNode]>.self, forKey: .children)
    id = try container.decode(Int.self, forKey: .id)
  }
}

private final class OptionalNode: Decodable {
  @Resilient var children: OptionalNode?
  let id: Int

  init(from decoder: any Decoder) throws {
    let container = try decoder.countedContainer()
    _children = try container.decode(Resilient<OptionalNode?>.self, forKey: .children)
    id = try container.decode(Int.self, forKey: .id)
  }
}

private struct GenericNode: Decodable {
  let children: [GenericNode]
  let id: Int

  init(from decoder: any Decoder) throws {
    let container = try decoder.countedContainer()
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
      try container.decode(Resilient<T>.self, forKey: .children).wrappedValue
    }
    children = try decode([GenericNode].self)
    id = try container.decode(Int.self, forKey: .id)
  }
}
