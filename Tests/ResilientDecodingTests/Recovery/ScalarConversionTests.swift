import Foundation
import ResilientDecoding
import ResilientDocuments
import Testing

/// Numbers at the ends of the types, which are not converted if their value would change.
struct ScalarConversionTests {
  @Test(arguments: Format.allCases, ["1e400", "-1e400"])
  func `a number in a string too large for its type does not become infinity`(
    format: Format,
    number: String
  ) throws {
    let (model, digest) = try format.decode(Prices.self, from: #"{"prices": ["\#(number)", "1"]}"#)
    #expect(model.prices == [1])
    #expect(
      digest?.reports == [
        "prices[0]: typeMismatch Double",
        "prices[1]: converted Double",
      ]
    )
  }

  /// `JSONDecoder` itself makes an integer of 1e-400, and a decimal number of infinity.
  static let numbers: [Extreme] = [
    Extreme("1e-400", integer: "0", all: "number"),
    Extreme("-1e-400", integer: "0", all: "number"),
    Extreme("1e400", all: "number"),
    Extreme("-1e400", all: "number"),
    Extreme("1e-200", double: "1e-200", all: "number 1e-200"),
    Extreme(
      "Infinity", double: "inf", float: "inf", decimal: "NaN", string: "Infinity",
      all: "number Infinity"),
    Extreme(
      "-Infinity", double: "-inf", float: "-inf", decimal: "NaN", string: "-Infinity",
      all: "number -Infinity"),
    Extreme(
      "NaN", double: "nan", float: "nan", decimal: "NaN", string: "NaN", all: "number NaN"),
    Extreme(
      "1e3", double: "1000.0", float: "1000.0", decimal: "1000", integer: "1000", string: "1000",
      all: "number 1000"),
    Extreme(
      "0x10", double: "16.0", float: "16.0", decimal: "16", integer: "16", string: "16",
      all: "number 16"),
    // `JSONDecoder` makes no `Double` of it.
    Extreme(
      "0e5", double: "0.0", float: "0.0", decimal: "0", integer: "0", string: "0", all: "number 0"),
    Extreme(
      "-0", double: "-0.0", float: "-0.0", decimal: "0", integer: "0", string: "-0",
      all: "number -0"),
    Extreme(
      "-0.0", double: "-0.0", float: "-0.0", decimal: "0", integer: "0", string: "-0",
      all: "number -0"),
    Extreme(
      "true", double: "1.0", float: "1.0", decimal: "1", integer: "1", string: "true",
      all: "boolean true"),
    Extreme(
      "false", double: "0.0", float: "0.0", decimal: "0", integer: "0", string: "false",
      all: "boolean false"),
  ]

  @Test(arguments: numbers)
  func `a number keeps its value and its text, or has none`(number: Extreme) throws {
    try number.verify(number.text)
  }

  static let texts: [Extreme] = [
    Extreme("1e-400"),
    Extreme("-1e-400"),
    Extreme("1e400"),
    Extreme("-1e400"),
    Extreme("Infinity"),
    Extreme("-Infinity"),
    Extreme("NaN"),
    Extreme("1e3", double: "1000.0", float: "1000.0", decimal: "1000"),
    Extreme("1.25E+2", double: "125.0", float: "125.0", decimal: "125"),
    Extreme("12e-3", double: "0.012", float: "0.012", decimal: "0.012"),
    Extreme(
      "1e40", double: "1e+40", decimal: "1" + String(repeating: "0", count: 40)),
    Extreme("1e128", double: "1e+128"),
    Extreme("1e-129", double: "1e-129"),
    Extreme("1" + String(repeating: "0", count: 39) + "1"),
    Extreme("0x10"),
    Extreme("0e5", double: "0.0", float: "0.0", decimal: "0"),
    Extreme("1e"),
    Extreme("e3"),
  ]

  @Test(arguments: texts)
  func `a number in a string keeps its value, or is not converted`(number: Extreme) throws {
    try number.verify("\"\(number.text)\"", found: "string \"\(number.text)\"")
  }

  @Test(arguments: [("1e-400", nil), ("-1e-400", nil), ("0e5", "0.0"), ("Infinity", "inf")])
  func `a document has no number that its payload has not`(
    number: String,
    expected: String?
  ) throws {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    let document = try decoder.decode(
      DecodableDocument.self, from: Data("[\(number)]".utf8))
    let double = try? document.decode([Double].self).first
    #expect(double?.description == expected)
    let float = try? document.decode([Float].self).first
    #expect(float?.description == expected)
  }
}

private struct Prices: Decodable {
  @ResilientLossless var prices: [Double]
}

/// A number, and what each type makes of it.
struct Extreme: Sendable, CustomTestStringConvertible {
  let text: String
  private let values: [String: String]
  private let found: String

  init(
    _ text: String,
    double: String? = nil,
    float: String? = nil,
    decimal: String? = nil,
    integer: String? = nil,
    string: String? = nil,
    all found: String = ""
  ) {
    self.text = text
    self.found = found
    let pairs = [
      ("double", double), ("float", float), ("decimal", decimal), ("integer", integer),
      ("string", string),
    ]
    values = Dictionary(
      uniqueKeysWithValues: pairs.compactMap { pair in pair.1.map { (pair.0, $0) } })
  }

  var testDescription: String { text }

  /// Decodes the JSON as each type, and compares the values and all found values.
  func verify(_ json: String, found: String? = nil) throws {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    let members = ["double", "float", "decimal", "integer", "string"].map { #""\#($0)": \#(json)"# }
    let (model, digest) = try decoder.decodeReporting(
      Numbers.self, "{\(members.joined(separator: ","))}")
    let isString = json.hasPrefix("\"")
    #expect(model.values == (isString ? values.merging(["string": text]) { $1 } : values))
    for entry in digest?.entries ?? [] {
      #expect(entry.foundValue?.inWords == found ?? self.found)
      let isConverted = values[entry.codingPath.description] != nil
      #expect((entry.kind == .converted) == isConverted)
    }
  }
}

private struct Numbers: Decodable {
  @ResilientLossless var double: Double?
  @ResilientLossless var float: Float?
  @ResilientLossless var decimal: Decimal?
  @ResilientLossless var integer: Int?
  @ResilientLossless var string: String?

  var values: [String: String] {
    var values: [String: String] = [:]
    values["double"] = double.map { "\($0)" }
    values["float"] = float.map { "\($0)" }
    values["decimal"] = decimal.map { "\($0)" }
    values["integer"] = integer.map { "\($0)" }
    values["string"] = string
    return values
  }
}
