import Foundation
import ResilientDecoding
import Testing

/// The conversions of scalars to each type.
struct ResilientLosslessConversionTests {
  @Test func `a number and a boolean become a string`() throws {
    try verifyConversions(
      kept: [(#""a""#, "a")],
      converted: ["1", "0", "-1", "12.5", "true", "false"].map { ($0, $0) },
      refused: ["null", "[]", "{}", #"["a"]"#])
  }

  // A property list has no more digits than a `Double`.
  @Test func `a number becomes a string only with all its digits`() throws {
    let sevens = String(repeating: "7", count: 60)
    let many = String(repeating: "7", count: 37)
    try verifyConversions(
      converted: [
        ("12345678901234567890123", "12345678901234567890123"), ("1.10", "1.1"), ("0.1", "0.1"),
        ("0.000010", "0.00001"), ("1e2", "100"), (many, many),
      ],
      refused: [
        sevens, "0." + sevens, "1" + String(repeating: "0", count: 40) + "1",
        "1.2345678901234567890123e-200", "1e400",
      ],
      in: [.json])
  }

  @Test func `a scalar becomes a decimal number with all of its digits or not at all`() throws {
    try verifyConversions(
      converted: [
        (#""12.20""#, Decimal(string: "12.2")!), (#""-0.000001""#, Decimal(string: "-0.000001")!),
        (#""12345678901234567890123""#, Decimal(string: "12345678901234567890123")!),
        ("true", 1),
      ],
      refused: [
        #""12.2 EUR""#, #""12,2""#, #""0x10""#, #""nan""#, #""""#,
        "\"0.\(String(repeating: "7", count: 60))\"",
      ],
      in: [.json])
  }

  @Test func `a string and a boolean become an integer`() throws {
    try verifyConversions(
      kept: [("5", 5)],
      converted: [(#""5""#, 5), (#""-5""#, -5), ("true", 1), ("false", 0)],
      refused: [
        "1.5", #""1.5""#, #""1.0""#, #""""#, #"" 5""#, #""true""#, #""99999999999999999999""#,
        "null", "[5]",
      ])
  }

  @Test func `a number that does not fit is refused`() throws {
    try verifyConversions(
      kept: [("255", 255 as UInt8)],
      converted: [(#""255""#, 255), ("true", 1)],
      refused: ["300", #""300""#, "-1", #""-1""#])
  }

  @Test func `a string and a boolean become a floating point number`() throws {
    try verifyConversions(
      kept: [("12.2", 12.2)],
      converted: [
        (#""12.2""#, 12.2), (#""1e3""#, 1000), (#""0.1""#, 0.1), ("true", 1), ("false", 0),
        (#""0.0""#, 0), (#""9007199254740992""#, 9_007_199_254_740_992),
      ],
      refused: [
        #""12,2""#, #""9007199254740993""#, #""0.10000000000000001""#, #""1e-400""#,
        #""12345678901234567890123""#, #""0x1F""#, #""1e999""#, #""nan""#, #""-inf""#, #""""#,
        "null",
      ])
  }

  @Test func `a type without a fast path is converted too`() throws {
    try verifyConversions(
      kept: [("1.5", 1.5 as Float)],
      converted: [
        (#""1.5""#, 1.5), (#""0.1""#, 0.1), (#""1e3""#, 1000), ("true", 1),
        (#""1.234567""#, 1.234567), (#""16777216""#, 16_777_216),
      ],
      refused: [
        #""16777217""#, #""0.1234567890""#, #""1e-50""#, #""x""#, #""12345678901234567890123""#,
        #""0x1F""#, #""1e39""#,
      ])
  }

  #if !(os(macOS) && arch(x86_64))
    @Test func `a number of few bits keeps all digits or is not converted`() throws {
      try verifyConversions(
        converted: [(#""0.5""#, 0.5 as Float16), (#""2048""#, 2_048)],
        refused: [#""2049""#, #""65520""#],
        in: [.json])
    }
  #endif

  @Test func `the numbers 0 and 1 and their words become a boolean`() throws {
    try verifyConversions(
      kept: [("true", true)],
      converted: [("1", true), ("0", false), (#""true""#, true), (#""false""#, false)],
      refused: ["2", "-1", "0.5", #""yes""#, #""1""#, #""""#, "null"])
    try verifyConversions(converted: [("-0", false)], in: [.json])
  }

  @Test func `a custom type is created from the text of a scalar`() throws {
    try verifyConversions(
      kept: [(#""1.2""#, Version(major: "1", minor: "2"))],
      converted: [("1.5", Version(major: "1", minor: "5"))],
      refused: ["1", #""1""#, "true", #"{"major": "1", "minor": "2"}"#])
  }
}

/// A type that is decoded only from a string.
private struct Version: LosslessStringConvertible, Decodable, Equatable {
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
