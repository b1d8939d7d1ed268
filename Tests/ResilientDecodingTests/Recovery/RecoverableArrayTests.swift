import Foundation
import ResilientDecoding
import Testing

/// Arrays and sets: only the innermost bad leaf is lost.
struct RecoverableArrayTests {
  @Test func `an array loses only the bad elements, and is nil only if it is absent`() throws {
    func rows<Value>(none: Value, _ make: ([Int]) -> Value) -> [Row<Value>] {
      [
        Row(nil, none, .missing), Row("null", none, .null),
        Row("[]", make([]), .decoded), Row("[1, 2, 3]", make([1, 2, 3]), .decoded),
        Row("{}", make([]), .mismatched, "p: typeMismatch Array<Int>"),
        Row("7", make([]), .mismatched, "p: typeMismatch Array<Int>"),
        Row(
          #"[1, "2", 3, null, [5], 6]"#, make([1, 3, 6]), .lacksElements,
          "p[1]: typeMismatch Int", "p[3]: valueNotFound Int", "p[4]: typeMismatch Int"),
        Row(
          "[null, null]", make([]), .lacksElements,
          "p[0]: valueNotFound Int", "p[1]: valueNotFound Int"),
      ]
    }
    try verify(Numbers.self, rows(none: []) { $0 })
    try verify(OptionalNumbers.self, rows(none: nil) { $0 })
  }

  @Test func `indices are those of the payload, even after dropped elements`() throws {
    try verify(
      Points.self,
      [
        Row(
          #"[{"x": 0}, {"x": 1, "y": 1}, 2, null, {"x": 4, "y": "4"}, {"x": 5, "y": 5}]"#,
          [Point(x: 1, y: 1), Point(x: 5, y: 5)], .lacksElements,
          "p[0]/y: keyNotFound", "p[2]: typeMismatch Point", "p[3]: valueNotFound Point",
          "p[4]/y: typeMismatch Int")
      ])
  }

  @Test(arguments: Format.allCases)
  func `an error that an element recovers from has the element's index in the payload`(
    format: Format
  ) throws {
    let json = #"{"p": [null, {"p": [1, "x", 3]}, 0, {"p": [[], 2]}]}"#
    let (grid, digest) = try format.decode(GenericModel<[Line]>.self, from: json)
    #expect(grid.p.map(\.p) == [[1, 3], [2]])
    #expect(digest?.paths == ["p[0]", "p[1].p[1]", "p[2]", "p[3].p[0]"])
  }

  @Test func `an array in an array loses only the bad leaf`() throws {
    func rows<Value>(none: Value, _ make: ([[Int]]) -> Value) -> [Row<Value>] {
      [
        Row(nil, none, .missing), Row("null", none, .null),
        Row("[[1], [], [2, 3]]", make([[1], [], [2, 3]]), .decoded),
        Row("7", make([]), .mismatched, "p: typeMismatch Array<Array<Int>>"),
        Row(
          #"[[1, "x"], null, 5, [null, 2], {}]"#, make([[1], [2]]), .lacksElements,
          "p[0][1]: typeMismatch Int", "p[1]: valueNotFound Array<Int>",
          "p[2]: typeMismatch Array<Int>", "p[3][0]: valueNotFound Int",
          "p[4]: typeMismatch Array<Int>"),
      ]
    }
    try verify(Arrays.self, rows(none: []) { $0 })
    try verify(OptionalArrays.self, rows(none: nil) { $0 })
  }

  @Test func `a bad optional element is reported and becomes nil; null is nil`() throws {
    try verify(
      Optionals.self,
      [
        Row(nil, [], .missing), Row("null", [], .null),
        Row("[1, null, 3]", [1, nil, 3], .decoded),
        Row(
          #"[1, "x", null, {}, 5]"#, [1, nil, nil, nil, 5], .lacksElements,
          "p[1]: typeMismatch Int", "p[3]: typeMismatch Int"),
        Row("{}", [], .mismatched, "p: typeMismatch Array<Optional<Int>>"),
      ])
  }

  @Test func `a dictionary in an array loses only the bad leaf`() throws {
    try verify(
      Dictionaries.self,
      [
        Row(nil, [], .missing), Row(#"[{"a": 1}, {}]"#, [["a": 1], [:]], .decoded),
        Row(
          #"[{"a": 1, "b": "x"}, null, [], {"c": 3, "d": null}]"#, [["a": 1], ["c": 3]],
          .lacksElements, "p[0]{b}: typeMismatch Int",
          "p[1]: valueNotFound Dictionary<String, Int>",
          "p[2]: typeMismatch Dictionary<String, Int>", "p[3]{d}: valueNotFound Int"),
      ])
  }

  @Test func `only the bad leaf is lost at any depth`() throws {
    try verify(
      GenericModel<[[Int]?]>.self,
      [
        Row(
          #"[[1, "x"], null, 5, [2]]"#, [[1], nil, nil, [2]], .lacksElements,
          "p[0][1]: typeMismatch Int", "p[2]: typeMismatch Array<Int>")
      ])
    try verify(
      GenericModel<[[[Int]]]>.self,
      [
        Row(
          #"[[[1, "x"], 2], 3, [[], [null, 4]]]"#, [[[1]], [[], [4]]], .lacksElements,
          "p[0][0][1]: typeMismatch Int", "p[0][1]: typeMismatch Array<Int>",
          "p[1]: typeMismatch Array<Array<Int>>", "p[2][1][0]: valueNotFound Int")
      ])
    try verify(
      GenericModel<[[Point]]>.self,
      [
        Row(
          #"[[{"x": 1, "y": 2}, {"x": 1}], [{"x": "1", "y": 2}]]"#, [[Point(x: 1, y: 2)], []],
          .lacksElements, "p[0][1]/y: keyNotFound", "p[1][0]/x: typeMismatch Int")
      ])
  }

  @Test func `a set loses only the bad elements, and is nil only if it is absent`() throws {
    func rows<Value>(none: Value, _ make: (Set<Int>) -> Value) -> [Row<Value>] {
      [
        Row(nil, none, .missing), Row("null", none, .null),
        Row("[3, 1, 3]", make([1, 3]), .decoded),
        Row("{}", make([]), .mismatched, "p: typeMismatch Set<Int>"),
        Row(
          #"[1, "x", 1, null, 4]"#, make([1, 4]), .lacksElements,
          "p[1]: typeMismatch Int", "p[3]: valueNotFound Int"),
      ]
    }
    try verify(SetModel.self, rows(none: []) { $0 })
    try verify(OptionalSet.self, rows(none: nil) { $0 })
    try verify(
      GenericModel<Set<[Int]>>.self,
      [
        Row(
          #"[[1, "x"], [2], 5]"#, [[1], [2]], .lacksElements, "p[0][1]: typeMismatch Int",
          "p[2]: typeMismatch Array<Int>")
      ])
  }

  @Test(arguments: Format.allCases)
  func `a set in an array, a dictionary and a set loses only the bad leaf`(
    format: Format
  ) throws {
    let (model, digest) = try format.decode(
      Nest.self,
      from: #"{"rows": [[1, "x"]], "byName": {"a": [2, "y"]}, "sets": [[3, "z"]]}"#
    )
    #expect(model == Nest(rows: [[1]], byName: ["a": [2]], sets: [[3]]))
    #expect(digest?.paths == ["rows[0][1]", "byName.a[1]", "sets[0][1]"])
  }

  @Test func `values in collections are decoded with the decoder's strategies`() throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    let json = """
      {"dates": [0, "x", 60], "datesByName": {"a": 0, "b": "x"}, "one": 60, "rows": [[0, "x"]],
        "maybes": [0, null, "x"], "byName": {"a": [0, "x"]}, "byNumber": {"1": 0, "2": "x"},
        "set": [0, "x"], "links": [["a:b", 5]]}
      """
    let (days, digest) = try decoder.decodeReporting(Days.self, json)
    let zero = Date(timeIntervalSince1970: 0)
    #expect(days.dates == [zero, zero + 60] && days.datesByName == ["a": zero])
    #expect(days.one == zero + 60)
    #expect(days.rows == [[zero]] && days.maybes == [zero, nil, nil] && days.set == [zero])
    #expect(days.byName == ["a": [zero]] && days.byNumber == [1: zero])
    #expect(days.links.map { $0.map(\.absoluteString) } == [["a:b"]])
    #expect(
      digest?.paths == [
        "dates[1]", "datesByName.b", "rows[0][1]", "maybes[2]", "byName.a[1]", "byNumber.2",
        "set[1]", "links[0][1]",
      ])
  }
}

private struct Numbers: PropertyModel { @Resilient var p: [Int] }
private struct OptionalNumbers: PropertyModel { @Resilient var p: [Int]? }
private struct Points: PropertyModel { @Resilient var p: [Point] }
private struct Line: PropertyModel, Equatable { @Resilient var p: [Int] }
private struct Arrays: PropertyModel { @Resilient var p: [[Int]] }
private struct OptionalArrays: PropertyModel { @Resilient var p: [[Int]]? }
private struct Optionals: PropertyModel { @Resilient var p: [Int?] }
private struct Dictionaries: PropertyModel { @Resilient var p: [[String: Int]] }
private struct SetModel: PropertyModel { @Resilient var p: Set<Int> }
private struct OptionalSet: PropertyModel { @Resilient var p: Set<Int>? }

private struct Nest: Decodable, Equatable {
  @Resilient var rows: [Set<Int>]
  @Resilient var byName: [String: Set<Int>]
  @Resilient var sets: Set<Set<Int>>
}

private struct Days: Decodable {
  @Resilient var dates: [Date]
  @Resilient var datesByName: [String: Date]
  @Resilient var one: Date?
  @Resilient var rows: [[Date]]
  @Resilient var maybes: [Date?]
  @Resilient var byName: [String: [Date]]
  @Resilient var byNumber: [Int: Date]
  @Resilient var set: Set<Date>
  @Resilient var links: [[URL]]
}
