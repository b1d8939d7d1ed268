import Foundation
import ResilientDecoding
import Testing

struct ResilientElementsTests {
  private static let bad = "recoveredFrom(ArrayDecodingError, wasReported: false)"

  static let strings: [Row<[String]>] = [
    Row(nil, [], "keyNotFound"),
    Row("null", [], "valueWasNil"),
    Row(#"["a", "b"]"#, ["a", "b"], "decodedSuccessfully"),
    Row(
      "{}", [], "recoveredFrom(typeMismatch, wasReported: true)",
      Report("p", .typeMismatch, expecting: "Array<String>")
    ),
    Row(
      #"["a", 1, null, [], "e"]"#, ["a", "untitled", "untitled", "untitled", "e"], bad,
      Report("p[1]", pattern: "p[]", .typeMismatch, expecting: "String"),
      Report("p[2]", pattern: "p[]", .valueNotFound, expecting: "String"),
      Report("p[3]", pattern: "p[]", .typeMismatch, expecting: "String")
    ),
  ]

  @Test(arguments: strings, Format.allCases)
  func `a default replaces a bad element`(row: Row<[String]>, format: Format) throws {
    try row.verify(ElementsModel<Untitled>.self, in: format)
    try row.verify(Foreignly<ElementsModel<Untitled>>.self, in: format)
  }

  @Test(arguments: Format.allCases)
  func `a default, not the fallback, replaces a novel value`(
    format: Format
  ) throws {
    let row = Row<[Mood]>(
      #"["unknown", "wild"]"#, [.unknown, .calm], Self.bad, visible: 0,
      Report(
        "p[1]", pattern: "p[]", .unknownNovelValue, expecting: "ResilientDecodingTests.Mood",
        novel: "wild", of: "String")
    )
    try row.verify(ElementsModel<Calm>.self, in: format)
  }

  @Test(arguments: Format.allCases)
  func `null is a valid optional element, and a default replaces a bad one`(
    format: Format
  ) throws {
    let row = Row<[Int?]>(
      #"[1, null, "x"]"#, [1, nil, 0], Self.bad,
      Report("p[2]", pattern: "p[]", .typeMismatch, expecting: "Int")
    )
    try row.verify(ElementsModel<DefaultValue.Zero<Int>?>.self, in: format)
    try row.verify(Foreignly<ElementsModel<DefaultValue.Zero<Int>?>>.self, in: format)
  }

  @Test(arguments: Format.allCases)
  func `an element that is an array keeps its good elements`(format: Format) throws {
    let row = Row<[[Int]]>(
      #"[[1, "x"], 5, null]"#, [[1], [7], [7]], Self.bad,
      Report("p[0][1]", pattern: "p[][]", .typeMismatch, expecting: "Int"),
      Report("p[1]", pattern: "p[]", .typeMismatch, expecting: "Array<Int>"),
      Report("p[2]", pattern: "p[]", .valueNotFound, expecting: "Array<Int>")
    )
    try row.verify(ElementsModel<Seven>.self, in: format)
    try row.verify(Foreignly<ElementsModel<Seven>>.self, in: format)
  }

  @Test(arguments: Format.allCases)
  func `an array with replaced elements can be an element, a value and a document`(
    format: Format
  ) throws {
    let (model, digest) = try format.decode(
      Lists.self, from: #"{"rows": [["a", 1], null, 5], "byName": {"a": [2, "b"]}}"#)
    #expect(model.rows.map(\.wrappedValue) == [["a", "untitled"], [], []])
    #expect(model.byName.mapValues(\.wrappedValue) == ["a": ["untitled", "b"]])
    #expect(digest?.paths == ["rows[0][1]", "rows[2]", "byName.a[0]"])
    let (document, errors) = try format.decode(
      ResilientElements<Untitled>.self, from: #"[1, "a"]"#)
    #expect(document.wrappedValue == ["untitled", "a"])
    #expect(errors?.paths == ["[0]"])
  }

  #if DEBUG
    @Test func `a replaced element is a failure in its place`() throws {
      let (model, _) = try Format.json.decode(
        ElementsModel<Untitled>.self, from: #"{"p": ["a", 1, "c", null]}"#)
      #expect(model.$p.results.map { try? $0.get() } == ["a", nil, "c", nil])
      #expect(model.$p.errors.map(nameOfCase) == ["typeMismatch", "valueNotFound"])
    }
  #endif
}

private struct Lists: Decodable {
  let rows: [ResilientElements<Untitled>]
  let byName: [String: ResilientElements<Untitled>]
}
