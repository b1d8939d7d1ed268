import ResilientDecoding
import Testing

/// `Resilient` as a type: the whole document, a collection, an element.
struct ResilientTests {
  @Test func `a document that is a dictionary misses its bad leaves`() throws {
    let rows: [Row<[String: [Int]]>] = [
      Row(#"{"a": [1, "x"], "b": [3]}"#, ["a": [1], "b": [3]], "{a}[1]: typeMismatch Int"),
      Row("[1]", xml: "<r>1</r>", [:], ": typeMismatch Dictionary<String, Array<Int>>").differing(
        in: .xml, because: "the text of an element is its entry of the empty name", ["": [1]]),
    ]
    try verify(rows, Resilient<[String: [Int]]>.self, \.wrappedValue)
  }

  @Test func `a document that is an array of optionals keeps their places`() throws {
    let rows: [Row<[Int?]>] = [
      Row(#"[1, "x", null]"#, [1, nil, nil], "[1]: typeMismatch Int").differing(
        in: .xml, because: "there is no null, and an empty element holds no number", [1, nil, nil],
        "[1]: typeMismatch Int", "[2]: valueNotFound Int")
    ]
    try verify(rows, Resilient<[Int?]>.self, \.wrappedValue)
  }

  @Test func `a document that is a raw value takes its fallback`() throws {
    let rows: [Row<Mood>] = [
      Row(#""wild""#, .unknown, ": unknownNovelValue Mood = wild")
    ]
    try verify(rows, Resilient<Mood>.self, \.wrappedValue)
  }

  @Test func `a document that is an optional looks through to its members`() throws {
    let rows: [Row<Int?>] = [
      Row(#"{"id": 7, "address": {"zip": 1}}"#, 7),
      Row(#"{"id": 7, "address": {"city": 1}}"#, nil, "/address.zip: keyNotFound"),
    ]
    try verify(rows, Resilient<Item?>.self, \.id)
  }

  @Test func `a property that is a collection is one of its good elements`() throws {
    let rows: [Row<[Int]>] = [
      Row(#"{"p": [1, "x", 3]}"#, [1, 3], "p[1]: typeMismatch Int"),
      Row("{}", []),
    ]
    try verify(rows, CollectionModel.self) { Array($0.p) }
  }

  @Test func `an element that recovers keeps its place`() throws {
    let rows: [Row<[[Int]]>] = [
      Row(
        #"{"p": [[1, "x"], "y", [3]]}"#, [[1], [], [3]], "p[0][1]: typeMismatch Int",
        "p[1]: typeMismatch Array<Int>"
      ).differing(
        in: .xml, because: "an element of text is an array of one", [[1], [], [3]],
        "p[0][1]: typeMismatch Int", "p[1][0]: typeMismatch Int")
    ]
    try verify(rows, ElementsModel.self) { $0.p.map(\.wrappedValue) }
  }
}

private struct CollectionModel: Decodable {
  let p: Resilient<[Int]>
}

private struct ElementsModel: Decodable {
  let p: [Resilient<[Int]>]
}
