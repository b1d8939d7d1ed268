import Foundation
import ResilientDecoding
import Testing

/// Decoders walk a dictionary in a random order; digests are sorted.
struct ErrorDigestCollectorDictionaryOrderTests {
  private static let keys = ["b", "k", "c", "z", "a", "y", "m", "10", "2", "x.y", ""]
  private static let sortedKeys = [
    "[\"\"]", "10", "2", "a", "b", "c", "k", "m", "[\"x.y\"]", "y", "z",
  ]

  /// A path below another one: no dot precedes a key in brackets.
  private static func join(_ path: String, _ key: String) -> String {
    key.hasPrefix("[") ? path + key : "\(path).\(key)"
  }

  private static func object(_ keys: [String], of value: String) -> String {
    "{" + keys.map { "\"\($0)\": \(value)" }.joined(separator: ", ") + "}"
  }

  @Test(arguments: Format.allCases)
  func `entries of a dictionary are sorted by key`(format: Format) throws {
    var orders: Set<[String]> = []
    for _ in 0..<30 {
      let (_, digest) = try format.decode(
        GenericModel<[String: Int]>.self,
        from: #"{"p": \#(Self.object(Self.keys, of: "true"))}"#
      )
      orders.insert(digest?.paths ?? [])
    }
    #expect(orders == [Self.sortedKeys.map { Self.join("p", $0) }])
  }

  @Test(arguments: Format.allCases)
  func `a dictionary key named super is an ordinary key`(format: Format) throws {
    let keys = ["z", "super", "a", "t", "b", "r", "y"]
    var orders: Set<[String]> = []
    for _ in 0..<30 {
      let (_, digest) = try format.decode(
        GenericModel<[String: Int]>.self,
        from: #"{"p": \#(Self.object(keys, of: "true"))}"#
      )
      orders.insert(digest?.paths ?? [])
    }
    #expect(orders == [keys.sorted().map { "p.\($0)" }])
  }

  @Test func `a key strategy does not change it`() throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    var orders: Set<[String]> = []
    for _ in 0..<30 {
      let (_, digest) = try decoder.decode(
        GenericModel<[String: Int]>.self,
        from: Data(#"{"p": \#(Self.object(Self.keys, of: "true"))}"#.utf8),
        reportResilientDecodingErrors: true
      )
      orders.insert(digest?.paths ?? [])
    }
    #expect(orders == [Self.sortedKeys.map { Self.join("p", $0) }])
  }

  @Test(arguments: Format.allCases)
  func `errors of nested dictionaries are sorted by all their keys`(format: Format) throws {
    let inner = Self.object(["d", "a", "c"], of: "true")
    let shelf = #"{"books": \#(inner), "count": "x"}"#
    let json =
      #"{"before": "x", "rooms": {"r2": \#(shelf), "r3": 5, "r1": \#(shelf)}, "after": "x"}"#
    var orders: Set<[String]> = []
    for _ in 0..<30 {
      let (_, digest) = try format.decode(House.self, from: json)
      orders.insert(digest?.paths ?? [])
    }
    #expect(
      orders == [
        [
          "before",
          "rooms.r1.count", "rooms.r1.books.a", "rooms.r1.books.c", "rooms.r1.books.d",
          "rooms.r2.count", "rooms.r2.books.a", "rooms.r2.books.c", "rooms.r2.books.d",
          "rooms.r3",
          "after",
        ]
      ]
    )
  }

  @Test(arguments: Format.allCases)
  func `errors below a plain dictionary are sorted too`(format: Format) throws {
    let shelf = #"{"books": {"b": "x", "a": "x"}, "count": "x"}"#
    let json = #"{"rooms": \#(Self.object(["r3", "r1", "r2"], of: shelf))}"#
    var orders: Set<[String]> = []
    for _ in 0..<30 {
      let (_, digest) = try format.decode(PlainHouse.self, from: json)
      orders.insert(digest?.paths ?? [])
    }
    #expect(
      orders == [
        ["r1", "r2", "r3"].flatMap {
          ["rooms.\($0).count", "rooms.\($0).books.a", "rooms.\($0).books.b"]
        }
      ]
    )
  }

  @Test(arguments: Format.allCases)
  func `errors of dictionaries in an array keep the array's order`(format: Format) throws {
    let inner = Self.object(["d", "a", "c"], of: "true")
    let json = #"{"p": [{"p": \#(inner)}, 5, {"p": \#(inner)}]}"#
    var orders: Set<[String]> = []
    for _ in 0..<30 {
      let (_, digest) = try format.decode(Shelves.self, from: json)
      orders.insert(digest?.paths ?? [])
    }
    #expect(
      orders == [
        [
          "p[0].p.a", "p[0].p.c", "p[0].p.d", "p[1]", "p[2].p.a", "p[2].p.c", "p[2].p.d",
        ]
      ]
    )
  }
}

private struct Shelf: Decodable {
  @Resilient var count: Int?
  @Resilient var books: [String: Int]
}

private struct House: Decodable {
  @Resilient var before: Int?
  @Resilient var rooms: [String: Shelf]
  @Resilient var after: Int?
}

private struct PlainHouse: Decodable {
  let rooms: [String: Shelf]
}

private struct Shelves: Decodable {
  @Resilient var p: [Books]

  struct Books: Decodable {
    @Resilient var p: [String: Int]
  }
}
