import ResilientDecoding
import Testing

/// What is a conversion where scalars have types may be no error where each of them is text.
struct ResilientLosslessTests {
  @Test func `a number is made of text and of booleans`() throws {
    let rows: [Row<Int?>] = [
      Row(#"{"p": 5}"#, 5),
      Row(#"{"p": "5"}"#, 5, "p: converted Int").differing(
        in: .xml, because: "a number is text of digits", 5),
      Row(#"{"p": true}"#, 1, "p: converted Int"),
      Row(#"{"p": "yes"}"#, yaml: "p: yes", nil, "p: typeMismatch Int").differing(
        in: .yaml, .xml, because: "`yes` is a boolean", 1, "p: converted Int"),
      Row(#"{"p": "x"}"#, nil, "p: typeMismatch Int"),
      Row(#"{"p": 1.5}"#, nil, "p: dataCorrupted Int"),
      Row(#"{"p": 7.0}"#, xml: "<r><p>7.0</p></r>", 7).differing(
        in: .yaml, .xml, because: "a number is told by its text", nil, "p: dataCorrupted Int"),
      Row(#"{"p": null}"#, nil).differing(
        in: .xml, because: "there is no null, and an empty element holds no number", nil,
        "p: valueNotFound Int"),
    ]
    try verify(rows, LosslessModel<Int?>.self, \.p)
  }

  @Test func `a real number is made of text that has its digits`() throws {
    let rows: [Row<Double?>] = [
      Row(#"{"p": "0.1"}"#, 0.1, "p: converted Double").differing(
        in: .xml, because: "a number is text of digits", 0.1),
      Row(#"{"p": "1e3"}"#, 1_000, "p: converted Double").differing(
        in: .xml, because: "a number is text of digits", 1_000),
      Row(#"{"p": "12345678901234567890123"}"#, nil, "p: typeMismatch Double").differing(
        in: .xml, because: "the decoder makes a number of it by itself",
        12_345_678_901_234_567_890_123),
      Row(#"{"p": "0x1F"}"#, nil, "p: typeMismatch Double").differing(
        in: .xml, because: "the decoder makes a number of it by itself", 31),
    ]
    try verify(rows, LosslessModel<Double?>.self, \.p)
  }

  @Test func `text is made of numbers and of booleans`() throws {
    let rows: [Row<String?>] = [
      Row(#"{"p": "x"}"#, "x"),
      Row(#"{"p": 1}"#, "1", "p: converted String").differing(
        in: .yaml, .xml, because: "each scalar can be read as text", "1"),
      Row(#"{"p": 1.10}"#, xml: "<r><p>1.10</p></r>", "1.1", "p: converted String").differing(
        in: .yaml, .xml, because: "each scalar can be read as text, as it is", "1.10"),
      Row(#"{"p": 12345678901234567890123}"#, "12345678901234567890123", "p: converted String")
        .differing(
          in: .yaml, .xml, because: "each scalar can be read as text", "12345678901234567890123"
        ).differing(
          in: .plistXML, .plistBinary,
          because: "there is no integer of so many digits, but a real number that has lost some",
          nil, "p: typeMismatch String"),
      Row(#"{"p": true}"#, "true", "p: converted String").differing(
        in: .yaml, .xml, because: "each scalar can be read as text", "true"),
      Row(#"{"p": null}"#, nil).differing(
        in: .xml, because: "there is no null, but an empty text", ""),
      Row(#"{"p": {"a": "x"}}"#, nil, "p: typeMismatch String").differing(
        in: .xml, because: "it is an element with empty text", ""),
    ]
    try verify(rows, LosslessModel<String?>.self, \.p)
  }

  @Test func `a boolean is made of text and of the numbers 0 and 1`() throws {
    let rows: [Row<Bool?>] = [
      Row(#"{"p": true}"#, true),
      Row(#"{"p": 1}"#, true, "p: converted Bool").differing(
        in: .xml, because: "`1` is a boolean", true),
      Row(#"{"p": 2}"#, nil, "p: typeMismatch Bool"),
      Row(#"{"p": "true"}"#, true, "p: converted Bool").differing(
        in: .xml, because: "a boolean is text", true),
    ]
    try verify(rows, LosslessModel<Bool?>.self, \.p)
  }

  @Test func `elements are converted, and what cannot be is left out`() throws {
    let rows: [Row<[Int]>] = [
      Row(
        #"{"p": [1, "x", "3", false]}"#, [1, 3, 0], "p[1]: typeMismatch Int", "p[2]: converted Int",
        "p[3]: converted Int"
      ).differing(
        in: .xml, because: "a number is text of digits", [1, 3, 0], "p[1]: typeMismatch Int",
        "p[3]: converted Int")
    ]
    try verify(rows, LosslessModel<[Int]>.self, \.p)
  }
}

private struct LosslessModel<Value: Decodable>: Decodable {
  @ResilientLossless var p: Value
}
