import Foundation
import ResilientDecoding
import Testing

/// Nested wrappers, in any order: each keeps the effect of the others.
struct ComposableWrapperTests {
  @Test func `a resilient property can use a default`() throws {
    try verify(
      ResilientAroundDefault.self,
      [
        Row(nil, 0, .missing), Row("null", 0, .null),
        Row(#""x""#, 0, .mismatched, "p: typeMismatch Int"),
      ])
  }

  @Test func `converting and recovering go together in any order`() throws {
    let rows: [Row<Int?>] = [
      Row(nil, nil, .missing), Row("null", nil, .null),
      Row(#""5""#, 5, .decoded, visible: 0, "p: converted Int"),
      Row(#""x""#, nil, .mismatched, "p: typeMismatch Int"),
    ]
    try verify(ResilientAroundLossless.self, rows)
    try verify(LosslessAroundResilient.self, rows)
  }

  @Test func `a value is converted before a default replaces it`() throws {
    try verify(
      LosslessDefault.self,
      [
        Row(nil, 0, .missing), Row("null", 0, .null), Row("5", 5, .decoded),
        Row(#""5""#, 5, .decoded, visible: 0, "p: converted Int"),
        Row("true", 1, .decoded, visible: 0, "p: converted Int"),
        Row(#""x""#, 0, .mismatched, "p: typeMismatch Int"),
        Row("{}", 0, .mismatched, "p: typeMismatch Int"),
      ])
    try verify(
      LosslessOptionalDefault.self,
      [
        Row(nil, 0, .missing), Row("null", 0, .null),
        Row(#""5""#, 5, .decoded, visible: 0, "p: converted Int"),
        Row(#""x""#, 0, .mismatched, "p: typeMismatch Int"),
      ])
  }

  @Test func `elements are converted, and the default replaces the whole array`() throws {
    try verify(
      LosslessSeven.self,
      [
        Row(nil, [7], .missing), Row("null", [7], .null),
        Row(#""5""#, [7], .mismatched, "p: typeMismatch Array<Int>"),
        Row(
          #"[1, "2", "x"]"#, [1, 2], .lacksElements, visible: 1, "p[1]: converted Int",
          "p[2]: typeMismatch Int"),
      ])
  }

  @Test func `an element is converted before it is replaced`() throws {
    try verify(
      LosslessElements.self,
      [
        Row(nil, [], .missing), Row("null", [], .null),
        Row(
          #"["a", 1, null, true, []]"#, ["a", "1", "untitled", "true", "untitled"], .lacksElements,
          visible: 2, "p[1]: converted String", "p[2]: valueNotFound String",
          "p[3]: converted String", "p[4]: typeMismatch String"),
      ])
  }

  @Test(arguments: Format.allCases)
  func `nested wrappers can be elements, values and documents`(format: Format) throws {
    let (model, digest) = try format.decode(
      Lists.self, from: #"{"stocks": ["1", null, "x"], "byName": {"a": "2", "b": []}}"#)
    #expect(model.stocks.map(\.wrappedValue.wrappedValue) == [1, 0, 0])
    #expect(model.byName.mapValues(\.wrappedValue.wrappedValue) == ["a": 2, "b": 0])
    #expect(
      digest?.reports == [
        "stocks[0]: converted Int", "stocks[2]: typeMismatch Int", "byName{a}: converted Int",
        "byName{b}: typeMismatch Int",
      ])
    let (tags, errors) = try format.decode(
      ResilientLossless<ResilientElements<Untitled>>.self, from: "[1, {}]")
    #expect(tags.wrappedValue.wrappedValue == ["1", "untitled"])
    #expect(errors?.reports == ["[0]: converted String", "[1]: typeMismatch String"])
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

private typealias Zero = DefaultValue.Zero<Int>

private struct ResilientAroundDefault: WrapperModel {
  @Resilient @ResilientDefault<Zero> var p: Int
}
private struct ResilientAroundLossless: WrapperModel { @Resilient @ResilientLossless var p: Int? }
private struct LosslessAroundResilient: WrapperModel { @ResilientLossless @Resilient var p: Int? }
private struct LosslessDefault: WrapperModel {
  @ResilientLossless @ResilientDefault<Zero> var p: Int
}

private struct LosslessOptionalDefault: WrapperModel {
  @ResilientLossless @ResilientDefault<Zero?> var p: Int?
}

private struct LosslessSeven: WrapperModel {
  @ResilientLossless @ResilientDefault<Seven> var p: [Int]
}

private struct LosslessElements: WrapperModel {
  @ResilientLossless @ResilientElements<Untitled> var p: [String]
}

private struct Lists: Decodable {
  let stocks: [ResilientLossless<ResilientDefault<Zero>>]
  let byName: [String: ResilientLossless<ResilientDefault<Zero>>]
}

private struct Wrappers: Decodable {
  @Resilient var prices: [ResilientLossless<Double>]
  @Resilient var names: [ResilientDefault<Untitled>]
  @Resilient var byName: [String: ResilientLossless<Double>]
  @Resilient var rows: [[ResilientLossless<Double>]]
}
