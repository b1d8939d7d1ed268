import Foundation
import ResilientDecoding
import Testing

/// Dictionaries of collections, and dictionaries with keys of other types.
struct RecoverableDictionaryTests {
  private static let bad = "recoveredFrom(DictionaryDecodingError, wasReported: false)"
  private static let wrongShape = "recoveredFrom(typeMismatch, wasReported: true)"
  private static let kind = "ResilientDecodingTests.Room"

  static let arrays: [Row<[String: [Int]]>] = [
    Row(nil, [:], "keyNotFound"),
    Row("null", [:], "valueWasNil"),
    Row(
      "7", [:], wrongShape,
      Report("p", .typeMismatch, expecting: "Dictionary<String, Array<Int>>")),
    Row(
      #"{"a": [1, "x"], "b": null, "c": 5, "d_e": [2]}"#, ["a": [1], "d_e": [2]], bad,
      Report("p.a[1]", pattern: "p.*[]", .typeMismatch, expecting: "Int"),
      Report("p.b", pattern: "p.*", .valueNotFound, expecting: "Array<Int>"),
      Report("p.c", pattern: "p.*", .typeMismatch, expecting: "Array<Int>")
    ),
  ]

  @Test(arguments: arrays, Format.allCases)
  func `an array in a dictionary loses only the bad leaf`(
    row: Row<[String: [Int]]>,
    format: Format
  ) throws {
    try row.verify(Arrays.self, in: format)
    try row.verify(Foreignly<Arrays>.self, in: format)
    try row.verify(GenericModel<[String: [Int]]>.self, in: format)
  }

  @Test(arguments: Format.allCases)
  func `a malformed optional value is reported and becomes nil; null is nil`(format: Format) throws
  {
    let row = Row<[String: Int?]>(
      #"{"a": 1, "b": null, "c": "x"}"#, ["a": 1, "b": nil, "c": nil], Self.bad,
      Report("p.c", pattern: "p.*", .typeMismatch, expecting: "Int")
    )
    try row.verify(OptionalValues.self, in: format)
    try row.verify(Foreignly<OptionalValues>.self, in: format)
    try row.verify(GenericModel<[String: Int?]>.self, in: format)
  }

  @Test(arguments: Format.allCases)
  func `dictionaries in arrays in a dictionary lose only the bad leaf`(format: Format) throws {
    let row = Row<[String: [[String: Int]]]?>(
      #"{"a": [{"b": 1, "c": "x"}, 2], "d": [{"e": 3}]}"#,
      ["a": [["b": 1]], "d": [["e": 3]]], Self.bad,
      Report("p.a[0].c", pattern: "p.*[].*", .typeMismatch, expecting: "Int"),
      Report("p.a[1]", pattern: "p.*[]", .typeMismatch, expecting: "Dictionary<String, Int>")
    )
    try row.verify(GenericModel<[String: [[String: Int]]]?>.self, in: format)
  }

  static let byNumber: [Row<[Int: Int]>] = [
    Row(nil, [:], "keyNotFound"),
    Row("null", [:], "valueWasNil"),
    Row(#"{"1": 10, "-2": 20}"#, [1: 10, -2: 20], "decodedSuccessfully"),
    Row("[]", [:], wrongShape, Report("p", .typeMismatch, expecting: "Dictionary<Int, Int>")),
    Row(
      #"{"1": 10, "2": "x", "3": null, "four": 40}"#, [1: 10], bad,
      Report("p.2", pattern: "p.*", .typeMismatch, expecting: "Int"),
      Report("p.3", pattern: "p.*", .valueNotFound, expecting: "Int"),
      Report("p.four", pattern: "p.*", .dataCorrupted, expecting: "Int")
    ),
  ]

  @Test(arguments: Format.allCases)
  func `keys that an object cannot have explain the missing conformance`(format: Format) throws {
    let (model, digest) = try format.decode(
      GenericModel<[Letter: Int]>.self, from: #"{"p": {"a": 1}}"#)
    #expect(model.p.isEmpty)
    let type = "ResilientDecodingTests.Letter"
    #expect(
      digest?.reports == [Report("p", .typeMismatch, expecting: "Dictionary<\(type), Int>")])
    #expect(
      digest?.entries.map(\.message) == [
        "\(type) is not CodingKeyRepresentable, so a dictionary with such keys is decoded from an "
          + "array of keys and values in turn, and this is an object. Conform \(type) to "
          + "CodingKeyRepresentable."
      ])
  }

  @Test func `the same keys are read from an array of keys and values in turn`() throws {
    let (model, digest) = try Format.json.decode(
      GenericModel<[Letter: Int]>.self, from: #"{"p": ["a", 1]}"#)
    #expect(model.p == [.a: 1])
    #expect(digest == nil)
  }

  @Test(arguments: byNumber, Format.allCases)
  func `an entry whose value or number is bad is left out`(
    row: Row<[Int: Int]>,
    format: Format
  ) throws {
    try row.verify(ByNumber.self, in: format)
    try row.verify(Foreignly<ByNumber>.self, in: format)
    try row.verify(GenericModel<[Int: Int]>.self, in: format)
  }

  @Test(arguments: Format.allCases)
  func `an array under an integer key loses only the bad leaf`(format: Format) throws {
    let row = Row<[Int: [Int]]?>(
      #"{"1": [1, "x"], "2": 5, "3": [3]}"#, [1: [1], 3: [3]], Self.bad,
      Report("p.1[1]", pattern: "p.*[]", .typeMismatch, expecting: "Int"),
      Report("p.2", pattern: "p.*", .typeMismatch, expecting: "Array<Int>")
    )
    try row.verify(GenericModel<[Int: [Int]]?>.self, in: format)
  }

  @Test(arguments: Format.allCases)
  func `a key with an unknown raw value is reported as a novel value`(format: Format) throws {
    let json = #"{"hall": 1, "cave": 2, "loft": "x"}"#
    let row = Row<[Room: Int]>(
      json, [.hall: 1], Self.bad, visible: 1,
      Report(
        "p.cave", pattern: "p.*", .unknownNovelValue, expecting: Self.kind, novel: "cave",
        of: "String"),
      Report("p.loft", pattern: "p.*", .typeMismatch, expecting: "Int")
    )
    try row.verify(ByRoom.self, in: format)
    try row.verify(Foreignly<ByRoom>.self, in: format)
    try row.verify(GenericModel<[Room: Int]>.self, in: format)
  }

  @Test(arguments: Format.allCases)
  func `a novel key of a frozen type is a visible error with the value`(format: Format) throws {
    let row = Row<[Wing: Int]>(
      #"{"east": 1, "south": 2}"#, [.east: 1], Self.bad,
      Report(
        "p.south", pattern: "p.*", .unknownNovelValue, expecting: "ResilientDecodingTests.Wing",
        novel: "south", of: "String")
    )
    try row.verify(GenericModel<[Wing: Int]>.self, in: format)
  }

  @Test(arguments: Format.allCases)
  func `a novel key of a plain type is a visible error with the value`(format: Format) throws {
    let row = Row<[Plain: Int]>(
      #"{"one": 1, "two": 2}"#, [.one: 1], Self.bad,
      Report(
        "p.two", pattern: "p.*", .unknownNovelValue, expecting: "ResilientDecodingTests.Plain",
        novel: "two", of: "String")
    )
    try row.verify(GenericModel<[Plain: Int]>.self, in: format)
  }

  static let repeated: [Row<[Int: Int]>] = [
    Row(
      #"{"7": 1, "07": 2, "+7": 3, "8": 4}"#, [7: 1, 8: 4], bad,
      Report(#"p["+7"]"#, pattern: "p.*", .dataCorrupted, expecting: "Int"),
      Report("p.07", pattern: "p.*", .dataCorrupted, expecting: "Int")),
    Row(
      #"{"+7": 3, "7": 1}"#, [7: 1], bad,
      Report(#"p["+7"]"#, pattern: "p.*", .dataCorrupted, expecting: "Int")),
    Row(
      #"{"07": 2, "+7": 3}"#, [7: 3], bad,
      Report("p.07", pattern: "p.*", .dataCorrupted, expecting: "Int")),
    Row(
      #"{"7": "x", "07": 2}"#, [7: 2], bad,
      Report("p.7", pattern: "p.*", .typeMismatch, expecting: "Int")),
    Row(
      #"{"7": 1, "+7": "x"}"#, [7: 1], bad,
      Report(#"p["+7"]"#, pattern: "p.*", .typeMismatch, expecting: "Int")),
    Row(
      #"{"-0": 1, "0": 2, "x": 3}"#, [0: 2], bad,
      Report(#"p["-0"]"#, pattern: "p.*", .dataCorrupted, expecting: "Int"),
      Report("p.x", pattern: "p.*", .dataCorrupted, expecting: "Int")),
  ]

  @Test(arguments: repeated, Format.allCases)
  func `of several spellings of a key the canonical one is kept, or the first`(
    row: Row<[Int: Int]>, format: Format
  ) throws {
    try row.verify(GenericModel<[Int: Int]>.self, in: format)
    try row.verify(Foreignly<GenericModel<[Int: Int]>>.self, in: format)
  }

  @Test func `nested parts of a repeated key are decoded once`() throws {
    let (model, digest) = try Format.json.decode(
      GenericModel<[Int: [Int]]>.self, from: #"{"p": {"7": [1, "x"], "07": [2, "y"]}}"#)
    #expect(model.p == [7: [1]])
    #expect(digest?.paths == ["p.07[1]", "p.07", "p.7[1]"])
  }

  @Test(arguments: ["super", "Index 1", "1", "", "a.b", "[0]", "*"], Format.allCases)
  func `a dictionary key can have any name`(name: String, format: Format) throws {
    let json = #"{"p": {"\#(name)": [1, "x"], "z": [2]}}"#
    let (model, digest) = try format.decode(GenericModel<[String: [Int]]>.self, from: json)
    #expect(model.p == [name: [1], "z": [2]])
    #expect(digest?.entries.map(\.codingPath.pattern) == ["p.*[]"])
    #expect(digest?.found.count == 1 && digest?.found.first?.hasSuffix(#"string "x""#) == true)
  }

  @Test func `a key strategy does not convert keys that are data`() throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let reporter = decoder.enableResilientDecodingErrorReporting()
    let json = #"{"by_name": {"a_b": [1, "x"]}, "rows": [{"c_d": [1, "y"]}]}"#
    let model = try decoder.decode(Cased.self, from: Data(json.utf8))
    #expect(model.byName == ["a_b": [1]])
    #expect(model.rows == [["c_d": [1]]])
    #expect(
      reporter.flushReportedErrors()?.found == [
        #"by_name.a_b[1]: string "x""#, #"rows[0].c_d[1]: string "y""#,
      ]
    )
  }

  @Test func `keys of a custom type are converted as without the wrapper`() throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let json = Data(#"{"p": {"great_hall": 1, "hall": 2}}"#.utf8)
    let plain = try decoder.decode([String: [Room: Int]].self, from: json)
    let (model, digest) = try decoder.decode(
      ByRoom.self, from: json, reportResilientDecodingErrors: true)
    #expect(model.p == [.greatHall: 1, .hall: 2])
    #expect(model.p == plain["p"] && digest == nil)
  }
}

private enum Room: String, ResilientRawRepresentable, CodingKeyRepresentable {
  case hall
  case greatHall
  case loft
}

private enum Wing: String, ResilientRawRepresentable, CodingKeyRepresentable {
  case east

  static var isFrozen: Bool { true }
}

private enum Plain: String, Decodable, CodingKeyRepresentable {
  case one
}

private struct Arrays: PropertyModel {
  @Resilient var p: [String: [Int]]
  var property: Resilient<[String: [Int]]> { _p }
}

private struct OptionalValues: PropertyModel {
  @Resilient var p: [String: Int?]
  var property: Resilient<[String: Int?]> { _p }
}

private struct ByNumber: PropertyModel {
  @Resilient var p: [Int: Int]
  var property: Resilient<[Int: Int]> { _p }
}

private struct ByRoom: PropertyModel {
  @Resilient var p: [Room: Int]
  var property: Resilient<[Room: Int]> { _p }
}

private struct Cased: Decodable {
  @Resilient var byName: [String: [Int]]
  @Resilient var rows: [[String: [Int]]]
}

/// Not `CodingKeyRepresentable`.
private enum Letter: String, Decodable {
  case a
}
