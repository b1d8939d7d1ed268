import ResilientDecoding
import Testing

struct ScalarTests {
  @Test func `an optional number is nil where there is none`() throws {
    let rows: [Row<UInt8?>] = [
      Row(#"{"p": 5}"#, 5),
      Row(#"{"p": 5}"#, xml: #"<r p="5"/>"#, 5),
      Row("{}", nil),
      Row(#"{"p": null}"#, nil).differing(
        in: .xml, because: "there is no null, and an empty element holds no number", nil,
        "p: valueNotFound UInt8"),
      Row(#"{"p": "x"}"#, nil, "p: typeMismatch UInt8"),
      Row(#"{"p": "5"}"#, nil, "p: typeMismatch UInt8").differing(
        in: .xml, because: "a number is text of digits", 5),
      Row(#"{"p": 300}"#, nil, "p: dataCorrupted UInt8"),
      Row(#"{"p": [1, 2]}"#, nil, "p: typeMismatch UInt8").differing(
        in: .xml, because: "of repeated elements the first one is taken", 1),
      Row(#"{"p": {"a": 1}}"#, nil, "p: typeMismatch UInt8").differing(
        in: .xml, because: "it is an element with empty text", nil, "p: valueNotFound UInt8"),
    ]
    try verify(rows, OptionalModel.self, \.p)
    try verify(rows, GenericModel<UInt8?>.self, \.p)
  }
}

private struct OptionalModel: Decodable {
  @Resilient var p: UInt8?
}
