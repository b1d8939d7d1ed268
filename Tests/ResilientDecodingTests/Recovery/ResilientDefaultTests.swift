import Foundation
import ResilientDecoding
import Testing

struct ResilientDefaultTests {
  @Test func `a default replaces a missing, null or malformed value`() throws {
    func rows<Value>(_ make: (String) -> Value) -> [Row<Value>] {
      [
        Row(nil, make("untitled"), .missing), Row("null", make("untitled"), .null),
        Row(#""a""#, make("a"), .decoded), Row(#""""#, make(""), .decoded),
        Row("5", make("untitled"), .mismatched, "p: typeMismatch String"),
        Row("[]", make("untitled"), .mismatched, "p: typeMismatch String"),
      ]
    }
    try verify(DefaultModel<Untitled>.self, rows { $0 })
    try verify(DefaultModel<Untitled?>.self, rows { $0 })
  }

  @Test func `a default replaces a novel value, and takes precedence over the fallback`() throws {
    try verify(
      DefaultModel<AlwaysHouse>.self,
      [
        Row(nil, .house, .missing), Row("null", .house, .null), Row(#""flat""#, .flat, .decoded),
        Row(#""cave""#, .house, .novel, visible: 0, "p: unknownNovelValue Kind = cave"),
        Row("{}", .house, .mismatched, "p: typeMismatch Kind"),
      ])
    try verify(
      DefaultModel<Calm>.self,
      [
        Row(nil, .calm, .missing), Row("null", .calm, .null),
        Row(#""wild""#, .calm, .novel, visible: 0, "p: unknownNovelValue Mood = wild"),
      ])
  }

  @Test func `a collection keeps its good parts`() throws {
    try verify(
      DefaultModel<Seven>.self,
      [
        Row(nil, [7], .missing), Row("null", [7], .null), Row("[]", [], .decoded),
        Row("5", [7], .mismatched, "p: typeMismatch Array<Int>"),
        Row(
          #"[1, "x", null, 4]"#, [1, 4], .lacksElements, "p[1]: typeMismatch Int",
          "p[2]: valueNotFound Int"),
      ])
    try verify(
      DefaultModel<DefaultValue.EmptyDictionary<[Int]>>.self,
      [
        Row(nil, [:], .missing), Row("null", [:], .null),
        Row("[]", [:], .mismatched, "p: typeMismatch Dictionary<String, Array<Int>>"),
        Row(
          #"{"a": [1, "x"], "b": 2}"#, ["a": [1]], .lacksEntries, "p{a}[1]: typeMismatch Int",
          "p{b}: typeMismatch Array<Int>"),
      ])
  }

  @Test func `an error in an object has its path`() throws {
    try verify(
      DefaultModel<Origin>.self,
      [
        Row(#"{"x": 1}"#, Point(x: 0, y: 0), .lacksKey, "p/y: keyNotFound"),
        Row(#"{"x": 1, "y": []}"#, Point(x: 0, y: 0), .mismatched, "p/y: typeMismatch Int"),
      ])
  }

  @Test(arguments: Format.allCases)
  func `an element with a default keeps its position`(format: Format) throws {
    let (model, digest) = try format.decode(
      Lists.self,
      from: #"{"names": ["a", null, 3], "byName": {"a": "b", "c": null, "d": 4}}"#
    )
    #expect(model.names.map(\.wrappedValue) == ["a", "untitled", "untitled"])
    #expect(
      model.byName.mapValues(\.wrappedValue) == ["a": "b", "c": "untitled", "d": "untitled"])
    #expect(digest?.found == ["names[2]: number 3", "byName.d: number 4"])
  }

  @Test(arguments: ["null", "5", #"{"a": 1}"#])
  func `a document can use a default`(json: String) throws {
    let (name, digest) = try Format.json.decode(ResilientDefault<Untitled>.self, from: json)
    #expect(name.wrappedValue == "untitled")
    #expect(digest?.paths == (json == "null" ? nil : [""]))
  }

  @Test func `a key strategy applies only to properties`() throws {
    let decoder = JSONDecoder.snakeCase
    let json = #"{"by_name": {"a_b": 1, "c_d": "x"}, "unit_price": "1.5", "prices": {"a_b": "2"}}"#
    let (model, digest) = try decoder.decodeReporting(Cased.self, json)
    #expect(model.byName == ["a_b": 1] && model.unitPrice == 1.5 && model.prices == ["a_b": 2])
    #expect(
      digest?.found == [
        #"by_name.c_d: string "x""#, #"unit_price: string "1.5""#, #"prices.a_b: string "2""#,
      ])
  }
}

private struct Lists: Decodable {
  let names: [ResilientDefault<Untitled>]
  let byName: [String: ResilientDefault<Untitled>]
}

private struct Cased: Decodable {
  @ResilientDefault<DefaultValue.EmptyDictionary<Int>> var byName: [String: Int]
  @ResilientLossless var unitPrice: Double
  @ResilientLossless var prices: [String: Int]
}
