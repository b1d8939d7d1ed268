import Foundation
import ResilientDecoding

/// A model with every wrapper, in every kind of nest.
struct Catalogue: Decodable {
  @Resilient var name: String?
  @Resilient var tags: [String]
  @Resilient var sizes: [Int]?
  @Resilient var prices: [String: Double]
  @Resilient var stock: [String: UInt8]?
  @Resilient var kind: Kind
  @Resilient var side: Side?
  @Resilient var kinds: [Kind]
  @Resilient var sides: [String: Side]
  @Resilient var table: [[Int?]]
  @Resilient var shelves: [Int: [Item]]
  @Resilient var numbers: Set<Int>
  @Resilient var link: URL?
  @Resilient var day: Date?
  @Resilient var node: Node?
  @Resilient var boxes: [Box<[String: Box<Node>]>]
  let rows: Resilient<[Resilient<[Item]>]>?
  @ResilientDefault<Untitled> var title: String
  @ResilientDefault<DefaultValue.EmptyArray<Item>?> var items: [Item]?
  @ResilientElements<Untitled> var titles: [String]
  @ResilientLossless var weight: Double?
  @ResilientLossless var codes: [String]
  @ResilientLossless var flags: [String: Bool]
  @ResilientLossless @ResilientDefault<DefaultValue.Zero<Int>> var count: Int
  @ResilientLossless @ResilientElements<DefaultValue.Zero<Int>> var counts: [Int]
  @Resilient var open: Open<Kind>?
  @Resilient var openSides: [Open<Side>]
  @Resilient var byKind: [Open<Kind>: Int]
  let either: Either?
}

enum Untitled: DefaultValueProvider {
  static var defaultValue: String { "untitled" }
}

enum Kind: String, ResilientRawRepresentable {
  case flat
  case house

  static var decodingFallback: Self { .flat }
}

enum Side: Int, ResilientRawRepresentable {
  case left
  case right

  static var isFrozen: Bool { true }
}

struct Item: Decodable {
  let id: Int
  @Resilient var kind: Kind?
  @Resilient var parts: [String: Item]
}

/// A model that holds itself.
final class Node: Decodable {
  @Resilient var children: [Node]
  @Resilient var byName: [String: Node]?
  @Resilient var next: Node?
  let id: Int
}

struct Box<Value: Decodable>: Decodable {
  @Resilient var value: Value?
  @Resilient var values: [Value]
}

/// Tries one form after another.
enum Either: Decodable {
  case item(Item)
  case node(Node)

  init(from decoder: any Decoder) throws {
    do {
      self = .item(try decoder.withReportingCheckpoint { try Item(from: decoder) })
    } catch {
      self = .node(try Node(from: decoder))
    }
  }
}
