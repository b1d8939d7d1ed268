/// A payload as a tree.
indirect enum JSON: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int)
  case real(Double)
  /// A number in a notation that only JSON has.
  case literal(NumberLiteral)
  case string(String)
  case array([JSON])
  case object([String: JSON])
}

/// A number as JSON writes it, and its values.
struct NumberLiteral: Hashable, Sendable {
  let text: String
  /// Nil if it is not an `Int`.
  let integer: Int?
  /// Nil if it is not a `Double`.
  let double: Double?
  /// Nil if it has too many digits.
  let exactText: String?

  static let all = [
    Self(text: "1.0", integer: 1, double: 1, exactText: "1"),
    Self(text: "1E2", integer: 100, double: 100, exactText: "100"),
    Self(text: "1e200", integer: nil, double: 1e200, exactText: "1e+200"),
    Self(text: "1e400", integer: nil, double: nil, exactText: nil),
    Self(text: "-1e400", integer: nil, double: nil, exactText: nil),
    Self(
      text: "12345678901234567890123", integer: nil, double: 12_345_678_901_234_567_741_440,
      exactText: "12345678901234567890123"
    ),
    Self(
      text: "18446744073709551615", integer: nil, double: 18_446_744_073_709_551_616,
      exactText: "18446744073709551615"
    ),
  ]
}

extension JSON {
  /// The payload as a document.
  var text: String {
    switch self {
    case .null: "null"
    case .boolean(let boolean): "\(boolean)"
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .literal(let literal): literal.text
    case .string(let string): string.quoted
    case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
    case .object(let entries):
      "{"
        + entries.sorted { $0.key < $1.key }.map { "\($0.quoted):\($1.text)" }
        .joined(separator: ",") + "}"
    }
  }

  /// Whether it can be a document of a format.
  func isDocument(in format: Format) -> Bool {
    switch self {
    case .array, .object: isRepresentable(in: format)
    default: format == .json
    }
  }

  /// Whether a property list of a kind can hold it.
  private func isRepresentable(in format: Format) -> Bool {
    switch self {
    case .null, .boolean, .integer, .real: true
    case .literal: format == .json
    case .string(let string): string.isRepresentable(in: format)
    case .array(let elements): elements.allSatisfy { $0.isRepresentable(in: format) }
    case .object(let entries):
      entries.allSatisfy {
        $0.key.isRepresentable(in: format) && $0.value.isRepresentable(in: format)
      }
    }
  }
}

extension JSON: Encodable {
  // For the encoder of property lists, which writes null as a special string.
  func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let entries):
      var container = encoder.container(keyedBy: AnyKey.self)
      for (key, value) in entries { try container.encode(value, forKey: AnyKey(key)) }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .boolean(let boolean): try container.encode(boolean)
      case .integer(let integer): try container.encode(integer)
      case .real(let real): try container.encode(real)
      case .string(let string): try container.encode(string)
      default: try container.encodeNil()
      }
    }
  }
}

extension String {
  fileprivate var quoted: String {
    unicodeScalars.reduce(into: "\"") { text, scalar in
      switch scalar {
      case "\"", "\\": text += "\\" + String(scalar)
      case "\0"..<" ":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    } + "\""
  }

  /// XML has no control characters, and normalizes line breaks.
  fileprivate func isRepresentable(in format: Format) -> Bool {
    format != .xml || unicodeScalars.allSatisfy { $0 >= " " }
  }
}
