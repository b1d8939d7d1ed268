import ResilientDecoding
import Testing

struct ResilientDefaultTests {
  @Test func `a default stands in for whatever cannot be decoded`() throws {
    let rows: [Row<Int>] = [
      Row(#"{"p": 5}"#, 5),
      Row(#"{"p": 5}"#, xml: #"<r p="5"/>"#, 5),
      Row("{}", -1),
      Row(#"{"p": null}"#, -1).differing(
        in: .xml, because: "there is no null, and an empty element holds no number", -1,
        "p: valueNotFound Int"),
      Row(#"{"p": "x"}"#, -1, "p: typeMismatch Int"),
      Row(#"{"p": "5"}"#, -1, "p: typeMismatch Int").differing(
        in: .xml, because: "a number is text of digits", 5),
      Row(#"{"p": 1.5}"#, -1, "p: dataCorrupted Int"),
      Row(#"{"p": {"a": 1}}"#, -1, "p: typeMismatch Int").differing(
        in: .xml, because: "it is an element with empty text", -1, "p: valueNotFound Int"),
    ]
    try verify(rows, DefaultModel.self, \.p)
  }
}

private struct DefaultModel: Decodable {
  @ResilientDefault<MinusOne> var p: Int
}
