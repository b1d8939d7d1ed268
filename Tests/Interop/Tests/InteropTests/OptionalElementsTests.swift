import ResilientDecoding
import Testing

struct OptionalElementsTests {
  static let rows: [Row<[Int?]>] = [
    Row(
      "bad elements",
      json: #"{"p": [1, "x", [4], 5]}"#,
      yaml: "p: [1, x, [4], 5]",
      xml: "<r><p>1</p><p>x</p><p><q>4</q></p><p>5</p></r>",
      [1, nil, nil, 5],
      Report("p[1]", .typeMismatch, expecting: "Int"),
      Report("p[2]", .typeMismatch, expecting: "Int")
    ).differing(
      in: .xml,
      because: "an element that has elements has no text",
      [1, nil, nil, 5],
      Report("p[1]", .typeMismatch, expecting: "Int"),
      Report("p[2]", .valueNotFound, expecting: "Int")
    ),
    Row(
      "an element that is null",
      json: #"{"p": [1, null, 3]}"#,
      yaml: "p: [1, null, 3]",
      xml: "<r><p>1</p><p/><p>3</p></r>",
      [1, nil, 3]
    ).differing(
      in: .xml,
      because: "there is no null, and an empty element holds no number",
      [1, nil, 3],
      Report("p[1]", .valueNotFound, expecting: "Int")
    ),
  ]

  @Test(arguments: rows, Way.all)
  func `an optional element is nil and keeps its place`(row: Row<[Int?]>, way: Way) throws {
    try row.verify(OptionalElementsModel.self, way, \.p)
    try row.verify(GenericModel<[Int?]>.self, way, \.p)
  }
}

private struct OptionalElementsModel: Decodable {
  @Resilient var p: [Int?]
}
