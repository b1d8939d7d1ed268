import Foundation
import ResilientDecoding
import Testing

/// The conversions of scalars to each type.
struct ResilientLosslessConversionTests {
  static let strings: [Conversion<String>] = [
    Conversion(#""a""#, is: "a"),
    Conversion("1", becomes: "1", from: "number 1"),
    Conversion("0", becomes: "0", from: "number 0"),
    Conversion("-1", becomes: "-1", from: "number -1"),
    Conversion("12.5", becomes: "12.5", from: "number 12.5"),
    Conversion("true", becomes: "true", from: "boolean true"),
    Conversion("false", becomes: "false", from: "boolean false"),
    Conversion(refused: "null"),
    Conversion(refused: "[]"),
    Conversion(refused: "{}"),
    Conversion(refused: #"["a"]"#),
  ]

  @Test(arguments: strings, Format.allCases)
  func `a number and a boolean become a string`(
    conversion: Conversion<String>,
    format: Format
  ) throws {
    try conversion.verify(in: format)
  }

  static let decimals: [Conversion<Decimal>] = [
    Conversion(#""12.20""#, becomes: Decimal(string: "12.2")!, from: #"string "12.20""#),
    Conversion(
      #""-0.000001""#, becomes: Decimal(string: "-0.000001")!, from: #"string "-0.000001""#),
    Conversion(
      #""12345678901234567890123""#, becomes: Decimal(string: "12345678901234567890123")!,
      from: #"string "12345678901234567890123""#),
    Conversion(refused: #""12.2 EUR""#),
    Conversion(refused: #""12,2""#),
    Conversion(refused: #""0x10""#),
    Conversion(refused: #""nan""#),
    Conversion(refused: #""""#),
    Conversion("true", becomes: 1, from: "boolean true"),
    Conversion(refused: "\"0.\(String(repeating: "7", count: 60))\""),
  ]

  @Test(arguments: decimals)
  func `a scalar becomes a decimal number with all of its digits or not at all`(
    conversion: Conversion<Decimal>
  ) throws {
    try conversion.verify(in: .json)
  }

  static let digits: [Conversion<String>] = [
    Conversion(
      "12345678901234567890123", becomes: "12345678901234567890123",
      from: "number 12345678901234567890123"),
    Conversion("1.10", becomes: "1.1", from: "number 1.1"),
    Conversion("0.1", becomes: "0.1", from: "number 0.1"),
    Conversion("0.000010", becomes: "0.00001", from: "number 0.00001"),
    Conversion("1e2", becomes: "100", from: "number 100"),
    Conversion(
      String(repeating: "7", count: 37), becomes: String(repeating: "7", count: 37),
      from: "number " + String(repeating: "7", count: 37)),
    Conversion(refused: String(repeating: "7", count: 60)),
    Conversion(refused: "0." + String(repeating: "7", count: 60)),
    Conversion(refused: "1" + String(repeating: "0", count: 40) + "1"),
    Conversion(refused: "1.2345678901234567890123e-200"),
    Conversion(refused: "1e400"),
  ]

  // A property list has no more digits than a `Double`.
  @Test(arguments: digits)
  func `a number becomes a string only with all its digits`(
    conversion: Conversion<String>
  ) throws {
    try conversion.verify(in: .json)
  }

  static let integers: [Conversion<Int>] = [
    Conversion("5", is: 5),
    Conversion(#""5""#, becomes: 5, from: #"string "5""#),
    Conversion(#""-5""#, becomes: -5, from: #"string "-5""#),
    Conversion("true", becomes: 1, from: "boolean true"),
    Conversion("false", becomes: 0, from: "boolean false"),
    Conversion(refused: "1.5"),
    Conversion(refused: #""1.5""#),
    Conversion(refused: #""1.0""#),
    Conversion(refused: #""""#),
    Conversion(refused: #"" 5""#),
    Conversion(refused: #""true""#),
    Conversion(refused: #""99999999999999999999""#),
    Conversion(refused: "null"),
    Conversion(refused: "[5]"),
  ]

  @Test(arguments: integers, Format.allCases)
  func `a string and a boolean become an integer`(
    conversion: Conversion<Int>,
    format: Format
  ) throws {
    try conversion.verify(in: format)
  }

  static let bytes: [Conversion<UInt8>] = [
    Conversion("255", is: 255),
    Conversion(#""255""#, becomes: 255, from: #"string "255""#),
    Conversion("true", becomes: 1, from: "boolean true"),
    Conversion(refused: "300"),
    Conversion(refused: #""300""#),
    Conversion(refused: "-1"),
    Conversion(refused: #""-1""#),
  ]

  @Test(arguments: bytes, Format.allCases)
  func `a number that does not fit is refused`(
    conversion: Conversion<UInt8>,
    format: Format
  ) throws {
    try conversion.verify(in: format)
  }

  static let doubles: [Conversion<Double>] = [
    Conversion("12.2", is: 12.2),
    Conversion(#""12.2""#, becomes: 12.2, from: #"string "12.2""#),
    Conversion(#""1e3""#, becomes: 1000, from: #"string "1e3""#),
    Conversion(#""0.1""#, becomes: 0.1, from: #"string "0.1""#),
    Conversion("true", becomes: 1, from: "boolean true"),
    Conversion("false", becomes: 0, from: "boolean false"),
    Conversion(refused: #""12,2""#),
    Conversion(#""0.0""#, becomes: 0, from: #"string "0.0""#),
    Conversion(
      #""9007199254740992""#, becomes: 9_007_199_254_740_992,
      from: #"string "9007199254740992""#),
    Conversion(refused: #""9007199254740993""#),
    Conversion(refused: #""0.10000000000000001""#),
    Conversion(refused: #""1e-400""#),
    Conversion(refused: #""12345678901234567890123""#),
    Conversion(refused: #""0x1F""#),
    Conversion(refused: #""1e999""#),
    Conversion(refused: #""nan""#),
    Conversion(refused: #""-inf""#),
    Conversion(refused: #""""#),
    Conversion(refused: "null"),
  ]

  @Test(arguments: doubles, Format.allCases)
  func `a string and a boolean become a floating point number`(
    conversion: Conversion<Double>,
    format: Format
  ) throws {
    try conversion.verify(in: format)
  }

  static let floats: [Conversion<Float>] = [
    Conversion("1.5", is: 1.5),
    Conversion(#""1.5""#, becomes: 1.5, from: #"string "1.5""#),
    Conversion(#""0.1""#, becomes: 0.1, from: #"string "0.1""#),
    Conversion(#""1e3""#, becomes: 1000, from: #"string "1e3""#),
    Conversion("true", becomes: 1, from: "boolean true"),
    Conversion(#""1.234567""#, becomes: 1.234567, from: #"string "1.234567""#),
    Conversion(#""16777216""#, becomes: 16_777_216, from: #"string "16777216""#),
    Conversion(refused: #""16777217""#),
    Conversion(refused: #""0.1234567890""#),
    Conversion(refused: #""1e-50""#),
    Conversion(refused: #""x""#),
    Conversion(refused: #""12345678901234567890123""#),
    Conversion(refused: #""0x1F""#),
    Conversion(refused: #""1e39""#),
  ]

  @Test(arguments: floats, Format.allCases)
  func `a type without a fast path is converted too`(
    conversion: Conversion<Float>,
    format: Format
  ) throws {
    try conversion.verify(in: format)
  }

  #if !(os(macOS) && arch(x86_64))
    static let halves: [Conversion<Float16>] = [
      Conversion(#""0.5""#, becomes: 0.5, from: #"string "0.5""#),
      Conversion(#""2048""#, becomes: 2_048, from: #"string "2048""#),
      Conversion(refused: #""2049""#),
      Conversion(refused: #""65520""#),
    ]

    @Test(arguments: halves)
    func `a number of few bits keeps all digits or is not converted`(
      conversion: Conversion<Float16>
    ) throws {
      try conversion.verify(in: .json)
    }
  #endif

  static let booleans: [Conversion<Bool>] = [
    Conversion("true", is: true),
    Conversion("1", becomes: true, from: "number 1"),
    Conversion("0", becomes: false, from: "number 0"),
    Conversion(#""true""#, becomes: true, from: #"string "true""#),
    Conversion(#""false""#, becomes: false, from: #"string "false""#),
    Conversion(refused: "2"),
    Conversion(refused: "-1"),
    Conversion(refused: "0.5"),
    Conversion(refused: #""yes""#),
    Conversion(refused: #""1""#),
    Conversion(refused: #""""#),
    Conversion(refused: "null"),
  ]

  @Test func `minus zero is false, too`() throws {
    try Conversion("-0", becomes: false, from: "number -0").verify(in: .json)
  }

  @Test(arguments: booleans, Format.allCases)
  func `the numbers 0 and 1 and their words become a boolean`(
    conversion: Conversion<Bool>,
    format: Format
  ) throws {
    try conversion.verify(in: format)
  }

  static let versions: [Conversion<Version>] = [
    Conversion(#""1.2""#, is: Version(major: "1", minor: "2")),
    Conversion("1.5", becomes: Version(major: "1", minor: "5"), from: "number 1.5"),
    Conversion(refused: "1"),
    Conversion(refused: #""1""#),
    Conversion(refused: "true"),
    Conversion(refused: #"{"major": "1", "minor": "2"}"#),
  ]

  @Test(arguments: versions, Format.allCases)
  func `a custom type is created from the text of a scalar`(
    conversion: Conversion<Version>,
    format: Format
  ) throws {
    try conversion.verify(in: format)
  }
}

/// A type that is decoded only from a string.
struct Version: LosslessStringConvertible, Decodable, Equatable {
  let major: String
  let minor: String

  var description: String { "\(major).\(minor)" }
}

extension Version {
  init?(_ description: String) {
    let parts = description.split(separator: ".")
    guard parts.count == 2 else { return nil }
    self.init(major: String(parts[0]), minor: String(parts[1]))
  }

  init(from decoder: any Decoder) throws {
    guard let version = Version(try decoder.singleValueContainer().decode(String.self)) else {
      throw Mishap(description: "no version")
    }
    self = version
  }
}
