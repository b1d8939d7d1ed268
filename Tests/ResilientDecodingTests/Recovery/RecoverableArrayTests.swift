import Foundation
import ResilientDecoding
import Testing

/// Arrays of collections: only the innermost bad leaf is lost.
struct RecoverableArrayTests {
  private static let bad = "recoveredFrom(ArrayDecodingError, wasReported: false)"
  private static let wrongShape = "recoveredFrom(typeMismatch, wasReported: true)"

  private static func arrays<Value>(
    none: Value,
    _ make: ([[Int]]) -> Value
  ) -> [Row<Value>] {
    [
      Row(nil, none, "keyNotFound"),
      Row("null", none, "valueWasNil"),
      Row("[[1], [], [2, 3]]", make([[1], [], [2, 3]]), "decodedSuccessfully"),
      Row(
        "7", make([]), wrongShape,
        Report("p", .typeMismatch, expecting: "Array<Array<Int>>")
      ),
      Row(
        #"[[1, "x"], null, 5, [null, 2], {}]"#, make([[1], [2]]), bad,
        Report("p[0][1]", pattern: "p[][]", .typeMismatch, expecting: "Int"),
        Report("p[1]", pattern: "p[]", .valueNotFound, expecting: "Array<Int>"),
        Report("p[2]", pattern: "p[]", .typeMismatch, expecting: "Array<Int>"),
        Report("p[3][0]", pattern: "p[][]", .valueNotFound, expecting: "Int"),
        Report("p[4]", pattern: "p[]", .typeMismatch, expecting: "Array<Int>")
      ),
    ]
  }

  @Test(arguments: arrays(none: []) { $0 }, Format.allCases)
  func `an array in an array loses only the bad leaf`(row: Row<[[Int]]>, format: Format) throws {
    try row.verify(Arrays.self, in: format)
    try row.verify(Foreignly<Arrays>.self, in: format)
    try row.verify(GenericModel<[[Int]]>.self, in: format)
  }

  @Test(arguments: arrays(none: nil) { $0 }, Format.allCases)
  func `an optional array of arrays loses only the bad leaf`(
    row: Row<[[Int]]?>,
    format: Format
  ) throws {
    try row.verify(OptionalArrays.self, in: format)
    try row.verify(Foreignly<OptionalArrays>.self, in: format)
    try row.verify(GenericModel<[[Int]]?>.self, in: format)
  }

  static let optionals: [Row<[Int?]>] = [
    Row(nil, [], "keyNotFound"),
    Row("null", [], "valueWasNil"),
    Row("[1, null, 3]", [1, nil, 3], "decodedSuccessfully"),
    Row(
      #"[1, "x", null, {}, 5]"#, [1, nil, nil, nil, 5], bad,
      Report("p[1]", pattern: "p[]", .typeMismatch, expecting: "Int"),
      Report("p[3]", pattern: "p[]", .typeMismatch, expecting: "Int")
    ),
    Row("{}", [], wrongShape, Report("p", .typeMismatch, expecting: "Array<Optional<Int>>")),
  ]

  @Test(arguments: optionals, Format.allCases)
  func `a bad optional element is reported and becomes nil; null is nil`(
    row: Row<[Int?]>,
    format: Format
  ) throws {
    try row.verify(Optionals.self, in: format)
    try row.verify(Foreignly<Optionals>.self, in: format)
    try row.verify(GenericModel<[Int?]>.self, in: format)
  }

  @Test(arguments: Format.allCases)
  func `an optional array as an element becomes nil or loses a leaf`(
    format: Format
  ) throws {
    let row = Row<[[Int]?]>(
      #"[[1, "x"], null, 5, [2]]"#, [[1], nil, nil, [2]], Self.bad,
      Report("p[0][1]", pattern: "p[][]", .typeMismatch, expecting: "Int"),
      Report("p[2]", pattern: "p[]", .typeMismatch, expecting: "Array<Int>")
    )
    try row.verify(GenericModel<[[Int]?]>.self, in: format)
  }

  static let dictionaries: [Row<[[String: Int]]>] = [
    Row(nil, [], "keyNotFound"),
    Row(#"[{"a": 1}, {}]"#, [["a": 1], [:]], "decodedSuccessfully"),
    Row(
      #"[{"a": 1, "b": "x"}, null, [], {"c": 3, "d": null}]"#, [["a": 1], ["c": 3]], bad,
      Report("p[0].b", pattern: "p[].*", .typeMismatch, expecting: "Int"),
      Report("p[1]", pattern: "p[]", .valueNotFound, expecting: "Dictionary<String, Int>"),
      Report("p[2]", pattern: "p[]", .typeMismatch, expecting: "Dictionary<String, Int>"),
      Report("p[3].d", pattern: "p[].*", .valueNotFound, expecting: "Int")
    ),
  ]

  @Test(arguments: dictionaries, Format.allCases)
  func `a dictionary in an array loses only the bad leaf`(
    row: Row<[[String: Int]]>,
    format: Format
  ) throws {
    try row.verify(Dictionaries.self, in: format)
    try row.verify(Foreignly<Dictionaries>.self, in: format)
    try row.verify(GenericModel<[[String: Int]]>.self, in: format)
  }

  @Test(arguments: Format.allCases)
  func `only the bad leaf is lost three arrays deep`(format: Format) throws {
    let row = Row<[[[Int]]]>(
      #"[[[1, "x"], 2], 3, [[], [null, 4]]]"#, [[[1]], [[], [4]]], Self.bad,
      Report("p[0][0][1]", pattern: "p[][][]", .typeMismatch, expecting: "Int"),
      Report("p[0][1]", pattern: "p[][]", .typeMismatch, expecting: "Array<Int>"),
      Report("p[1]", pattern: "p[]", .typeMismatch, expecting: "Array<Array<Int>>"),
      Report("p[2][1][0]", pattern: "p[][][]", .valueNotFound, expecting: "Int")
    )
    try row.verify(GenericModel<[[[Int]]]>.self, in: format)
  }

  @Test(arguments: Format.allCases)
  func `an error deep in a leaf has its own path and the leaf's path`(format: Format) throws {
    let row = Row<[[Point]]>(
      #"[[{"x": 1, "y": 2}, {"x": 1}], [{"x": "1", "y": 2}]]"#, [[Point(x: 1, y: 2)], []],
      Self.bad,
      Report("p[0][1].y", recoveredAt: "p[0][1]", pattern: "p[][].y", .keyNotFound),
      Report(
        "p[1][0].x", recoveredAt: "p[1][0]", pattern: "p[][].x", .typeMismatch, expecting: "Int"
      )
    )
    try row.verify(GenericModel<[[Point]]>.self, in: format)
  }

  @Test func `values deep in collections are decoded with the decoder's strategies`() throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    let json = """
      {"rows": [[0, "x"]], "maybes": [0, null, "x"], "byName": {"a": [0, "x"]},
        "byNumber": {"1": 0, "2": "x"}, "set": [0, "x"], "links": [["a:b", 5]]}
      """
    let (days, digest) = try decoder.decode(
      Days.self, from: Data(json.utf8), reportResilientDecodingErrors: true)
    let zero = Date(timeIntervalSince1970: 0)
    #expect(days.rows == [[zero]] && days.maybes == [zero, nil, nil] && days.set == [zero])
    #expect(days.byName == ["a": [zero]] && days.byNumber == [1: zero])
    #expect(days.links.map { $0.map(\.absoluteString) } == [["a:b"]])
    #expect(
      digest?.paths == [
        "rows[0][1]", "maybes[2]", "byName.a[1]", "byNumber.2", "set[1]", "links[0][1]",
      ]
    )
  }

  @Test(arguments: Format.allCases)
  func `a document can be an array of arrays`(format: Format) throws {
    let (rows, digest) = try format.decode(
      Resilient<[[Int]]>.self, from: #"[[1, "x"], 5, [2]]"#)
    #expect(rows.wrappedValue == [[1], [2]])
    #expect(
      digest?.reports == [
        Report("[0][1]", pattern: "[][]", .typeMismatch, expecting: "Int"),
        Report("[1]", pattern: "[]", .typeMismatch, expecting: "Array<Int>"),
      ]
    )
  }
}

private struct Arrays: PropertyModel {
  @Resilient var p: [[Int]]
  var property: Resilient<[[Int]]> { _p }
}

private struct OptionalArrays: PropertyModel {
  @Resilient var p: [[Int]]?
  var property: Resilient<[[Int]]?> { _p }
}

private struct Optionals: PropertyModel {
  @Resilient var p: [Int?]
  var property: Resilient<[Int?]> { _p }
}

private struct Dictionaries: PropertyModel {
  @Resilient var p: [[String: Int]]
  var property: Resilient<[[String: Int]]> { _p }
}

private struct Days: Decodable {
  @Resilient var rows: [[Date]]
  @Resilient var maybes: [Date?]
  @Resilient var byName: [String: [Date]]
  @Resilient var byNumber: [Int: Date]
  @Resilient var set: Set<Date>
  @Resilient var links: [[URL]]
}
