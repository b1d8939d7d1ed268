import Foundation
import ResilientDecoding
import Testing

/// Nested wrappers, and wrappers in generic models.
struct ComposableWrapperGenericsTests {
  static let defaults: [Row<Int>] = [
    Row(nil, 0, "keyNotFound"),
    Row("null", 0, "valueWasNil"),
    Row("5", 5, "decodedSuccessfully"),
    Row(#""5""#, 5, "decodedSuccessfully", visible: 0, Report("p", .converted, expecting: "Int")),
    Row("true", 1, "decodedSuccessfully", visible: 0, Report("p", .converted, expecting: "Int")),
    Row(
      #""x""#, 0, "recoveredFrom(typeMismatch, wasReported: true)",
      Report("p", .typeMismatch, expecting: "Int")
    ),
    Row(
      "{}", 0, "recoveredFrom(typeMismatch, wasReported: true)",
      Report("p", .typeMismatch, expecting: "Int")
    ),
  ]

  @Test(arguments: defaults, Format.allCases)
  func `a value is converted before a default replaces it`(
    row: Row<Int>,
    format: Format
  ) throws {
    try row.verify(LosslessDefault.self, in: format)
    try row.verify(Foreignly<LosslessDefault>.self, in: format)
  }

  static let arrays: [Row<[Int]>] = [
    Row(nil, [7], "keyNotFound"),
    Row("null", [7], "valueWasNil"),
    Row(
      #""5""#, [7], "recoveredFrom(typeMismatch, wasReported: true)",
      Report("p", .typeMismatch, expecting: "Array<Int>")
    ),
    Row(
      #"[1, "2", "x"]"#, [1, 2], "recoveredFrom(ArrayDecodingError, wasReported: false)",
      visible: 1,
      Report("p[1]", pattern: "p[]", .converted, expecting: "Int"),
      Report("p[2]", pattern: "p[]", .typeMismatch, expecting: "Int")
    ),
  ]

  @Test(arguments: arrays, Format.allCases)
  func `elements are converted, and the default replaces the whole array`(
    row: Row<[Int]>,
    format: Format
  ) throws {
    try row.verify(LosslessSeven.self, in: format)
    try row.verify(Foreignly<LosslessSeven>.self, in: format)
  }

  static let elements: [Row<[String]>] = [
    Row(nil, [], "keyNotFound"),
    Row("null", [], "valueWasNil"),
    Row(
      #"["a", 1, null, true, []]"#, ["a", "1", "untitled", "true", "untitled"],
      "recoveredFrom(ArrayDecodingError, wasReported: false)", visible: 2,
      Report("p[1]", pattern: "p[]", .converted, expecting: "String"),
      Report("p[2]", pattern: "p[]", .valueNotFound, expecting: "String"),
      Report("p[3]", pattern: "p[]", .converted, expecting: "String"),
      Report("p[4]", pattern: "p[]", .typeMismatch, expecting: "String")
    ),
  ]

  @Test(arguments: elements, Format.allCases)
  func `an element is converted before it is replaced`(
    row: Row<[String]>,
    format: Format
  ) throws {
    try row.verify(LosslessElements.self, in: format)
    try row.verify(Foreignly<LosslessElements>.self, in: format)
  }

  @Test(arguments: Format.allCases)
  func `nested wrappers can be elements, values and documents`(
    format: Format
  ) throws {
    let (model, digest) = try format.decode(
      Lists.self, from: #"{"stocks": ["1", null, "x"], "byName": {"a": "2", "b": []}}"#)
    #expect(model.stocks.map(\.wrappedValue.wrappedValue) == [1, 0, 0])
    #expect(model.byName.mapValues(\.wrappedValue.wrappedValue) == ["a": 2, "b": 0])
    #expect(
      digest?.entries.map { "\($0.codingPath) \($0.kind)" } == [
        "stocks[0] converted", "stocks[2] typeMismatch", "byName.a converted",
        "byName.b typeMismatch",
      ]
    )
    let (tags, errors) = try format.decode(
      ResilientLossless<ResilientElements<Untitled>>.self, from: "[1, {}]")
    #expect(tags.wrappedValue.wrappedValue == ["1", "untitled"])
    #expect(errors?.entries.map(\.kind) == [.converted, .typeMismatch])
  }

  @Test(arguments: Format.allCases)
  func `an optional is converted before a default replaces it`(format: Format) throws {
    let (model, digest) = try format.decode(
      Optionals.self, from: #"{"some": "5", "bad": "x", "null": null}"#)
    #expect(model == Optionals(some: 5, bad: 0, null: 0, missing: 0))
    #expect(digest?.found == [#"some: string "5""#, #"bad: string "x""#])
    #expect(digest?.entries.map(\.kind) == [.converted, .typeMismatch])
  }

  @Test(arguments: Format.allCases)
  func `a resilient array of wrappers loses only throwing elements`(format: Format) throws {
    let (model, digest) = try format.decode(
      Wrappers.self,
      from: """
        {"prices": ["1", "x", 3], "names": [1, "a"], "byName": {"a": "2", "b": "x"},
          "rows": [["1", []], 5]}
        """
    )
    #expect(model.prices.map(\.wrappedValue) == [1, 3])
    #expect(model.names.map(\.wrappedValue) == ["untitled", "a"])
    #expect(model.byName.mapValues(\.wrappedValue) == ["a": 2])
    #expect(model.rows.map { $0.map(\.wrappedValue) } == [[1]])
    #expect(
      digest?.entries.map { "\($0.codingPath) \($0.kind)" } == [
        "prices[0] converted", "prices[1] typeMismatch", "names[0] typeMismatch",
        "byName.a converted", "byName.b typeMismatch", "rows[0][0] converted",
        "rows[0][1] typeMismatch", "rows[1] typeMismatch",
      ]
    )
  }
}

private struct LosslessDefault: WrapperModel {
  @ResilientLossless @ResilientDefault<DefaultValue.Zero<Int>> var p: Int
  var outcomeInWords: String? { _p.outcomeInWords }
}

private struct LosslessSeven: WrapperModel {
  @ResilientLossless @ResilientDefault<Seven> var p: [Int]
  var outcomeInWords: String? { _p.outcomeInWords }
}

private struct LosslessElements: WrapperModel {
  @ResilientLossless @ResilientElements<Untitled> var p: [String]
  var outcomeInWords: String? { _p.outcomeInWords }
}

private struct Optionals: Decodable, Equatable {
  @ResilientLossless @ResilientDefault<DefaultValue.Zero<Int>?> var some: Int?
  @ResilientLossless @ResilientDefault<DefaultValue.Zero<Int>?> var bad: Int?
  @ResilientLossless @ResilientDefault<DefaultValue.Zero<Int>?> var null: Int?
  @ResilientLossless @ResilientDefault<DefaultValue.Zero<Int>?> var missing: Int?
}

private struct Lists: Decodable {
  let stocks: [ResilientLossless<ResilientDefault<DefaultValue.Zero<Int>>>]
  let byName: [String: ResilientLossless<ResilientDefault<DefaultValue.Zero<Int>>>]
}

private struct Wrappers: Decodable {
  @Resilient var prices: [ResilientLossless<Double>]
  @Resilient var names: [ResilientDefault<Untitled>]
  @Resilient var byName: [String: ResilientLossless<Double>]
  @Resilient var rows: [[ResilientLossless<Double>]]
}
