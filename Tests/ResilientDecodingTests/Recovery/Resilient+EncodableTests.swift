import Foundation
import ResilientDecoding
import Testing

struct ResilientEncodableTests {
  static let payloads = [
    #"{"id": 1, "name": "a", "tags": ["x"], "sizes": {"s": 1}, "kind": "flat", "price": "1.5"}"#,
    #"{"id": 1, "name": "a", "tags": [1, "x"], "sizes": {"s": 1, "t": "u"}, "kind": "hut"}"#,
    #"{"id": 1, "name": null, "tags": null, "sizes": null, "kind": null, "price": null}"#,
    #"{"id": 1}"#,
    #"{"id": 1, "tags": 5, "sizes": 5, "kind": 5, "price": true, "stock": "7", "counts": [1, "b"]}"#,
    #"{"id": 1, "stock": "x", "counts": ["2", {}], "nested": {"id": 2, "tags": [false]}}"#,
  ]

  @Test(arguments: payloads, Format.allCases)
  func `a model encodes as one with plain properties`(payload: String, format: Format) throws {
    let (model, _) = try format.decode(Wrapped.self, from: payload)
    #expect(try normalized(format.encode(model)) == normalized(format.encode(model.plain)))
  }

  @Test(arguments: payloads, Format.allCases)
  func `what was decoded survives another encoding and decoding`(
    payload: String, format: Format
  ) throws {
    let (model, _) = try format.decode(Wrapped.self, from: payload)
    let again = try format.decode(Wrapped.self, from: try format.encode(model))
    #expect(again == model)
  }

  @Test func `an optional that is nil has no key, and what was left out stays so`() throws {
    let (model, _) = try Format.json.decode(
      Wrapped.self, from: #"{"id": 1, "kind": "hut", "tags": [1, "x"], "counts": ["x"]}"#)
    let json = String(decoding: try Format.json.encode(model), as: UTF8.self)
    #expect(json == #"{"counts":[0],"id":1,"name":"","sizes":{},"stock":0,"tags":["x"]}"#)
  }

  @Test func `the strategies of the encoder apply`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.dateEncodingStrategy = .iso8601
    encoder.dataEncodingStrategy = .custom { data, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(data.count)
    }
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "+", negativeInfinity: "-", nan: "?")
    let model = Strategic(
      madeAt: Date(timeIntervalSince1970: 0), bytes: Data([1, 2]), byCamelCase: ["aB": 1],
      ratio: .infinity, page: URL(string: "https://example.org/a"))
    let expected =
      #"{"by_camel_case":{"aB":1},"bytes":2,"made_at":"1970-01-01T00:00:00Z","#
      + #""page":"https:\/\/example.org\/a","ratio":"+"}"#
    #expect(String(decoding: try encoder.encode(model), as: UTF8.self) == expected)
    // As an element and as a document, where there is no key.
    let dates = [Resilient(Date?.some(Date(timeIntervalSince1970: 0))), Resilient(Date?.none)]
    #expect(
      String(decoding: try encoder.encode(dates), as: UTF8.self)
        == #"["1970-01-01T00:00:00Z",null]"#)
    #expect(
      String(decoding: try encoder.encode(Resilient(["aB": 1])), as: UTF8.self) == #"{"aB":1}"#)
  }

  @Test(arguments: Format.allCases)
  func `documents and elements encode like their values`(format: Format) throws {
    #expect(try format.encode(Resilient([1, 2])) == format.encode([1, 2]))
    #expect(try format.encode([Resilient(["a": 1])]) == format.encode([["a": 1]]))
    #expect(
      try format.encode([ResilientDefault<DefaultValue.Zero<Int>>(wrappedValue: 3)])
        == format.encode([3]))
    #expect(try format.encode([ResilientLossless(wrappedValue: "a")]) == format.encode(["a"]))
    let elements = ResilientElements<DefaultValue.Zero<Int>>(wrappedValue: [1, 0])
    #expect(try format.encode([elements]) == format.encode([[1, 0]]))
  }

  @Test(arguments: [
    "{}", #"{"a": null, "b": null, "c": null}"#,
    #"{"a": [], "b": [], "c": []}"#,
  ])
  func `an optional of an optional that is malformed encodes like one that is missing`(
    json: String
  ) throws {
    let (model, _) = try Format.json.decode(Doubled.self, from: json)
    #expect(model == Doubled(a: nil, b: nil, c: nil))
    #expect(String(decoding: try Format.json.encode(model), as: UTF8.self) == "{}")
    let (generic, _) = try Format.json.decode(
      Generic<House?>.self, from: json.replacing("a", with: "p"))
    #expect(generic.o == nil && generic.p == nil)
  }

  @Test func `wrappers in wrappers have no key for nil either`() throws {
    let (model, _) = try Format.json.decode(Nested.self, from: "{}")
    #expect(String(decoding: try Format.json.encode(model), as: UTF8.self) == #"{"f":[]}"#)
    let json = #"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":[6]}"#
    let (full, _) = try Format.json.decode(Nested.self, from: json)
    #expect(String(decoding: try Format.json.encode(full), as: UTF8.self) == json)
  }

  @Test func `a generic model encodes as a plain generic one`() throws {
    let (model, _) = try Format.json.decode(Generic<Int?>.self, from: "{}")
    let encoded = String(decoding: try Format.json.encode(model), as: UTF8.self)
    let plain = String(
      decoding: try Format.json.encode(PlainGeneric<Int?>(p: nil, o: nil)), as: UTF8.self)
    #expect(encoded == plain)
  }
}

/// The contents of JSON or a property list, to compare two files that order them differently.
private func normalized(_ data: Data) throws -> NSObject? {
  if let list = try? PropertyListSerialization.propertyList(from: data, format: nil) {
    return list as? NSObject
  }
  return try JSONSerialization.jsonObject(with: data) as? NSObject
}

private enum House: String, ResilientRawRepresentable, Codable { case flat, house }

private struct Wrapped: Codable, Equatable {
  let id: Int
  @ResilientDefault<DefaultValue.EmptyString> var name: String
  @Resilient var tags: [String]
  @Resilient var more: [String]?
  @Resilient var sizes: [String: Int]
  @Resilient var kind: House?
  @ResilientLossless var price: Double?
  @ResilientLossless @ResilientDefault<DefaultValue.Zero<Int>> var stock: Int
  @ResilientLossless @ResilientElements<DefaultValue.Zero<Int>> var counts: [Int]
  @ResilientDefault<Nothing> var note: String?
  @ResilientLossless @ResilientDefault<Nothing> var lossyNote: String?
  @Resilient var nested: [String: Part]?

  var plain: Plain {
    Plain(
      id: id, name: name, tags: tags, more: more, sizes: sizes, kind: kind, price: price,
      stock: stock, counts: counts, note: note, lossyNote: lossyNote, nested: nested)
  }
}

private struct Part: Codable, Equatable {
  let id: Int
  @Resilient var tags: [String]
}

private enum Nothing: DefaultValueProvider {
  static var defaultValue: String? { nil }
}

private struct Plain: Encodable {
  let id: Int
  var name: String
  var tags: [String]
  var more: [String]?
  var sizes: [String: Int]
  var kind: House?
  var price: Double?
  var stock: Int
  var counts: [Int]
  var note: String?
  var lossyNote: String?
  var nested: [String: Part]?
}

private struct Strategic: Codable {
  @Resilient var madeAt: Date?
  @Resilient var bytes: Data?
  @Resilient var byCamelCase: [String: Int]
  @ResilientDefault<DefaultValue.Zero<Double>> var ratio: Double
  @Resilient var page: URL?
}

private struct Nested: Codable {
  @Resilient @ResilientLossless var a: Int?
  @ResilientLossless @Resilient var b: Int?
  @Resilient @Resilient var c: Int?
  @ResilientLossless @ResilientDefault<NoNumber> var d: Int?
  @Resilient @ResilientLossless @Resilient var e: Int?
  @ResilientLossless @ResilientElements<DefaultValue.Zero<Int>> var f: [Int]
}

private enum NoNumber: DefaultValueProvider {
  static var defaultValue: Int? { nil }
}

private struct Doubled: Codable, Equatable {
  @Resilient var a: String??
  @ResilientLossless var b: Int??
  @Resilient var c: House???
}

private struct Generic<Value: Codable>: Codable {
  @Resilient var p: Value
  @Resilient var o: Value?
}

private struct PlainGeneric<Value: Codable>: Codable {
  var p: Value
  var o: Value?
}
