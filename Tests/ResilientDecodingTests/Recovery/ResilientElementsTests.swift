import Foundation
import ResilientDecoding
import Testing

struct ResilientElementsTests {
  @Test func `a default replaces a bad element`() throws {
    try verify(
      ElementsModel<Untitled>.self,
      [
        Row(nil, [], .missing), Row("null", [], .null),
        Row(#"["a", "b"]"#, ["a", "b"], .decoded),
        Row("{}", [], .mismatched, "p: typeMismatch Array<String>"),
        Row(
          #"["a", 1, null, [], "e"]"#, ["a", "untitled", "untitled", "untitled", "e"],
          .lacksElements, "p[1]: typeMismatch String", "p[2]: valueNotFound String",
          "p[3]: typeMismatch String"),
      ])
  }

  @Test func `a default, not the fallback, replaces a novel value`() throws {
    try verify(
      ElementsModel<Calm>.self,
      [
        Row(
          #"["unknown", "wild"]"#, [.unknown, .calm], .lacksElements, visible: 0,
          "p[1]: unknownNovelValue Mood = wild")
      ])
  }

  @Test func `null is a valid optional element, and a default replaces a bad one`() throws {
    try verify(
      ElementsModel<DefaultValue.Zero<Int>?>.self,
      [Row(#"[1, null, "x"]"#, [1, nil, 0], .lacksElements, "p[2]: typeMismatch Int")])
  }

  @Test func `an element that is an array keeps its good elements`() throws {
    try verify(
      ElementsModel<Seven>.self,
      [
        Row(
          #"[[1, "x"], 5, null]"#, [[1], [7], [7]], .lacksElements, "p[0][1]: typeMismatch Int",
          "p[1]: typeMismatch Array<Int>", "p[2]: valueNotFound Array<Int>")
      ])
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
