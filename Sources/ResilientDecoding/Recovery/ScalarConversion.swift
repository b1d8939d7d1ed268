import ResilientPlatform

/// How to convert a scalar of the wrong type before giving up on it.
@usableFromInline
protocol ScalarConversion {
  /// Whether ``convert(_:from:after:)`` ever converts, so that a decoder of the value is needed.
  static var converts: Bool { get }

  /// Converts the scalar at a decoder to a `Value`, unless that would lose information.
  ///
  /// - Parameter error: The error of decoding the value.
  static func convert<Value: Decodable>(
    _ type: Value.Type, from decoder: any Decoder, after error: any Error
  ) -> Converted<Value>
}

/// The converted value, or nil; the error to report, such as one about a novel value; and a kind that
/// overrides the error's own.
@usableFromInline
typealias Converted<Value> = (value: Value?, error: any Error, kind: ErrorDigest.Kind?)

/// Converts nothing.
@usableFromInline
enum NoConversion: ScalarConversion {
  @usableFromInline static var converts: Bool { false }

  @usableFromInline
  static func convert<Value: Decodable>(
    _ type: Value.Type, from decoder: any Decoder, after error: any Error
  ) -> Converted<Value> {
    (nil, error, nil)
  }
}

/// Converts a scalar to a `LosslessStringConvertible` type, or to a `Decimal`, if the text stays
/// the same; and to a type whose raw value is such a type.
@usableFromInline
enum LosslessConversion: ScalarConversion {
  @usableFromInline static var converts: Bool { true }

  @usableFromInline
  static func convert<Value: Decodable>(
    _ type: Value.Type, from decoder: any Decoder, after error: any Error
  ) -> Converted<Value> {
    if let value = scalar(Value.self, from: decoder) {
      return (value, error, .converted)
    }
    if let type = Value.self as? any RawRepresentable.Type {
      return known(type, from: decoder, after: error)
    }
    if let type = Value.self as? any OpenValue.Type {
      return open(type, from: decoder, after: error)
    }
    return (nil, error, nil)
  }

  /// Converts a raw value; one that `Known` does not have is an error of its own.
  private static func known<Value, Known: RawRepresentable>(
    _ type: Known.Type, from decoder: any Decoder, after error: any Error
  ) -> Converted<Value> {
    guard let rawValue = rawValue(of: Known.self, from: decoder) else {
      return (nil, error, nil)
    }
    if let value = Known(rawValue: rawValue) as? Value {
      return (value, error, .converted)
    }
    let isPlain = !(Known.self is any ResilientRawRepresentable.Type)
    let novel = novelValueError(
      rawValue, decoding: Known.self, at: decoder.codingPath, isVisible: isPlain)
    return (nil, novel, nil)
  }

  /// Converts a raw value, and keeps one that `Known` does not have.
  private static func open<Value, Open: OpenValue>(
    _ type: Open.Type, from decoder: any Decoder, after error: any Error
  ) -> Converted<Value> {
    let open = rawValue(of: Open.Known.self, from: decoder).map { Open($0) }
    guard let open, let value = open as? Value else { return (nil, error, nil) }
    guard let novel = open.novelError(at: decoder.codingPath) else {
      return (value, error, .converted)
    }
    return (value, novel, nil)
  }

  /// Nil also if the raw value has the right type, and needs no conversion.
  private static func rawValue<Known: RawRepresentable>(
    of type: Known.Type, from decoder: any Decoder
  ) -> Known.RawValue? {
    guard let type = Known.RawValue.self as? any Decodable.Type,
      (try? decoder.singleValueContainer().decode(type)) == nil
    else { return nil }
    return scalar(type, from: decoder) as? Known.RawValue
  }

  private static func scalar<Value: Decodable>(
    _ type: Value.Type, from decoder: any Decoder
  ) -> Value? {
    guard let (scalar, found) = decoder.scalar, var text = found else { return nil }
    if scalar == .boolean, Value.self is any Numeric.Type {
      // Not by its text: in some formats, `yes` is true. Without a boolean, the value keeps its
      // error.
      guard let boolean = try? decoder.singleValueContainer().decode(Bool.self) else { return nil }
      text = boolean ? "1" : "0"
    }
    if Value.self == Decimal.self { return text.decimal as? Value }
    guard let type = Value.self as? any LosslessStringConvertible.Type,
      !decoder.isFoundations || scalar != .number || text.isExactNumber
    else { return nil }
    if scalar == .number, type == Bool.self { return Self.boolean(of: text) as? Value }
    let value = type.init(text)
    if let number = value as? any BinaryFloatingPoint, !number.hasDigits(of: text) { return nil }
    return value as? Value
  }

  /// Some backends send the numbers 0 and 1 for a boolean.
  private static func boolean(of number: String) -> Bool? {
    switch number {
    case "0", "-0": false
    case "1": true
    default: nil
    }
  }
}

extension BinaryFloatingPoint {
  /// Whether the number keeps all digits of its text: `0.1` does, a text of thirty digits does not.
  ///
  /// False for infinity, which is not equal to `"1e999"`.
  fileprivate func hasDigits(of text: String) -> Bool {
    guard isFinite, text.isPlainNumber else { return false }
    let digits = text.significantDigits
    if digits.isEmpty { return isZero }
    // A normal number keeps any text of this many digits: 6 for `Float`, 15 for `Double`.
    let hasFew = isNormal && digits.count <= Self.significandBitCount * 3 / 10
    guard !hasFew, let decimal = text.decimal else { return hasFew }
    return decimal == Decimal(string: "\(self)")
  }
}

extension String {
  /// The digits from the first one that is not 0, without an exponent.
  fileprivate var significantDigits: [UInt8] {
    let mantissa = utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    let digits = mantissa.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return Array(digits.drop { $0 == UInt8(ascii: "0") })
  }

  /// Whether the text is a decimal number: not `nan`, and not hexadecimal.
  fileprivate var isPlainNumber: Bool {
    utf8.allSatisfy { $0 < UInt8(ascii: "A") || $0 | 0x20 == UInt8(ascii: "e") }
  }

  /// The text as a `Decimal`, which is not `LosslessStringConvertible`; nil if digits would be
  /// lost.
  fileprivate var decimal: Decimal? {
    // `Decimal(string:)` ignores text after a number.
    guard let number = Double(self), number.isFinite, isPlainNumber,
      let decimal = Decimal(string: self),
      decimal.description.significantDigits.withoutTrailingZeros
        == significantDigits.withoutTrailingZeros
    else { return nil }
    return decimal
  }

  /// Whether a number has few enough digits for a `Decimal`, so that no digit was rounded away.
  ///
  /// A number with an exponent comes from a `Double`: the description of a `Decimal` has none.
  fileprivate var isExactNumber: Bool {
    // Trailing zeros count: they may replace rounded digits.
    !contains("e") && significantDigits.count < 38
  }
}

extension [UInt8] {
  fileprivate var withoutTrailingZeros: Self {
    Array(reversed().drop { $0 == UInt8(ascii: "0") })
  }
}
