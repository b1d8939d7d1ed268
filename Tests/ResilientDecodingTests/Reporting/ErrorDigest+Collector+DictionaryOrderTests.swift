import Foundation
import ResilientDecoding
import Testing

/// Decoders walk a dictionary in a random order; digests are sorted.
struct ErrorDigestCollectorDictionaryOrderTests {
  /// JSON with and without a key strategy, and property lists.
  static let formats: [Format?] = Format.allCases + [nil]

  /// The orders of the paths in many decodes; without a format, of JSON whose keys are converted.
  private func orders<T: Decodable>(
    _ type: T.Type, _ json: String, in format: Format?
  ) throws -> Set<[String]> {
    try Set(
      (0..<30).map { _ in
        let digest =
          try format.map { try $0.decode(type, from: json).1 }
          ?? JSONDecoder.snakeCase.decodeReporting(type, json).1
        return digest?.paths ?? []
      })
  }

  private static func object(_ keys: [String], of value: String) -> String {
    "{" + keys.map { "\"\($0)\": \(value)" }.joined(separator: ", ") + "}"
  }

  @Test(arguments: formats)
  func `entries of a dictionary are sorted by key`(format: Format?) throws {
    // Under a key strategy, `super` is the key of a superclass.
    let keys =
      ["b", "k", "c", "z", "a", "y", "m", "10", "2", "x.y", ""] + (format == nil ? [] : ["super"])
    let sorted = [#"[""]"#, ".10", ".2", ".a", ".b", ".c", ".k", ".m", ".super", #"["x.y"]"#, ".y"]
    let orders = try orders(
      GenericModel<[String: Int]>.self, #"{"p": \#(Self.object(keys, of: "true"))}"#, in: format)
    let paths = (sorted + [".z"]).filter { format != nil || $0 != ".super" }
    #expect(orders == [paths.map { "p\($0)" }])
  }

  @Test(arguments: formats)
  func `errors of nested dictionaries are sorted by all their keys`(format: Format?) throws {
    let inner = Self.object(["d", "a", "c"], of: "true")
    let shelf = #"{"books": \#(inner), "count": "x"}"#
    let json =
      #"{"before": "x", "rooms": {"r2": \#(shelf), "r3": 5, "r1": \#(shelf)}, "after": "x"}"#
    #expect(
      try orders(House.self, json, in: format) == [
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

  @Test(arguments: formats)
  func `errors below a plain dictionary are sorted too`(format: Format?) throws {
    let shelf = #"{"books": {"b": "x", "a": "x"}, "count": "x"}"#
    let json = #"{"rooms": \#(Self.object(["r3", "r1", "r2"], of: shelf))}"#
    let paths = ["r1", "r2", "r3"].flatMap {
      ["rooms.\($0).count", "rooms.\($0).books.a", "rooms.\($0).books.b"]
    }
    #expect(try orders(PlainHouse.self, json, in: format) == [paths])
  }

  @Test(arguments: formats)
  func `errors of dictionaries in an array keep the array's order`(format: Format?) throws {
    let books = #"{"books": \#(Self.object(["d", "a", "c"], of: "true"))}"#
    #expect(
      try orders(GenericModel<[Shelf]>.self, #"{"p": [\#(books), 5, \#(books)]}"#, in: format) == [
        [
          "p[0].books.a", "p[0].books.c", "p[0].books.d", "p[1]", "p[2].books.a", "p[2].books.c",
          "p[2].books.d",
        ]
      ])
  }
}

private struct Shelf: Decodable, Equatable {
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
