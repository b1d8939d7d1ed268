import Foundation
import ResilientDecoding
import Testing

struct ResilientDecodableDictionaryTests {
  /// The rows that a dictionary and an optional one have in common.
  private static func present<Value>(_ make: ([String: Int]) -> Value) -> [Row<Value>] {
    [
      Row("{}", make([:]), "decodedSuccessfully"),
      Row(#"{"a": 1, "b_c": 2}"#, make(["a": 1, "b_c": 2]), "decodedSuccessfully"),
      Row(
        "[]",
        make([:]),
        "recoveredFrom(typeMismatch, wasReported: true)",
        Report("p", .typeMismatch, expecting: "Dictionary<String, Int>")
      ),
      Row(
        "7",
        make([:]),
        "recoveredFrom(typeMismatch, wasReported: true)",
        Report("p", .typeMismatch, expecting: "Dictionary<String, Int>")
      ),
      Row(
        #"{"d": [], "c": 3, "b": null, "a": "1"}"#,
        make(["c": 3]),
        "recoveredFrom(DictionaryDecodingError, wasReported: false)",
        Report("p.a", pattern: "p.*", .typeMismatch, expecting: "Int"),
        Report("p.b", pattern: "p.*", .valueNotFound, expecting: "Int"),
        Report("p.d", pattern: "p.*", .typeMismatch, expecting: "Int")
      ),
    ]
  }

  static let dictionaries: [Row<[String: Int]>] =
    [Row(nil, [:], "keyNotFound"), Row("null", [:], "valueWasNil")] + present { $0 }

  static let optionalDictionaries: [Row<[String: Int]?>] =
    [Row(nil, nil, "keyNotFound"), Row("null", nil, "valueWasNil")] + present { $0 }

  @Test(arguments: dictionaries, Format.allCases)
  func `a dictionary loses only the bad entries`(
    row: Row<[String: Int]>,
    format: Format
  ) throws {
    try row.verify(DictionaryModel.self, in: format)
  }

  @Test(arguments: dictionaries, Format.allCases)
  func `a dictionary in a generic model loses only the bad entries`(
    row: Row<[String: Int]>,
    format: Format
  ) throws {
    try row.verify(GenericModel<[String: Int]>.self, in: format)
  }

  @Test(arguments: optionalDictionaries, Format.allCases)
  func `an optional dictionary is nil only if it is absent`(
    row: Row<[String: Int]?>,
    format: Format
  ) throws {
    try row.verify(OptionalDictionaryModel.self, in: format)
  }

  @Test(arguments: optionalDictionaries, Format.allCases)
  func `an optional dictionary in a generic model is nil only if it is absent`(
    row: Row<[String: Int]?>,
    format: Format
  ) throws {
    try row.verify(GenericModel<[String: Int]?>.self, in: format)
  }

  static let objects: [Row<[String: Point]>] = [
    Row(
      #"{"a": {"x": 1}, "b": {"x": 1, "y": 2}}"#,
      ["b": Point(x: 1, y: 2)],
      "recoveredFrom(DictionaryDecodingError, wasReported: false)",
      Report("p.a.y", recoveredAt: "p.a", pattern: "p.*.y", .keyNotFound)
    )
  ]

  @Test(arguments: objects, Format.allCases)
  func `an error in an entry has its path`(
    row: Row<[String: Point]>,
    format: Format
  ) throws {
    try row.verify(PointDictionaryModel.self, in: format)
  }

  @Test func `a key strategy does not change dictionary keys`() throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let json = #"""
      {
        "by_name": {"first_key": 1, "second_key": "x"},
        "maybe_by_name": {"first_key": 1, "second_key": "x"},
        "nested": {"outer_key": {"some_points": {"inner_key": 0, "other_key": 1}}}
      }
      """#
    let (model, digest) = try decoder.decode(
      SnakeCase.self,
      from: Data(json.utf8),
      reportResilientDecodingErrors: true
    )
    #expect(model.byName == ["first_key": 1])
    #expect(model.maybeByName == ["first_key": 1])
    #expect(model.nested.keys.sorted() == ["outer_key"])
    #expect(
      digest?.reports == [
        Report("by_name.second_key", pattern: "by_name.*", .typeMismatch, expecting: "Int"),
        Report(
          "maybe_by_name.second_key",
          pattern: "maybe_by_name.*",
          .typeMismatch,
          expecting: "Int"
        ),
        Report(
          "nested.outer_key.some_points.inner_key",
          pattern: "nested.*.some_points.*",
          .typeMismatch,
          expecting: "ResilientDecodingTests.Point"
        ),
        Report(
          "nested.outer_key.some_points.other_key",
          pattern: "nested.*.some_points.*",
          .typeMismatch,
          expecting: "ResilientDecodingTests.Point"
        ),
      ]
    )
  }
}

private struct DictionaryModel: PropertyModel {
  @Resilient var p: [String: Int]
  var property: Resilient<[String: Int]> { _p }
}

private struct OptionalDictionaryModel: PropertyModel {
  @Resilient var p: [String: Int]?
  var property: Resilient<[String: Int]?> { _p }
}

private struct PointDictionaryModel: PropertyModel {
  @Resilient var p: [String: Point]
  var property: Resilient<[String: Point]> { _p }
}

private struct SnakeCase: Decodable {
  struct Cloud: Decodable {
    @Resilient var somePoints: [String: Point]
  }

  @Resilient var byName: [String: Int]
  @Resilient var maybeByName: [String: Int]?
  @Resilient var nested: [String: Cloud]
}
