import ResilientDecoding
import Testing

struct RecoverableArraySetTests {
  private static let bad = "recoveredFrom(ArrayDecodingError, wasReported: false)"

  private static func sets<Value>(none: Value, _ make: (Set<Int>) -> Value) -> [Row<Value>] {
    [
      Row(nil, none, "keyNotFound"),
      Row("null", none, "valueWasNil"),
      Row("[3, 1, 3]", make([1, 3]), "decodedSuccessfully"),
      Row(
        "{}", make([]), "recoveredFrom(typeMismatch, wasReported: true)",
        Report("p", .typeMismatch, expecting: "Set<Int>")
      ),
      Row(
        #"[1, "x", 1, null, 4]"#, make([1, 4]), bad,
        Report("p[1]", pattern: "p[]", .typeMismatch, expecting: "Int"),
        Report("p[3]", pattern: "p[]", .valueNotFound, expecting: "Int")
      ),
    ]
  }

  @Test(arguments: sets(none: []) { $0 }, Format.allCases)
  func `a set loses only the bad elements`(row: Row<Set<Int>>, format: Format) throws {
    try row.verify(SetModel.self, in: format)
    try row.verify(Foreignly<SetModel>.self, in: format)
    try row.verify(GenericModel<Set<Int>>.self, in: format)
  }

  @Test(arguments: sets(none: nil) { $0 }, Format.allCases)
  func `an optional set is nil only if it is absent`(
    row: Row<Set<Int>?>,
    format: Format
  ) throws {
    try row.verify(OptionalSetModel.self, in: format)
    try row.verify(Foreignly<OptionalSetModel>.self, in: format)
    try row.verify(GenericModel<Set<Int>?>.self, in: format)
  }

  @Test(arguments: Format.allCases)
  func `a set of arrays loses only the bad leaf`(format: Format) throws {
    let row = Row<Set<[Int]>>(
      #"[[1, "x"], [2], 5]"#, [[1], [2]], Self.bad,
      Report("p[0][1]", pattern: "p[][]", .typeMismatch, expecting: "Int"),
      Report("p[2]", pattern: "p[]", .typeMismatch, expecting: "Array<Int>")
    )
    try row.verify(GenericModel<Set<[Int]>>.self, in: format)
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

  @Test(arguments: Format.allCases)
  func `a document can be a set`(format: Format) throws {
    let (set, digest) = try format.decode(Resilient<Set<Int>>.self, from: #"[1, "x", 1]"#)
    #expect(set.wrappedValue == [1])
    #expect(digest?.paths == ["[1]"])
  }
}

private struct SetModel: PropertyModel {
  @Resilient var p: Set<Int>
  var property: Resilient<Set<Int>> { _p }
}

private struct OptionalSetModel: PropertyModel {
  @Resilient var p: Set<Int>?
  var property: Resilient<Set<Int>?> { _p }
}

private struct Nest: Decodable, Equatable {
  @Resilient var rows: [Set<Int>]
  @Resilient var byName: [String: Set<Int>]
  @Resilient var sets: Set<Set<Int>>
}
