import Foundation
import ResilientDecoding
import Testing

/// The recovery of `ResilientLossless` from values that cannot be converted.
struct ResilientLosslessTests {
  private static let mismatched = "recoveredFrom(typeMismatch, wasReported: true)"
  private static let bad = "recoveredFrom(ArrayDecodingError, wasReported: false)"

  @Test(arguments: ["{}", #"{"p": null}"#, #"{"p": "x"}"#, #"{"p": []}"#], Format.allCases)
  func `a value that cannot be converted throws the same error as without the wrapper`(
    json: String,
    format: Format
  ) throws {
    let plain = #expect(throws: DecodingError.self) {
      try format.decode(PlainModel.self, from: json)
    }
    let wrapped = #expect(throws: DecodingError.self) {
      try format.decode(LosslessModel<Int>.self, from: json)
    }
    #expect(wrapped.map(nameOfCase) == plain.map(nameOfCase))
  }

  static let optionals: [Row<Int?>] = [
    Row(nil, nil, "keyNotFound"),
    Row("null", nil, "valueWasNil"),
    Row("5", 5, "decodedSuccessfully"),
    Row(
      #""5""#, 5, "decodedSuccessfully", visible: 0,
      Report("p", .converted, expecting: "Int")
    ),
    Row(#""x""#, nil, mismatched, Report("p", .typeMismatch, expecting: "Int")),
    Row("{}", nil, mismatched, Report("p", .typeMismatch, expecting: "Int")),
  ]

  @Test(arguments: optionals, Format.allCases)
  func `an optional is converted or becomes nil`(row: Row<Int?>, format: Format) throws {
    try row.verify(OptionalModel.self, in: format)
    try row.verify(LosslessModel<Int?>.self, in: format)
    try row.verify(Foreignly<OptionalModel>.self, in: format)
  }

  static let arrays: [Row<[Int]>] = [
    Row(nil, [], "keyNotFound"),
    Row("null", [], "valueWasNil"),
    Row("5", [], mismatched, Report("p", .typeMismatch, expecting: "Array<Int>")),
    Row(#""5""#, [], mismatched, Report("p", .typeMismatch, expecting: "Array<Int>")),
    Row(
      #"[1, "2", "x", null, true, "6"]"#, [1, 2, 1, 6], bad, visible: 2,
      Report("p[1]", pattern: "p[]", .converted, expecting: "Int"),
      Report("p[2]", pattern: "p[]", .typeMismatch, expecting: "Int"),
      Report("p[3]", pattern: "p[]", .valueNotFound, expecting: "Int"),
      Report("p[4]", pattern: "p[]", .converted, expecting: "Int"),
      Report("p[5]", pattern: "p[]", .converted, expecting: "Int")
    ),
  ]

  @Test(arguments: arrays, Format.allCases)
  func `elements of an array are converted or left out`(row: Row<[Int]>, format: Format) throws {
    try row.verify(ArrayModel.self, in: format)
    try row.verify(LosslessModel<[Int]>.self, in: format)
    try row.verify(Foreignly<ArrayModel>.self, in: format)
  }

  static let dictionaries: [Row<[String: Int]>] = [
    Row(nil, [:], "keyNotFound"),
    Row("null", [:], "valueWasNil"),
    Row("[]", [:], mismatched, Report("p", .typeMismatch, expecting: "Dictionary<String, Int>")),
    Row(
      #"{"a": 1, "b_c": "2", "d": "x"}"#, ["a": 1, "b_c": 2],
      "recoveredFrom(DictionaryDecodingError, wasReported: false)", visible: 1,
      Report("p.b_c", pattern: "p.*", .converted, expecting: "Int"),
      Report("p.d", pattern: "p.*", .typeMismatch, expecting: "Int")
    ),
  ]

  @Test(arguments: dictionaries, Format.allCases)
  func `values of a dictionary are converted or left out`(
    row: Row<[String: Int]>,
    format: Format
  ) throws {
    try row.verify(DictionaryModel.self, in: format)
    try row.verify(LosslessModel<[String: Int]>.self, in: format)
  }

  @Test(arguments: Format.allCases)
  func `leaves of nested collections are converted or left out`(format: Format) throws {
    let (model, digest) = try format.decode(
      Nests.self,
      from: """
        {"rows": [[1, "2"], ["x", 4]], "byName": {"a": ["1"]}, "maybe": ["1", null, "x"],
          "set": ["1", 1, 2], "byNumber": {"1": "10", "2": "x"}, "list": ["3"], "doubled": "7"}
        """
    )
    #expect(
      model
        == Nests(
          rows: [[1, 2], [4]], byName: ["a": [1]], maybe: [1, nil, nil], set: [1, 2],
          byNumber: [1: 10], list: [3], doubled: 7)
    )
    #expect(
      digest?.entries.map { "\($0.codingPath) \($0.kind)" } == [
        "rows[0][1] converted", "rows[1][0] typeMismatch", "byName.a[0] converted",
        "maybe[0] converted", "maybe[2] typeMismatch", "set[0] converted",
        "byNumber.1 converted", "byNumber.2 typeMismatch", "list[0] converted",
        "doubled converted",
      ]
    )
    #expect(digest?.errors.count == 3)
  }

  @Test(arguments: Format.allCases)
  func `elements, values and documents are converted`(format: Format) throws {
    let (model, digest) = try format.decode(
      Lists.self, from: #"{"prices": ["1", 2, true], "byName": {"a": "3"}}"#)
    #expect(model.prices.map(\.wrappedValue) == [1, 2, 1])
    #expect(model.byName.mapValues(\.wrappedValue) == ["a": 3])
    #expect(
      digest?.found == [
        #"prices[0]: string "1""#, "prices[2]: boolean true", #"byName.a: string "3""#,
      ]
    )
    let (document, errors) = try format.decode(
      ResilientLossless<[Int]>.self, from: #"["1", "x", 3]"#)
    #expect(document.wrappedValue == [1, 3])
    #expect(errors?.entries.map(\.kind) == [.converted, .typeMismatch])
  }

  @Test func `a key strategy applies only to properties`() throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let json = Data(#"{"unit_price": "1.5", "by_name": {"a_b": "2"}}"#.utf8)
    let (model, digest) = try decoder.decode(
      Cased.self, from: json, reportResilientDecodingErrors: true)
    #expect(model == Cased(unitPrice: 1.5, byName: ["a_b": 2]))
    #expect(digest?.found == [#"unit_price: string "1.5""#, #"by_name.a_b: string "2""#])
  }
}

private struct PlainModel: Decodable {
  let p: Int
}

private struct OptionalModel: WrapperModel {
  @ResilientLossless var p: Int?
  var outcomeInWords: String? { _p.outcomeInWords }
}

private struct ArrayModel: WrapperModel {
  @ResilientLossless var p: [Int]
  var outcomeInWords: String? { _p.outcomeInWords }
}

private struct DictionaryModel: WrapperModel {
  @ResilientLossless var p: [String: Int]
  var outcomeInWords: String? { _p.outcomeInWords }
}

private struct Nests: Decodable, Equatable {
  @ResilientLossless var rows: [[Int]]
  @ResilientLossless var byName: [String: [Int]]
  @ResilientLossless var maybe: [Int?]
  @ResilientLossless var set: Set<Int>
  @ResilientLossless var byNumber: [Int: Int]
  @ResilientLossless var list: [Int]?
  @ResilientLossless var doubled: Int??
}

private struct Lists: Decodable {
  let prices: [ResilientLossless<Double>]
  let byName: [String: ResilientLossless<Double>]
}

private struct Cased: Decodable, Equatable {
  @ResilientLossless var unitPrice: Double
  @ResilientLossless var byName: [String: Int]
}
