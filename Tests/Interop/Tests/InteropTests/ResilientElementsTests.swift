import ResilientDecoding
import Testing

struct ResilientElementsTests {
  @Test func `a default stands in for a bad element`() throws {
    let rows: [Row<[Int]>] = [
      Row(
        #"{"p": [1, "x", null, {"a": 1}, 5]}"#, [1, -1, -1, -1, 5], "p[1]: typeMismatch Int",
        "p[2]: valueNotFound Int", "p[3]: typeMismatch Int"
      ).differing(
        in: .xml, because: "an element that has elements has no text", [1, -1, -1, -1, 5],
        "p[1]: typeMismatch Int", "p[2]: valueNotFound Int", "p[3]: valueNotFound Int"),
      Row("{}", []),
      Row(#"{"p": null}"#, []).differing(
        in: .xml, because: "there is no null: it is an array of one element, which is empty", [-1],
        "p[0]: valueNotFound Int"),
      Row(#"{"p": "x"}"#, [], "p: typeMismatch Array<Int>").differing(
        in: .xml, because: "one element is an array of one", [-1], "p[0]: typeMismatch Int"),
    ]
    try verify(rows, ElementsModel.self, \.p)
  }

  @Test func `an element is converted before it is given up`() throws {
    let rows: [Row<[Int]>] = [
      Row(
        #"{"p": ["1", "x", true]}"#, [1, -1, 1], "p[0]: converted Int", "p[1]: typeMismatch Int",
        "p[2]: converted Int"
      ).differing(
        in: .xml, because: "a number is text of digits", [1, -1, 1], "p[1]: typeMismatch Int",
        "p[2]: converted Int")
    ]
    try verify(rows, ConvertedModel.self, \.p)
  }
}

private struct ElementsModel: Decodable {
  @ResilientElements<MinusOne> var p: [Int]
}

private struct ConvertedModel: Decodable {
  @ResilientLossless @ResilientElements<MinusOne> var p: [Int]
}
