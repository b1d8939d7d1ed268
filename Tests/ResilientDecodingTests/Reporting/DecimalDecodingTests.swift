import Foundation
import Testing

@testable import ResilientDecoding

/// Decimal numbers of a decoder that makes them from a `Double`, as Foundation's did before iOS 17.
struct DecimalDecodingTests {
  static let numbers = [
    "3.133", "-3.133", "717.094", "0.1", "0.30000000000000004", "17", "0", "-0.000001", "1e22",
    "123456789.12345679", "1e-100",
  ]

  @Test(arguments: numbers)
  func `a decimal number has the digits of the payload`(text: String) throws {
    let double = try #require(Double(text))
    let decoder = decoder(double, Decimal(double))
    #expect(try decoder.decodeDecimal(losingDigits: true) == Decimal(string: text))
  }

  @Test(arguments: ["12345678901234567890123", "0.1234567890123456789", "3.1331"])
  func `a number that the decoder has not rounded stays`(text: String) throws {
    let decimal = try #require(Decimal(string: text))
    let decoder = decoder(try #require(Double(text)), decimal)
    #expect(try decoder.decodeDecimal(losingDigits: true) == decimal)
  }

  @Test(arguments: [1e300, -1e300, 1e-300, .infinity, -.infinity, .nan, 0])
  func `a number that no decimal number can hold stays what the decoder makes of it`(
    double: Double
  ) throws {
    let decoder = decoder(double, double == 0 ? 0 : .nan)
    #expect(try decoder.decodeDecimal(losingDigits: true).isNaN == (double != 0))
  }

  /// A backend that has rounded the number sends such digits.
  @Test func `a decoder that keeps digits is believed`() throws {
    let decimal = try #require(Decimal(string: "717.0940000000001024"))
    #expect(decimal == Decimal(717.094))
    let decoder = decoder(717.094, decimal)
    #expect(try decoder.decodeDecimal(losingDigits: false) == decimal)
  }

  @Test func `the decoder of this system keeps digits, or is known not to`() throws {
    let payload = Data(#"{"p": 3.133, "q": 717.094}"#.utf8)
    let (model, digest) = try JSONDecoder().decode(
      Texts.self, from: payload, reportResilientDecodingErrors: true)
    #expect(model.p == "3.133" && model.q == "717.094")
    #expect(digest?.found == ["p: number 3.133", "q: number 717.094"])
  }

  private func decoder(_ double: Double, _ decimal: Decimal) -> NumberDecoder {
    NumberDecoder(double: double, decimal: decimal)
  }
}

/// Decodes one number as a `Double` and a `Decimal`, which may differ.
private struct NumberDecoder: SingleValueDecodingContainer {
  let double: Double
  let decimal: Decimal

  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { false }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try #require(double as? Value ?? decimal as? Value)
  }
}

private struct Texts: Decodable {
  @ResilientLossless var p: String
  @ResilientLossless var q: String
}
