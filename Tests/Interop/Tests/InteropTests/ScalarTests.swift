import ResilientDecoding
import Testing

struct ScalarTests {
  static let rows: [Row<UInt8?>] = [
    Row("a number", json: #"{"p": 5}"#, yaml: "p: 5", xml: "<r><p>5</p></r>", 5),
    Row("an attribute", json: #"{"p": 5}"#, yaml: "p: 5", xml: #"<r p="5"/>"#, 5),
    Row("no key", json: "{}", yaml: "{}", xml: "<r/>", nil),
    Row("null", json: #"{"p": null}"#, yaml: "p: null", xml: "<r><p/></r>", nil)
      .differing(
        in: .xml,
        because: "there is no null, and an empty element holds no number",
        nil,
        Report("p", .valueNotFound, expecting: "UInt8")
      ),
    Row(
      "text",
      json: #"{"p": "x"}"#,
      yaml: "p: x",
      xml: "<r><p>x</p></r>",
      nil,
      Report("p", .typeMismatch, expecting: "UInt8")
    ),
    Row(
      "text of digits",
      json: #"{"p": "5"}"#,
      yaml: #"p: "5""#,
      xml: "<r><p>5</p></r>",
      nil,
      Report("p", .typeMismatch, expecting: "UInt8")
    ).differing(in: .xml, because: "a number is text of digits", 5),
    Row(
      "a number that does not fit",
      json: #"{"p": 300}"#,
      yaml: "p: 300",
      xml: "<r><p>300</p></r>",
      nil,
      Report("p", .dataCorrupted, expecting: "UInt8")
    ),
    Row(
      "an array",
      json: #"{"p": [1, 2]}"#,
      yaml: "p:\n- 1\n- 2",
      xml: "<r><p>1</p><p>2</p></r>",
      nil,
      Report("p", .typeMismatch, expecting: "UInt8")
    ).differing(in: .xml, because: "of repeated elements the first one is taken", 1),
    Row(
      "a dictionary",
      json: #"{"p": {"a": 1}}"#,
      yaml: "p:\n  a: 1",
      xml: "<r><p><a>1</a></p></r>",
      nil,
      Report("p", .typeMismatch, expecting: "UInt8")
    ).differing(
      in: .xml,
      because: "it is an element with empty text",
      nil,
      Report("p", .valueNotFound, expecting: "UInt8")
    ),
  ]

  @Test(arguments: rows, Way.all)
  func `an optional number is nil where there is none`(row: Row<UInt8?>, way: Way) throws {
    try row.verify(OptionalModel.self, way, \.p)
    try row.verify(GenericModel<UInt8?>.self, way, \.p)
  }
}

private struct OptionalModel: Decodable {
  @Resilient var p: UInt8?
}
