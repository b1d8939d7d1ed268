import ResilientDecoding
import Testing

struct OptionalElementsTests {
  @Test func `an optional element is nil and keeps its place`() throws {
    let rows: [Row<[Int?]>] = [
      Row(
        #"{"p": [1, "x", [4], 5]}"#, [1, nil, nil, 5], "p[1]: typeMismatch Int",
        "p[2]: typeMismatch Int"
      ).differing(
        in: .xml, because: "an element that has elements has no text", [1, nil, nil, 5],
        "p[1]: typeMismatch Int", "p[2]: valueNotFound Int"),
      Row(#"{"p": [1, null, 3]}"#, [1, nil, 3]).differing(
        in: .xml, because: "there is no null, and an empty element holds no number", [1, nil, 3],
        "p[1]: valueNotFound Int"),
    ]
    try verify(rows, OptionalElementsModel.self, \.p)
    try verify(rows, GenericModel<[Int?]>.self, \.p)
  }
}

private struct OptionalElementsModel: Decodable {
  @Resilient var p: [Int?]
}
