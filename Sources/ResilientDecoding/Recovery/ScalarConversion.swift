#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A value is made of a scalar of another type, when it has the same text: `LosslessStringConvertible`.
@usableFromInline
enum Converted: LeafRecovery {
  @usableFromInline static var converts: Bool { true }

  @usableFromInline
  static func convert<Value: Decodable>(_ type: Value.Type, from decoder: any Decoder) -> Value? {
    if Value.self == Decimal.self { return decoder.scalar?.text?.decimal as? Value }
    guard let type = Value.self as? any LosslessStringConvertible.Type,
      let (scalar, text) = decoder.scalar, let text,
      !decoder.hasTypedScalars || scalar != .number || text.isExactNumber
    else { return nil }
    if scalar == .number, type == Bool.self { return Self.boolean(of: text) as? Value }
    if scalar == .boolean, type is any Numeric.Type {
      // Not by its text, for there are formats in which `yes` is true. What cannot be converted
      // keeps the error that it had.
      guard let boolean = try? decoder.singleValueContainer().decode(Bool.self) else { return nil }
      return type.init(boolean ? "1" : "0") as? Value
    }
    let value = type.init(text)
    if let number = value as? any BinaryFloatingPoint, !number.hasDigits(of: text) { return nil }
    return value as? Value
  }

  /// The numbers 0 and 1 are what some backends have for a boolean.
  private static func boolean(of number: String) -> Bool? {
    switch number {
    case "0": false
    case "1": true
    default: nil
    }
  }
}

extension BinaryFloatingPoint {
  /// Whether the number has all digits of a text: `0.1` has, and a text of thirty digits has not.
  ///
  /// `"1e999"` is a number, and infinity is another one; JSON has no word for it either.
  fileprivate func hasDigits(of text: String) -> Bool {
    guard isFinite, text.isPlainNumber else { return false }
    let digits = text.significantDigits
    if digits == 0 { return isZero }
    // As many as any text of the type's precision keeps, where the exponent leaves all bits to them: 6
    // of a `Float`, 15 of a `Double`.
    let hasFew = isNormal && digits <= Self.significandBitCount * 3 / 10
    guard !hasFew, let decimal = Decimal(string: text) else { return hasFew }
    return decimal == Decimal(string: "\(self)")
  }
}

extension String {
  fileprivate var significantDigits: Int {
    let mantissa = utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    let digits = mantissa.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return digits.drop { $0 == UInt8(ascii: "0") }.count
  }

  /// Whether it is a number as people and JSON write it: no `nan`, and none to the base of 16.
  fileprivate var isPlainNumber: Bool {
    utf8.allSatisfy { $0 < UInt8(ascii: "A") || $0 | 0x20 == UInt8(ascii: "e") }
  }

  /// The text as a `Decimal`, which is not `LosslessStringConvertible`; nil when digits are lost.
  fileprivate var decimal: Decimal? {
    // `Decimal` reads no further than it understands.
    guard let number = Double(self), number.isFinite, isExactNumber, isPlainNumber else {
      return nil
    }
    return Decimal(string: self)
  }

  /// Whether a number has as few digits as a `Decimal` holds, so that none was rounded away.
  ///
  /// One with an exponent comes from a `Double`, for a `Decimal` is written without.
  fileprivate var isExactNumber: Bool {
    let digits = utf8.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    // Zeros at the end count: they may be what is left of other digits.
    return !contains("e") && digits.drop { $0 == UInt8(ascii: "0") }.count < 38
  }
}
