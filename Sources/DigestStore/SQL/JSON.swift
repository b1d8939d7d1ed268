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
