#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a document has in one place.
enum DocumentValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// An integer that is no `Int64`.
  case unsignedInteger(UInt64)
  /// Any other number, as the decoder gives it: one cannot be made of the other without loss.
  indirect case number(Double, Decimal?)
  case string(String)
  /// A number or boolean in a format that cannot tell it from text, as XML.
  indirect case text(String, Self)
  case array([Self])
  case object([String: Self])
  /// Of a property list.
  case date(Date)
  /// Of a property list.
  case data(Data)
  /// What the decoder can only make an error of, such as the number 1e400.
  case unreadable(String)
}

extension DocumentValue {
  /// Reads what is neither an array nor an object, in any format; nil when it is one, or an oddity.
  ///
  /// A scalar is of the type that can be decoded: here and below a failed attempt is the answer that
  /// it is of another one, and what is of none is told by `init(oddityOf:)`.
  init?(scalarOf decoder: any Decoder) {
    guard let container = try? decoder.singleValueContainer() else { return nil }
    if container.decodeNil() {
      self = .null
      return
    }
    // Text comes first because there is so much of it, and each failed attempt is dear.
    let text = try? container.decode(String.self)
    if let text, !text.mayBeNumberOrBoolean {
      self = .string(text)
      return
    }
    let other = Self(numberOf: container) ?? (try? container.decode(Bool.self)).map(Self.boolean)
    switch (text, other) {
    case (let text?, let other?): self = .text(text, other)
    case (let text?, nil): self = .string(text)
    case (nil, let other?): self = other
    case (nil, nil): return nil
    }
  }

  init?(numberOf container: any SingleValueDecodingContainer) {
    guard let double = try? container.decode(Double.self) else { return nil }
    let isNegativeZero = double == 0 && double.sign == .minus
    if double.rounded() == double, double.magnitude < 0x1p65, !isNegativeZero {
      if let integer = Self(integerOf: container) {
        self = integer
        return
      }
    }
    self = .number(double, try? container.decode(Decimal.self))
  }

  private init?(integerOf container: any SingleValueDecodingContainer) {
    if let integer = try? container.decode(Int64.self) {
      self = .integer(integer)
    } else if let integer = try? container.decode(UInt64.self) {
      self = .unsignedInteger(integer)
    } else {
      return nil
    }
  }

  /// Reads what JSON does not have, and what only a strict format gives as an integer alone.
  init(oddityOf decoder: any Decoder) {
    do {
      let container = try decoder.singleValueContainer()
      if let integer = Self(integerOf: container) {
        self = integer
      } else if let date = try? container.decode(Date.self) {
        self = .date(date)
      } else {
        self = .data(try container.decode(Data.self))
      }
    } catch {
      self = .unreadable("The decoder can make neither a number nor text of it.")
    }
  }
}

extension String {
  /// Whether a format without types might mean something else than text.
  fileprivate var mayBeNumberOrBoolean: Bool {
    guard let first = utf8.first else { return false }
    switch first {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      return Double(self) != nil
    default:
      return utf8.count <= 5
        && ["true", "false", "yes", "no", "on", "off", "y", "n"].contains(lowercased())
    }
  }
}
