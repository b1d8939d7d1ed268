import Foundation
import ResilientDecoding
import Testing

struct ResilientDecodableArrayTests {
  /// The rows that an array and an optional one have in common.
  private static func present<Value>(_ make: ([Int]) -> Value) -> [Row<Value>] {
    [
      Row("[]", make([]), "decodedSuccessfully"),
      Row("[1, 2, 3]", make([1, 2, 3]), "decodedSuccessfully"),
      Row(
        "{}",
        make([]),
        "recoveredFrom(typeMismatch, wasReported: true)",
        Report("p", .typeMismatch, expecting: "Array<Int>")
      ),
      Row(
        "7",
        make([]),
        "recoveredFrom(typeMismatch, wasReported: true)",
        Report("p", .typeMismatch, expecting: "Array<Int>")
      ),
      Row(
        #"[1, "2", 3, null, [5], 6]"#,
        make([1, 3, 6]),
        "recoveredFrom(ArrayDecodingError, wasReported: false)",
        Report("p[1]", pattern: "p[]", .typeMismatch, expecting: "Int"),
        Report("p[3]", pattern: "p[]", .valueNotFound, expecting: "Int"),
        Report("p[4]", pattern: "p[]", .typeMismatch, expecting: "Int")
      ),
      Row(
        "[null, null]",
        make([]),
        "recoveredFrom(ArrayDecodingError, wasReported: false)",
        Report("p[0]", pattern: "p[]", .valueNotFound, expecting: "Int"),
        Report("p[1]", pattern: "p[]", .valueNotFound, expecting: "Int")
      ),
    ]
  }

  static let arrays: [Row<[Int]>] =
    [Row(nil, [], "keyNotFound"), Row("null", [], "valueWasNil")] + present { $0 }

  static let optionalArrays: [Row<[Int]?>] =
    [Row(nil, nil, "keyNotFound"), Row("null", nil, "valueWasNil")] + present { $0 }

  @Test(arguments: arrays, Format.allCases)
  func `an array loses only the bad elements`(row: Row<[Int]>, format: Format) throws {
    try row.verify(ArrayModel.self, in: format)
  }

  @Test(arguments: arrays, Format.allCases)
  func `an array in a generic model loses only the bad elements`(row: Row<[Int]>, format: Format)
    throws
  {
    try row.verify(GenericModel<[Int]>.self, in: format)
  }

  @Test(arguments: optionalArrays, Format.allCases)
  func `an optional array is nil only if it is absent`(
    row: Row<[Int]?>,
    format: Format
  ) throws {
    try row.verify(OptionalArrayModel.self, in: format)
  }

  @Test(arguments: optionalArrays, Format.allCases)
  func `an optional array in a generic model is nil only if it is absent`(
    row: Row<[Int]?>,
    format: Format
  ) throws {
    try row.verify(GenericModel<[Int]?>.self, in: format)
  }

  @Test(arguments: Format.allCases)
  func `indices are those of the payload, even after dropped elements`(format: Format) throws {
    let row = Row(
      #"[{"x": 0}, {"x": 1, "y": 1}, 2, null, {"x": 4, "y": "4"}, {"x": 5, "y": 5}]"#,
      [Point(x: 1, y: 1), Point(x: 5, y: 5)],
      "recoveredFrom(ArrayDecodingError, wasReported: false)",
      Report("p[0].y", recoveredAt: "p[0]", pattern: "p[].y", .keyNotFound),
      Report("p[2]", pattern: "p[]", .typeMismatch, expecting: "ResilientDecodingTests.Point"),
      Report("p[3]", pattern: "p[]", .valueNotFound, expecting: "ResilientDecodingTests.Point"),
      Report(
        "p[4].y",
        recoveredAt: "p[4]",
        pattern: "p[].y",
        .typeMismatch,
        expecting: "Int"
      )
    )
    try row.verify(PointArrayModel.self, in: format)
  }

  @Test(arguments: Format.allCases)
  func `an error that an element recovers from has the element's index in the payload`(
    format: Format
  ) throws {
    let json = #"{"rows": [null, {"cells": [1, "x", 3]}, 0, {"cells": [[], 2]}]}"#
    let (table, digest) = try format.decode(Grid.self, from: json)
    #expect(table.rows.map(\.cells) == [[1, 3], [2]])
    #expect(digest?.paths == ["rows[0]", "rows[1].cells[1]", "rows[2]", "rows[3].cells[0]"])
  }

  @Test func `elements are decoded with the decoder's strategies`() throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    let reporter = decoder.enableResilientDecodingErrorReporting()
    let json = #"{"dates": [0, "x", 60], "byName": {"a": 0, "b": "x"}, "one": 60}"#
    let days = try decoder.decode(Days.self, from: Data(json.utf8))
    let zero = Date(timeIntervalSince1970: 0)
    #expect(days.dates == [zero, zero + 60])
    #expect(days.byName == ["a": zero])
    #expect(days.one == zero + 60)
    #expect(reporter.flushReportedErrors()?.paths == ["dates[1]", "byName.b"])
  }
}

private struct ArrayModel: PropertyModel {
  @Resilient var p: [Int]
  var property: Resilient<[Int]> { _p }
}

private struct OptionalArrayModel: PropertyModel {
  @Resilient var p: [Int]?
  var property: Resilient<[Int]?> { _p }
}

private struct PointArrayModel: PropertyModel {
  @Resilient var p: [Point]
  var property: Resilient<[Point]> { _p }
}

private struct Grid: Decodable {
  struct Line: Decodable {
    @Resilient var cells: [Int]
  }

  @Resilient var rows: [Line]
}

private struct Days: Decodable {
  @Resilient var dates: [Date]
  @Resilient var byName: [String: Date]
  @Resilient var one: Date?
}
