import ResilientDecoding
import Testing

struct ResilientDecodableOptionalTests {
  static let scalars: [Row<Int?>] = [
    Row(nil, nil, "keyNotFound"),
    Row("null", nil, "valueWasNil"),
    Row("3", 3, "decodedSuccessfully"),
    Row(
      #""three""#,
      nil,
      "recoveredFrom(typeMismatch, wasReported: true)",
      Report("p", .typeMismatch, expecting: "Int")
    ),
    Row(
      "[3]",
      nil,
      "recoveredFrom(typeMismatch, wasReported: true)",
      Report("p", .typeMismatch, expecting: "Int")
    ),
  ]

  @Test(arguments: scalars, Format.allCases)
  func `an optional is nil if it cannot be decoded`(row: Row<Int?>, format: Format) throws {
    try row.verify(OptionalInt.self, in: format)
  }

  @Test(arguments: scalars, Format.allCases)
  func `an optional in a generic model is nil too`(row: Row<Int?>, format: Format) throws {
    try row.verify(GenericModel<Int?>.self, in: format)
  }

  static let objects: [Row<Point?>] = [
    Row(nil, nil, "keyNotFound"),
    Row("null", nil, "valueWasNil"),
    Row(#"{"x": 1, "y": 2}"#, Point(x: 1, y: 2), "decodedSuccessfully"),
    Row(
      #"{"x": 1}"#,
      nil,
      "recoveredFrom(keyNotFound, wasReported: true)",
      Report("p.y", recoveredAt: "p", .keyNotFound)
    ),
    Row(
      #"{"x": 1, "y": null}"#,
      nil,
      "recoveredFrom(valueNotFound, wasReported: true)",
      Report("p.y", recoveredAt: "p", .valueNotFound, expecting: "Int")
    ),
    Row(
      #"{"x": "1", "y": 2}"#,
      nil,
      "recoveredFrom(typeMismatch, wasReported: true)",
      Report("p.x", recoveredAt: "p", .typeMismatch, expecting: "Int")
    ),
  ]

  @Test(arguments: objects, Format.allCases)
  func `an error in an object has its path`(row: Row<Point?>, format: Format) throws {
    try row.verify(OptionalPoint.self, in: format)
  }

  @Test(arguments: objects, Format.allCases)
  func `an error in an object of a generic model has its path`(
    row: Row<Point?>,
    format: Format
  ) throws {
    try row.verify(GenericModel<Point?>.self, in: format)
  }

  @Test(arguments: Format.allCases)
  func `an error without an expected type gets the wrapped type`(
    format: Format
  ) throws {
    let expected = [Report("p", .other, expecting: "ResilientDecodingTests.Clumsy")]
    let json = #"{"p": 1}"#
    #expect(try format.decode(OptionalClumsy.self, from: json).1?.reports == expected)
    #expect(try format.decode(GenericModel<Clumsy?>.self, from: json).1?.reports == expected)
    let elements = try format.decode([String: Resilient<Clumsy?>].self, from: json).1
    #expect(elements?.entries.map(\.expectedType) == ["ResilientDecodingTests.Clumsy"])
  }
}

private struct OptionalClumsy: Decodable {
  @Resilient var p: Clumsy?
}

private struct OptionalInt: PropertyModel {
  @Resilient var p: Int?
  var property: Resilient<Int?> { _p }
}

private struct OptionalPoint: PropertyModel {
  @Resilient var p: Point?
  var property: Resilient<Point?> { _p }
}
