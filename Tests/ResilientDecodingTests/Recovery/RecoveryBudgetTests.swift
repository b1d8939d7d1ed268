import Foundation
import ResilientDecoding
import Testing

/// Small payloads with many errors at a great depth.
struct RecoveryBudgetTests {
  private static let count = 1_000

  /// How values nest: what is around a list of bad ones, and the list.
  private static let shapes: [(name: String, open: String, close: String, bad: String)] = [
    ("arrays", #"{"list":["#, "]}", #"{"numbers":[\#(list("true"))]}"#),
    ("dictionaries", #"{"named":{"a":"#, "}}", #"{"numbersByName":{\#(entries("true"))}}"#),
    ("optionals", #"{"one":"#, "}", #"{"maybes":[\#(list(#"{"id":true}"#))]}"#),
    ("objects", #"{"list":["#, "]}", #"{"list":[\#(list(#"{"plain":{"text":1}}"#))]}"#),
    (
      "generic collections", #"{"lists":[["#, "]]}",
      #"{"lists":[[\#(list(#"{"plain":{"text":1}}"#))]]}"#
    ),
    ("converted", #"{"list":["#, "]}", #"{"converted":[\#(list("[]"))]}"#),
    ("replaced", #"{"list":["#, "]}", #"{"replaced":[\#(list("[]"))]}"#),
  ]

  private static func list(_ text: String) -> String {
    Array(repeating: text, count: count).joined(separator: ",")
  }

  private static func entries(_ text: String) -> String {
    (0..<count).map { "\"\($0)\":\(text)" }.joined(separator: ",")
  }

  private static func payload(_ shape: Int, levels: Int) -> String {
    let shape = shapes[shape]
    return String(repeating: shape.open, count: levels) + shape.bad
      + String(repeating: shape.close, count: levels)
  }

  private struct Plain: Decodable { let text: String }

  private struct Tree: Decodable {
    @Resilient var list: [Tree]
    @Resilient var named: [String: Tree]
    @Resilient var one: Box<Tree>?
    @Resilient var lists: [[Tree]]
    @Resilient var maybes: [Number?]
    @Resilient var numbers: [Int]
    @Resilient var numbersByName: [String: Int]
    @ResilientLossless var converted: [Int]
    @ResilientElements<DefaultValue.Zero> var replaced: [Int]
    let plain: Plain?
  }

  private struct Number: Decodable { let id: Int }

  private final class Box<Value: Decodable>: Decodable {
    let value: Value
    init(from decoder: any Decoder) throws { value = try Value(from: decoder) }
  }

  /// Decodes a list of a good tree, the deep one and another good one.
  private static func errors(in payload: String) throws -> (kept: Int, errors: Int) {
    let good = #"{"numbers":[1]}"#
    let (tree, digest) = try JSONDecoder().decodeReporting(
      Tree.self, #"{"list":[\#(good),\#(payload),\#(good)]}"#)
    #expect(tree.list.first?.numbers == [1] && tree.list.last?.numbers == [1])
    return (tree.list.count, digest?.errorCount ?? 0)
  }

  @Test(.needsLargeStack, arguments: shapes.indices)
  func `errors that cost too much are recovered from further out`(shape: Int) throws {
    // As deep as JSONDecoder reads.
    let depth = Self.shapes[shape].open.count { "[{".contains($0) }
    let payload = Self.payload(shape, levels: 480 / depth)
    let first = try Self.errors(in: payload)
    #expect(first.kept == 3)
    // The last one is that of the value further out.
    #expect((2...110).contains(first.errors), "\(Self.shapes[shape].name)")
    #expect(try Self.errors(in: payload) == first, "the budget is one decode's")
  }

  @Test(.needsLargeStack, arguments: shapes.indices)
  func `errors near the root are all recovered from`(shape: Int) throws {
    let errors = try Self.errors(in: Self.payload(shape, levels: 12))
    #expect(errors == (3, Self.count))
  }

  private struct PlainTree: Decodable {
    let list: [PlainTree]?
    @Resilient var numbers: [Int]
  }

  @Test(.needsLargeStack)
  func `where nothing further out recovers, each error is recovered from`() throws {
    let numbers = #"{"numbers":[\#(Self.list("true"))]}"#
    let payload =
      String(repeating: #"{"list":["#, count: 85) + numbers + String(repeating: "]}", count: 85)
    let (_, digest) = try JSONDecoder().decodeReporting(PlainTree.self, payload)
    #expect(digest?.errorCount == Self.count)
  }
}
