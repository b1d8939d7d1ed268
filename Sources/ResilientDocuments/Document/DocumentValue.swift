import ResilientDecoding
import ResilientPlatform

/// A value of any shape.
enum DocumentValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  /// A number as text, with all digits that the decoder provides.
  case number(String)
  case string(String)
  /// A number or boolean in a format that does not distinguish it from text, such as XML.
  indirect case text(String, Self)
  case array([Self])
  case object([String: Self])
  /// A property list's date.
  case date(Date)
  /// A property list's data.
  case data(Data)
  /// A value that the decoder cannot read, such as the number 1e400, and the reason.
  case unreadable(String)
}

extension DocumentValue {
  /// Reads a scalar of JSON in any format; nil for an array, an object, or a value that JSON does
  /// not have.
  ///
  /// A scalar has the type that can be decoded. Here and below a failed attempt means that it has
  /// another one; `init(nonJSONOf:)` reads the rest.
  init?(scalarOf decoder: any Decoder) {
    guard let container = try? decoder.singleValueContainer() else { return nil }
    if container.decodeNil() {
      self = .null
      return
    }
    // Text first: it is the most common, and each failed attempt is expensive.
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
    // A `Decimal` has too few digits for a tiny number.
    let text = container.number?.text.flatMap { Double($0) == double ? $0 : nil }
    self = .number(text ?? double.numberText)
  }

  /// Reads a value that JSON does not have, and an integer that a strict decoder gives only as an
  /// integer.
  init(nonJSONOf decoder: any Decoder) {
    do {
      let container = try decoder.singleValueContainer()
      if let text = container.number?.text {
        self = .number(text)
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
  /// Whether the text could be a number or boolean in an untyped format.
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

extension DocumentValue: Decodable {
  /// Reads a value with all its members and elements.
  init(from decoder: any Decoder) throws {
    let reader = ValueReader.current ?? ValueReader(decoder)
    let shape = reader.shape(of: decoder)
    try reader.checkLimits(decoder)
    reader.depth += 1
    defer { reader.depth -= 1 }
    switch shape {
    case .scalar(let scalar):
      self = scalar
    case .object:
      // As a dictionary: a keyed container would convert the keys.
      self = .object(try decoder.singleValueContainer().decode([String: Self].self))
    case .array(let elements):
      self = try Self(elements: elements)
    case .other:
      self = Self(nonJSONOf: decoder)
    }
  }

  /// Reads the whole value of a decoder.
  static func all(below decoder: any Decoder) throws -> Self {
    if let decoder = decoder as? DocumentDecoder { return decoder.value }
    if let document = decoder as? DecodableDocument { return document.value }
    let reader = ValueReader(decoder)
    return try DecodeState.with(reader: reader) { try Self(from: decoder) }
  }

  private init(elements: any UnkeyedDecodingContainer) throws {
    var elements = elements
    var values: [Self] = []
    while !elements.isAtEnd {
      let index = elements.currentIndex
      values.append(try Self(from: elements.superDecoder()))
      guard elements.currentIndex > index else { throw elements.notAdvancingError }
    }
    self = .array(values)
  }
}
