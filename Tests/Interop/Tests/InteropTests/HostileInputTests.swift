import ResilientDecoding
import Synchronization
import Testing

/// Input that makes a container be decoded again and again in a library that retries.
struct HostileInputTests {
  private static let depth = 40

  @Test(arguments: Way.all)
  func `each value of a deep array is decoded once`(way: Way) throws {
    let document = Document(nested(#"{"x": 0}"#) { #"{"children": [\#($0)]}"# })
    let expected = Attempts(count: Self.depth + 1, paths: paths(of: "children[0]", way))
    #expect(attempts(at: ArrayNode.self, from: document, way) == expected)
  }

  @Test(arguments: Way.all)
  func `each value of a deep dictionary is decoded once`(way: Way) throws {
    let document = Document(nested(#"{"x": 0}"#) { #"{"children": {"a": \#($0)}}"# })
    let expected = Attempts(count: Self.depth + 1, paths: paths(of: "children.a", way))
    #expect(attempts(at: DictionaryNode.self, from: document, way) == expected)
  }

  private func nested(_ leaf: String, _ wrap: (String) -> String) -> String {
    (0..<Self.depth).reduce(leaf) { inner, _ in wrap(inner) }
  }

  /// The paths of the missing keys: what is deepest comes first, and last that of the document,
  /// whose error is thrown.
  private func paths(of step: String, _ way: Way) -> [String] {
    let thrown = way.reporting == .collectErrors ? 0 : 1
    return (thrown...Self.depth).reversed().map { level in
      (Array(repeating: step, count: level) + ["id"]).joined(separator: ".")
    }
  }

  private func attempts<T: Decodable>(
    at type: T.Type,
    from document: Document,
    _ way: Way
  ) -> Attempts {
    let counter = Counter()
    let (_, entries) = way.decode(type, from: document, userInfo: [.counter: counter])
    return Attempts(count: counter.count, paths: entries.map(\.codingPath.description))
  }
}

private struct Attempts: Equatable {
  let count: Int
  let paths: [String]
}

private final class Counter: Sendable {
  private let value = Mutex(0)

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

private struct TooOften: Error {}

extension Decoder {
  /// Counts an attempt, and gives what it is to decode.
  fileprivate func countedContainer() throws -> KeyedDecodingContainer<NodeKeys> {
    let counter = userInfo[.counter] as? Counter
    counter?.increment()
    // Or else a library that tries again at each level would make this test run for ever.
    guard counter?.count ?? 0 < 10_000 else { throw TooOften() }
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
