import ResilientDecoding
import Testing

struct SetTests {
  static let rows: [Row<Set<Int>>] = [
    Row(
      "bad elements",
      json: #"{"p": [1, "x", null, 1, 5]}"#,
      yaml: "p: [1, x, null, 1, 5]",
      xml: "<r><p>1</p><p>x</p><p/><p>1</p><p>5</p></r>",
      [1, 5],
      Report("p[1]", .typeMismatch, expecting: "Int"),
      Report("p[2]", .valueNotFound, expecting: "Int")
    ),
    Row("no key", json: "{}", yaml: "{}", xml: "<r/>", []),
    Row(
      "text",
      json: #"{"p": "x"}"#,
      yaml: "p: x",
      xml: "<r><p>x</p></r>",
      [],
      Report("p", .typeMismatch, expecting: "Set<Int>")
    ).differing(
      in: .xml,
      because: "one element is a set of one",
      [],
      Report("p[0]", .typeMismatch, expecting: "Int")
    ),
  ]

  @Test(arguments: rows, Way.all)
  func `a set misses what cannot be decoded`(row: Row<Set<Int>>, way: Way) throws {
    try row.verify(SetModel.self, way, \.p)
    try row.verify(GenericModel<Set<Int>>.self, way, \.p)
  }
}

private struct SetModel: Decodable {
  @Resilient var p: Set<Int>
}
