import Foundation
import ResilientDecoding
import Testing

/// The recovery of `ResilientLossless` from values that cannot be converted.
struct ResilientLosslessTests {
  @Test(arguments: ["{}", #"{"p": null}"#, #"{"p": "x"}"#, #"{"p": []}"#], Format.allCases)
  func `a value that cannot be converted throws the same error as without the wrapper`(
    json: String,
    format: Format
  ) throws {
    struct Plain: Decodable { let p: Int }
    let plain = #expect(throws: DecodingError.self) { try format.decode(Plain.self, from: json) }
    let wrapped = #expect(throws: DecodingError.self) {
      try format.decode(LosslessModel<Int>.self, from: json)
    }
    #expect(wrapped.map(nameOfCase) == plain.map(nameOfCase))
  }

  @Test func `an optional is converted or becomes nil`() throws {
    let rows: [Row<Int?>] = [
      Row(nil, nil, .missing), Row("null", nil, .null), Row("5", 5, .decoded),
      Row(#""5""#, 5, .decoded, visible: 0, "p: converted Int"),
      Row(#""x""#, nil, .mismatched, "p: typeMismatch Int"),
      Row("{}", nil, .mismatched, "p: typeMismatch Int"),
    ]
    try verify(OptionalModel.self, rows)
    try verify(LosslessModel<Int?>.self, rows)
  }

  @Test func `elements of an array are converted or left out`() throws {
    let rows: [Row<[Int]>] = [
      Row(nil, [], .missing), Row("null", [], .null),
      Row("5", [], .mismatched, "p: typeMismatch Array<Int>"),
      Row(#""5""#, [], .mismatched, "p: typeMismatch Array<Int>"),
      Row(
        #"[1, "2", "x", null, true, "6"]"#, [1, 2, 1, 6], .lacksElements, visible: 2,
        "p[1]: converted Int", "p[2]: typeMismatch Int", "p[3]: valueNotFound Int",
        "p[4]: converted Int", "p[5]: converted Int"),
    ]
    try verify(ArrayModel.self, rows)
    try verify(LosslessModel<[Int]>.self, rows)
  }

  @Test func `values of a dictionary are converted or left out`() throws {
    let rows: [Row<[String: Int]>] = [
      Row(nil, [:], .missing), Row("null", [:], .null),
      Row("[]", [:], .mismatched, "p: typeMismatch Dictionary<String, Int>"),
      Row(
        #"{"a": 1, "b_c": "2", "d": "x"}"#, ["a": 1, "b_c": 2], .lacksEntries, visible: 1,
        "p{b_c}: converted Int", "p{d}: typeMismatch Int"),
    ]
    try verify(DictionaryModel.self, rows)
    try verify(LosslessModel<[String: Int]>.self, rows)
  }

  @Test func `a raw value that cannot be converted takes its fallback`() throws {
    try verify(
      LosslessModel<Mood>.self,
      [
        Row(#""calm""#, .calm, .decoded),
        Row(nil, .unknown, .lacksKey, "p: keyNotFound Mood"),
        Row("null", .unknown, .lacksValue, "p: valueNotFound Mood"),
        Row(#""wild""#, .unknown, .novel, visible: 0, "p: unknownNovelValue Mood = wild"),
        Row("5", .unknown, .novel, visible: 0, "p: unknownNovelValue Mood = 5"),
        Row("[]", .unknown, .mismatched, "p: typeMismatch Mood"),
      ])
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
}

private struct OptionalModel: WrapperModel { @ResilientLossless var p: Int? }
private struct ArrayModel: WrapperModel { @ResilientLossless var p: [Int] }
private struct DictionaryModel: WrapperModel { @ResilientLossless var p: [String: Int] }

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
