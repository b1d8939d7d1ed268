import ResilientDecoding
import Testing

/// What is a conversion where scalars have types may be no error where each of them is text.
struct ResilientLosslessTests {
  static let numbers: [Row<Int?>] = [
    Row("a number", json: #"{"p": 5}"#, yaml: "p: 5", xml: "<r><p>5</p></r>", 5),
    Row(
      "text of digits",
      json: #"{"p": "5"}"#,
      yaml: #"p: "5""#,
      xml: "<r><p>5</p></r>",
      5,
      converted("Int")
    ).differing(in: .xml, because: "a number is text of digits", 5),
    Row(
      "a boolean",
      json: #"{"p": true}"#,
      yaml: "p: true",
      xml: "<r><p>true</p></r>",
      1,
      converted("Int")
    ),
    Row(
      "text that is a boolean to some",
      json: #"{"p": "yes"}"#,
      yaml: "p: yes",
      xml: "<r><p>yes</p></r>",
      nil,
      Report("p", .typeMismatch, expecting: "Int")
    ).differing(in: .yaml, .xml, because: "`yes` is a boolean", 1, converted("Int")),
    Row(
      "other text",
      json: #"{"p": "x"}"#,
      yaml: "p: x",
      xml: "<r><p>x</p></r>",
      nil,
      Report("p", .typeMismatch, expecting: "Int")
    ),
    Row(
      "a number with a fraction",
      json: #"{"p": 1.5}"#,
      yaml: "p: 1.5",
      xml: "<r><p>1.5</p></r>",
      nil,
      Report("p", .dataCorrupted, expecting: "Int")
    ),
    Row(
      "a number with a fraction of zero",
      json: #"{"p": 7.0}"#,
      yaml: "p: 7.0",
      xml: "<r><p>7.0</p></r>",
      7
    ).differing(
      in: .yaml,
      .xml,
      because: "a number is told by its text",
      nil,
      Report("p", .dataCorrupted, expecting: "Int")
    ),
    Row("null", json: #"{"p": null}"#, yaml: "p: null", xml: "<r><p/></r>", nil)
      .differing(
        in: .xml,
        because: "there is no null, and an empty element holds no number",
        nil,
        Report("p", .valueNotFound, expecting: "Int")
      ),
  ]

  @Test(arguments: numbers, Way.all)
  func `a number is made of text and of booleans`(row: Row<Int?>, way: Way) throws {
    try row.verify(LosslessModel<Int?>.self, way, \.p)
  }

  static let reals: [Row<Double?>] = [
    Row(
      "text of a fraction",
      json: #"{"p": "0.1"}"#,
      yaml: #"p: "0.1""#,
      xml: "<r><p>0.1</p></r>",
      0.1,
      converted("Double")
    ).differing(in: .xml, because: "a number is text of digits", 0.1),
    Row(
      "text with an exponent",
      json: #"{"p": "1e3"}"#,
      yaml: #"p: "1e3""#,
      xml: "<r><p>1e3</p></r>",
      1_000,
      converted("Double")
    ).differing(in: .xml, because: "a number is text of digits", 1_000),
    Row(
      "text of more digits than a number has",
      json: #"{"p": "12345678901234567890123"}"#,
      yaml: #"p: "12345678901234567890123""#,
      xml: "<r><p>12345678901234567890123</p></r>",
      nil,
      Report("p", .typeMismatch, expecting: "Double")
    ).differing(
      in: .xml, because: "the decoder makes a number of it by itself",
      12_345_678_901_234_567_890_123),
    Row(
      "text of a number to the base of 16",
      json: #"{"p": "0x1F"}"#,
      yaml: #"p: "0x1F""#,
      xml: "<r><p>0x1F</p></r>",
      nil,
      Report("p", .typeMismatch, expecting: "Double")
    ).differing(in: .xml, because: "the decoder makes a number of it by itself", 31),
  ]

  @Test(arguments: reals, Way.all)
  func `a real number is made of text that has its digits`(row: Row<Double?>, way: Way) throws {
    try row.verify(LosslessModel<Double?>.self, way, \.p)
  }

  static let texts: [Row<String?>] = [
    Row("text", json: #"{"p": "x"}"#, yaml: "p: x", xml: "<r><p>x</p></r>", "x"),
    Row(
      "a number",
      json: #"{"p": 1}"#,
      yaml: "p: 1",
      xml: "<r><p>1</p></r>",
      "1",
      converted("String")
    ).differing(in: .yaml, .xml, because: "each scalar can be read as text", "1"),
    Row(
      "a number that ends in zero",
      json: #"{"p": 1.10}"#,
      yaml: "p: 1.10",
      xml: "<r><p>1.10</p></r>",
      "1.1",
      converted("String")
    ).differing(in: .yaml, .xml, because: "each scalar can be read as text, as it is", "1.10"),
    Row(
      "a number of many digits",
      json: #"{"p": 12345678901234567890123}"#,
      yaml: "p: 12345678901234567890123",
      xml: "<r><p>12345678901234567890123</p></r>",
      "12345678901234567890123",
      converted("String")
    )
    .differing(
      in: .yaml, .xml, because: "each scalar can be read as text", "12345678901234567890123"
    )
    .differing(
      in: .plistXML,
      .plistBinary,
      because: "there is no integer of so many digits, but a real number that has lost some",
      nil,
      Report("p", .typeMismatch, expecting: "String")
    ),
    Row(
      "a boolean",
      json: #"{"p": true}"#,
      yaml: "p: true",
      xml: "<r><p>true</p></r>",
      "true",
      converted("String")
    ).differing(in: .yaml, .xml, because: "each scalar can be read as text", "true"),
    Row("null", json: #"{"p": null}"#, yaml: "p: null", xml: "<r><p/></r>", nil)
      .differing(in: .xml, because: "there is no null, but an empty text", ""),
    Row(
      "a dictionary",
      json: #"{"p": {"a": "x"}}"#,
      yaml: "p: {a: x}",
      xml: "<r><p><a>x</a></p></r>",
      nil,
      Report("p", .typeMismatch, expecting: "String")
    ).differing(in: .xml, because: "it is an element with empty text", ""),
  ]

  @Test(arguments: texts, Way.all)
  func `text is made of numbers and of booleans`(row: Row<String?>, way: Way) throws {
    try row.verify(LosslessModel<String?>.self, way, \.p)
  }

  static let booleans: [Row<Bool?>] = [
    Row("a boolean", json: #"{"p": true}"#, yaml: "p: true", xml: "<r><p>true</p></r>", true),
    Row(
      "one",
      json: #"{"p": 1}"#,
      yaml: "p: 1",
      xml: "<r><p>1</p></r>",
      true,
      converted("Bool")
    ).differing(in: .xml, because: "`1` is a boolean", true),
    Row(
      "another number",
      json: #"{"p": 2}"#,
      yaml: "p: 2",
      xml: "<r><p>2</p></r>",
      nil,
      Report("p", .typeMismatch, expecting: "Bool")
    ),
    Row(
      "text",
      json: #"{"p": "true"}"#,
      yaml: #"p: "true""#,
      xml: "<r><p>true</p></r>",
      true,
      converted("Bool")
    ).differing(in: .xml, because: "a boolean is text", true),
  ]

  @Test(arguments: booleans, Way.all)
  func `a boolean is made of text and of the numbers 0 and 1`(row: Row<Bool?>, way: Way) throws {
    try row.verify(LosslessModel<Bool?>.self, way, \.p)
  }

  static let arrays: [Row<[Int]>] = [
    Row(
      "elements of another type",
      json: #"{"p": [1, "x", "3", false]}"#,
      yaml: #"p: [1, x, "3", false]"#,
      xml: "<r><p>1</p><p>x</p><p>3</p><p>false</p></r>",
      [1, 3, 0],
      Report("p[1]", .typeMismatch, expecting: "Int"),
      Report("p[2]", .converted, expecting: "Int"),
      Report("p[3]", .converted, expecting: "Int")
    ).differing(
      in: .xml,
      because: "a number is text of digits",
      [1, 3, 0],
      Report("p[1]", .typeMismatch, expecting: "Int"),
      Report("p[3]", .converted, expecting: "Int")
    )
  ]

  @Test(arguments: arrays, Way.all)
  func `elements are converted, and what cannot be is left out`(row: Row<[Int]>, way: Way) throws {
    try row.verify(LosslessModel<[Int]>.self, way, \.p)
  }

  private static func converted(_ type: String) -> Report {
    Report("p", .converted, expecting: type)
  }
}

private struct LosslessModel<Value: Decodable>: Decodable {
  @ResilientLossless var p: Value
}
