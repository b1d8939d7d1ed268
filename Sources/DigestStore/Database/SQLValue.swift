/// A value to bind to a statement, or to read from SQLite.
package enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case text(String)
  case blob([UInt8])

  /// A pattern in which `*` matches any text and `?` any character, for the right side of `GLOB`.
  case pattern(String)

  /// Lists, for `IN (SELECT value FROM json_each(:name))`.
  case integers([Int64])
  case texts([String])

  package init(_ text: String?) {
    self = text.map { .text($0) } ?? .null
  }

  package init(_ integer: Int64?) {
    self = integer.map { .integer($0) } ?? .null
  }
}

extension [String: SQLValue] {
  /// Returns the value of a parameter.
  ///
  /// - Throws: ``MissingValue`` if there is none. SQL would treat it as null, and the answer would be wrong.
  package func value(of parameter: String) throws -> SQLValue {
    guard let value = self[parameter] else { throw MissingValue(parameter: parameter) }
    return value
  }
}

/// A parameter of a statement that has no value: a mistake in the code that runs the statement.
package struct MissingValue: Error, CustomStringConvertible {
  let parameter: String

  package var description: String { "a statement has no value for \(parameter)" }
}

extension [UInt8] {
  /// The bytes as hexadecimal digits, two each.
  package var hexadecimal: String {
    let digits = [UInt8]("0123456789abcdef".utf8)
    return String(
      decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

extension [Int64] {
  /// The list as a JSON array.
  var jsonArray: String { "[\(map(String.init).joined(separator: ","))]" }
}

extension [String] {
  /// The list as a JSON array.
  var jsonArray: String {
    var bytes: [UInt8] = []
    for text in self {
      bytes.append(UInt8(ascii: bytes.isEmpty ? "[" : ","))
      bytes.append(json: text)
    }
    return bytes.isEmpty ? "[]" : String(decoding: bytes + [UInt8(ascii: "]")], as: UTF8.self)
  }
}

/// The current row of a query, whose columns are numbered from 0.
///
/// Reads another type as SQLite does: an integer that is null or no number is 0.
package protocol Row: ~Copyable {
  func integer(at column: Int32) -> Int64
  func optionalInteger(at column: Int32) -> Int64?
  func real(at column: Int32) -> Double?

  /// Reads a text and repairs invalid UTF-8; nil for null.
  func text(at column: Int32) -> String?
}

extension [UInt8] {
  /// Appends text as a quoted JSON string.
  mutating func append(json text: String) {
    append(UInt8(ascii: "\""))
    append(jsonContents: text)
    append(UInt8(ascii: "\""))
  }

  /// Appends text as the contents of a JSON string, with the escapes that SQLite's JSON functions
  /// write. Also escapes U+0085, U+2028 and U+2029, which some readers of NDJSON treat as line
  /// ends.
  mutating func append(jsonContents text: String) {
    guard text.utf8.contains(where: \.mayBeEscapedInJSON) else {
      return append(contentsOf: text.utf8)
    }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": append(contentsOf: #"\""#.utf8)
      case "\\": append(contentsOf: #"\\"#.utf8)
      case "\u{8}": append(contentsOf: #"\b"#.utf8)
      case "\u{c}": append(contentsOf: #"\f"#.utf8)
      case "\n": append(contentsOf: #"\n"#.utf8)
      case "\r": append(contentsOf: #"\r"#.utf8)
      case "\t": append(contentsOf: #"\t"#.utf8)
      case ..<" ", "\u{85}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        append(
          contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8)
      default: append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
  }
}

extension UInt8 {
  /// Whether the byte, or a scalar that begins with it, may need an escape.
  fileprivate var mayBeEscapedInJSON: Bool {
    switch self {
    case ..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), 0xC2, 0xE2: true
    default: false
    }
  }
}

extension String {
  /// Replaces a scalar everywhere, even where a combining mark makes it part of another character.
  ///
  /// Programs that parse formats, patterns and URIs see scalars or bytes, and not characters.
  package func replacingScalars(_ scalar: Unicode.Scalar, with replacement: String) -> String {
    guard unicodeScalars.contains(scalar) else { return self }
    return unicodeScalars.reduce(into: "") { text, next in
      if next == scalar {
        text += replacement
      } else {
        text.unicodeScalars.append(next)
      }
    }
  }
}
