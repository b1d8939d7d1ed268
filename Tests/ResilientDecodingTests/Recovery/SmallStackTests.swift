import Foundation
import ResilientDecoding
import ResilientDocuments
import ResilientPlatform
import Testing

/// Recursive models on threads with little stack, with payloads as deep as `JSONDecoder` parses.
struct SmallStackTests {
  /// A model, how its values are nested, and the path of a level in another one.
  struct Model: CustomTestStringConvertible {
    let name: String
    let level: String
    let step: String
    let decode: @Sendable (JSONDecoder, Data) throws -> (levels: Int, ErrorDigest?)

    var testDescription: String { name }

    init<T: Tree & SendableMetatype>(_ type: T.Type, _ level: String, step: String) {
      name = "\(type)"
      self.level = level
      self.step = step
      decode = { decoder, data in
        let (value, digest) = try decoder.decode(
          type, from: data, reportResilientDecodingErrors: true)
        return (value.levels, digest)
      }
    }

    /// A payload with as many levels as fit in a nesting of arrays and objects.
    func payload(nesting: Int, last: String = "{}") -> String {
      let levels = nesting / level.filter { "[{".contains($0) }.count - 1
      let parts = level.split(separator: "…", omittingEmptySubsequences: false)
      return String(repeating: String(parts[0]), count: levels) + last
        + String(repeating: String(parts[1]), count: levels)
    }
  }

  static let models: [Model] = [
    Model(ArrayTree.self, #"{"c": […]}"#, step: "c[0]"),
    Model(OptionalArrayTree.self, #"{"c": […]}"#, step: "c[0]"),
    Model(SetTree.self, #"{"c": […]}"#, step: "c[0]"),
    Model(RowTree.self, #"{"c": [[…]]}"#, step: "c[0][0]"),
    Model(DictionaryTree.self, #"{"c": {"a": …}}"#, step: "c.a"),
    Model(KeyedTree.self, #"{"c": {"flat": …}}"#, step: "c.flat"),
    Model(ClassTree.self, #"{"c": …}"#, step: "c"),
    Model(DefaultTree.self, #"{"c": […]}"#, step: "c[0]"),
    Model(ElementsTree.self, #"{"c": […]}"#, step: "c[0]"),
    Model(LosslessTree.self, #"{"c": […]}"#, step: "c[0]"),
    Model(UnionTree.self, #"{"type": "node", "c": […]}"#, step: "c[0]"),
    Model(GenericTree.self, #"{"c": […]}"#, step: "c[0]"),
    Model(WrapperTree.self, #"{"c": […]}"#, step: "c[0]"),
  ]

  /// A stack, and how deeply `JSONDecoder` parses with it.
  static let stacks = [(kilobytes: 512, nesting: 512), (kilobytes: 128, nesting: 256)]

  @Test(arguments: models, stacks)
  func `a value that is nested too deeply is recovered and reported`(
    model: Model, stack: (kilobytes: Int, nesting: Int)
  ) throws {
    for reportsKeys in [false, true] {
      let data = Data(model.payload(nesting: stack.nesting).utf8)
      let (levels, digest) = try withStack(ofKilobytes: stack.kilobytes) {
        let decoder = JSONDecoder()
        if reportsKeys { decoder.userInfo[.reportsUnknownKeys] = true }
        return try model.decode(decoder, data)
      }
      let entries = digest?.entries.filter { $0.kind != .unknownKey } ?? []
      #expect(entries.count <= 1)
      #expect(levels > (reportsKeys ? stack.kilobytes / 64 : stack.kilobytes / 32))
      for entry in entries {
        #expect(entry.kind == .dataCorrupted)
        #expect(entry.message.contains("nested too deeply"))
        let path = Array(repeating: model.step, count: levels - 1).map { $0 + "." }.joined() + "c"
        #expect(entry.codingPath.description.hasPrefix(path))
      }
    }
  }

  /// The innermost level fails, and so is searched and reported with the stack that is left.
  @Test(arguments: models, stacks)
  func `deep errors are reported`(model: Model, stack: (kilobytes: Int, nesting: Int)) throws {
    for last in [#"{"c": 7}"#, #"{"at": "bad"}"#, "null"] {
      for nesting in stride(from: 32, through: stack.nesting, by: 24) {
        let data = Data(model.payload(nesting: nesting, last: last).utf8)
        let digest = try withStack(ofKilobytes: stack.kilobytes) {
          try model.decode(JSONDecoder(), data).1
        }
        #expect(digest?.entries.count ?? 0 <= 1)
        #expect(
          digest?.entries.allSatisfy {
            $0.message.contains("nested too deeply") || $0.foundValue?.text == "7"
              || $0.codingPath.description.hasSuffix(".at")
          } != false || last == "null")
      }
    }
  }
}

/// The other ways through the library.
extension SmallStackTests {
  @Test(arguments: stacks, [#"{"c": […]}"#, #"{"c": …}"#, "[…]"])
  func `documents and paths in them end with an error`(
    stack: (kilobytes: Int, nesting: Int), level: String
  ) throws {
    let model = Model(ArrayTree.self, level, step: "")
    for nesting in stride(from: 24, through: stack.nesting, by: 61) {
      let data = Data(model.payload(nesting: nesting, last: "1").utf8)
      let outcome = try withStack(ofKilobytes: stack.kilobytes) {
        do {
          let document = try JSONDecoder().decode(DecodableDocument.self, from: data)
          return String(describing: (try? document.decode(PathTree.self)) != nil)
        } catch DecodingError.dataCorrupted(let context) {
          return context.debugDescription
        }
      }
      #expect(["true", "false"].contains(outcome) || outcome.contains("nested too deeply"))
    }
  }

  @Test(arguments: stacks)
  func `a deep value at a key path ends with an error`(
    stack: (kilobytes: Int, nesting: Int)
  ) throws {
    let model = Model(ArrayTree.self, #"{"c": […]}"#, step: "")
    let data = Data(model.payload(nesting: stack.nesting, last: #"{"c": []}"#).utf8)
    let message = try withStack(ofKilobytes: stack.kilobytes) {
      do {
        _ = try JSONDecoder().decode(PathTree.self, from: data)
        return "decoded"
      } catch let error as DecodingPathError {
        return error.description
      }
    }
    #expect(message == "decoded" || message.contains("nested too deeply"))
  }

  @Test(arguments: stacks)
  func `encoding a deep value ends with an error`(stack: (kilobytes: Int, nesting: Int)) throws {
    let messages = try withStack(ofKilobytes: stack.kilobytes) {
      var (array, child) = (EncodedTree(), EncodedChild())
      for _ in 0..<2 * stack.kilobytes {
        array = EncodedTree(c: [array])
        child = EncodedChild(c: child)
      }
      return [try message(of: array), try message(of: child)]
    }
    #expect(messages.allSatisfy { $0.contains("nested too deeply") })
  }
}

private func message<Value: Encodable>(of value: Value) throws -> String {
  do {
    return "encoded \(try JSONEncoder().encode(value).count) bytes"
  } catch EncodingError.invalidValue(_, let context) {
    return context.debugDescription
  }
}

private struct PathTree: Decodable {
  let c: [PathTree]

  init(from decoder: any Decoder) throws {
    let children: [PathTree] = try decoder => "c"
    c = children
  }
}

private struct EncodedTree: Codable {
  @Resilient var c: [EncodedTree] = []
}

private final class EncodedChild: Codable {
  @Resilient var c: EncodedChild?
  init(c: EncodedChild? = nil) { self.c = c }
}

/// A recursive model.
protocol Tree: Decodable {
  var children: [Self] { get }
}

extension Tree {
  /// The number of levels along the first children.
  var levels: Int {
    var (levels, tree) = (1, self)
    while let child = tree.children.first { (levels, tree) = (levels + 1, child) }
    return levels
  }
}

struct ArrayTree: Tree {
  @Resilient var c: [ArrayTree]
  let at: Date?
  var children: [Self] { c }
}

struct OptionalArrayTree: Tree {
  @Resilient var c: [OptionalArrayTree]?
  let at: Date?
  var children: [Self] { c ?? [] }
}

struct SetTree: Tree, Hashable {
  @Resilient var c: Set<SetTree>
  let at: Date?
  var children: [Self] { Array(c) }
}

struct RowTree: Tree {
  @Resilient var c: [[RowTree]]
  let at: Date?
  var children: [Self] { c.flatMap { $0 } }
}

struct DictionaryTree: Tree {
  @Resilient var c: [String: DictionaryTree]
  let at: Date?
  var children: [Self] { Array(c.values) }
}

struct KeyedTree: Tree {
  @Resilient var c: [Open<Kind>: KeyedTree]
  let at: Date?
  var children: [Self] { Array(c.values) }
}

final class ClassTree: Tree {
  @Resilient var c: ClassTree?
  let at: Date?
  var children: [ClassTree] { c.map { [$0] } ?? [] }
}

struct DefaultTree: Tree {
  enum None: DefaultValueProvider { static var defaultValue: [DefaultTree] { [] } }
  @ResilientDefault<None> var c: [DefaultTree]
  let at: Date?
  var children: [Self] { c }
}

struct ElementsTree: Tree {
  enum Nobody: DefaultValueProvider { static var defaultValue: ElementsTree? { nil } }
  @ResilientElements<Nobody> var c: [ElementsTree?]
  let at: Date?
  var children: [Self] { c.compactMap { $0 } }
}

struct LosslessTree: Tree {
  @ResilientLossless var c: [LosslessTree]
  let at: Date?
  var children: [Self] { c }
}

enum UnionTree: Tree {
  struct Node: Decodable {
    @Resilient var c: [UnionTree]
    let at: Date?
  }

  enum NodeType: String, ResilientRawRepresentable { case node }

  private enum CodingKeys: CodingKey { case type }

  case node(Node)
  case other(String)

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard container.contains(.type) else {
      self = .node(try Node(from: decoder))
      return
    }
    switch try container.decode(Open<NodeType>.self, forKey: .type) {
    case .known(.node): self = .node(try Node(from: decoder))
    case .unknown(let name): self = .other(name)
    }
  }

  var children: [Self] { if case .node(let node) = self { node.c } else { [] } }
}

/// A generic model, whose recovery is chosen at run time.
struct GenericTree: Tree {
  struct Box<Value: Decodable>: Decodable { @Resilient var c: Value }
  let box: Box<[GenericTree]>
  init(from decoder: any Decoder) throws { box = try Box(from: decoder) }
  var children: [Self] { box.c }
}

/// A wrapper as the element of a plain array.
struct WrapperTree: Tree {
  let c: [Resilient<WrapperTree?>]?
  let at: Date?
  var children: [Self] { c?.compactMap(\.wrappedValue) ?? [] }
}
