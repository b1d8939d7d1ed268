import Foundation
import ResilientDecoding
import Testing

struct ResilientDefaultTests {
  private static let mismatched = "recoveredFrom(typeMismatch, wasReported: true)"
  private static let kind = "ResilientDecodingTests.Kind"
  private static let mood = "ResilientDecodingTests.Mood"

  private static func strings<Value>(_ make: (String) -> Value) -> [Row<Value>] {
    [
      Row(nil, make("untitled"), "keyNotFound"),
      Row("null", make("untitled"), "valueWasNil"),
      Row(#""a""#, make("a"), "decodedSuccessfully"),
      Row(#""""#, make(""), "decodedSuccessfully"),
      Row("5", make("untitled"), mismatched, Report("p", .typeMismatch, expecting: "String")),
      Row("[]", make("untitled"), mismatched, Report("p", .typeMismatch, expecting: "String")),
    ]
  }

  @Test(arguments: strings { $0 }, Format.allCases)
  func `a default replaces a missing, null or malformed value`(
    row: Row<String>,
    format: Format
  ) throws {
    try row.verify(DefaultModel<Untitled>.self, in: format)
    try row.verify(Foreignly<DefaultModel<Untitled>>.self, in: format)
  }

  @Test(arguments: strings { $0 }, Format.allCases)
  func `an optional has the same default`(row: Row<String>, format: Format) throws {
    let (model, digest) = try format.decode(DefaultModel<Untitled?>.self, from: row.document)
    #expect(model.p == row.consequence.value)
    #expect(model.outcomeInWords == row.consequence.outcome)
    #expect(digest?.reports ?? [] == row.consequence.reports)
  }

  static let kinds: [Row<Kind>] = [
    Row(nil, .house, "keyNotFound"),
    Row("null", .house, "valueWasNil"),
    Row(#""flat""#, .flat, "decodedSuccessfully"),
    Row(
      #""cave""#, .house, "recoveredFrom(UnknownNovelValueError, wasReported: true)", visible: 0,
      Report("p", .unknownNovelValue, expecting: kind, novel: "cave", of: "String")
    ),
    Row("{}", .house, mismatched, Report("p", .typeMismatch, expecting: kind)),
  ]

  @Test(arguments: kinds, Format.allCases)
  func `a default replaces a novel value`(row: Row<Kind>, format: Format) throws {
    try row.verify(DefaultModel<AlwaysHouse>.self, in: format)
  }

  static let moods: [Row<Mood>] = [
    Row(nil, .calm, "keyNotFound"),
    Row("null", .calm, "valueWasNil"),
    Row(
      #""wild""#, .calm, "recoveredFrom(UnknownNovelValueError, wasReported: true)", visible: 0,
      Report("p", .unknownNovelValue, expecting: mood, novel: "wild", of: "String")
    ),
  ]

  @Test(arguments: moods, Format.allCases)
  func `the default takes precedence over the type's fallback`(row: Row<Mood>, format: Format)
    throws
  {
    try row.verify(DefaultModel<Calm>.self, in: format)
  }

  static let arrays: [Row<[Int]>] = [
    Row(nil, [7], "keyNotFound"),
    Row("null", [7], "valueWasNil"),
    Row("[]", [], "decodedSuccessfully"),
    Row("5", [7], mismatched, Report("p", .typeMismatch, expecting: "Array<Int>")),
    Row(
      #"[1, "x", null, 4]"#, [1, 4],
      "recoveredFrom(ArrayDecodingError, wasReported: false)",
      Report("p[1]", pattern: "p[]", .typeMismatch, expecting: "Int"),
      Report("p[2]", pattern: "p[]", .valueNotFound, expecting: "Int")
    ),
  ]

  @Test(arguments: arrays, Format.allCases)
  func `an array keeps its good elements`(row: Row<[Int]>, format: Format) throws {
    try row.verify(DefaultModel<Seven>.self, in: format)
    try row.verify(Foreignly<DefaultModel<Seven>>.self, in: format)
  }

  static let dictionaries: [Row<[String: [Int]]>] = [
    Row(nil, [:], "keyNotFound"),
    Row("null", [:], "valueWasNil"),
    Row(
      "[]", [:], mismatched, Report("p", .typeMismatch, expecting: "Dictionary<String, Array<Int>>")
    ),
    Row(
      #"{"a": [1, "x"], "b": 2}"#, ["a": [1]],
      "recoveredFrom(DictionaryDecodingError, wasReported: false)",
      Report("p.a[1]", pattern: "p.*[]", .typeMismatch, expecting: "Int"),
      Report("p.b", pattern: "p.*", .typeMismatch, expecting: "Array<Int>")
    ),
  ]

  @Test(arguments: dictionaries, Format.allCases)
  func `a dictionary keeps its good entries`(row: Row<[String: [Int]]>, format: Format) throws {
    try row.verify(DefaultModel<DefaultValue.EmptyDictionary<[Int]>>.self, in: format)
  }

  static let points: [Row<Point>] = [
    Row(
      #"{"x": 1}"#, Point(x: 0, y: 0), "recoveredFrom(keyNotFound, wasReported: true)",
      Report("p.y", recoveredAt: "p", .keyNotFound)
    ),
    Row(
      #"{"x": 1, "y": []}"#, Point(x: 0, y: 0), mismatched,
      Report("p.y", recoveredAt: "p", .typeMismatch, expecting: "Int")
    ),
  ]

  @Test(arguments: points, Format.allCases)
  func `an error in an object has its path`(row: Row<Point>, format: Format) throws {
    try row.verify(DefaultModel<Origin>.self, in: format)
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
    #expect(
      digest?.found == ["names[2]: number 3", "byName.d: number 4"]
    )
  }

  @Test(arguments: ["null", "5", #"{"a": 1}"#])
  func `a document can use a default`(json: String) throws {
    let (name, digest) = try Format.json.decode(ResilientDefault<Untitled>.self, from: json)
    #expect(name.wrappedValue == "untitled")
    #expect(digest?.paths == (json == "null" ? nil : [""]))
  }

  @Test func `a key strategy applies only to the property`() throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let json = Data(#"{"by_name": {"a_b": 1, "c_d": "x"}}"#.utf8)
    let (model, digest) = try decoder.decode(
      Cased.self, from: json, reportResilientDecodingErrors: true)
    #expect(model.byName == ["a_b": 1])
    #expect(digest?.found == [#"by_name.c_d: string "x""#])
  }
}

private struct Lists: Decodable {
  let names: [ResilientDefault<Untitled>]
  let byName: [String: ResilientDefault<Untitled>]
}

private struct Cased: Decodable {
  @ResilientDefault<DefaultValue.EmptyDictionary<Int>> var byName: [String: Int]
}
