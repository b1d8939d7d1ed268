/// The bytes between the quotes of a JSON string (RFC 8259, section 7), still escaped.
struct JSONText {
  let bytes: UnsafeRawBufferPointer
  let hasEscapes: Bool
  let isASCII: Bool

  /// The unescaped text. Repairs invalid UTF-8.
  var text: String {
    hasEscapes ? String(decoding: utf8, as: UTF8.self) : String(decoding: bytes, as: UTF8.self)
  }

  /// The unescaped text; nil if it is not UTF-8.
  var validText: String? {
    let text = text
    guard !isASCII else { return text }
    // Repairing changes bytes that are not UTF-8.
    let isUTF8 = hasEscapes ? text.utf8.elementsEqual(utf8) : text.utf8.elementsEqual(bytes)
    return isUTF8 ? text : nil
  }

  private var utf8: [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let escape = rest.popFirst() else {
        text.append(byte)
        continue
      }
      switch escape {
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0c)
      case UInt8(ascii: "n"): text.append(0x0a)
      case UInt8(ascii: "r"): text.append(0x0d)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "u"):
        let digits = UInt32(String(decoding: rest.prefix(4), as: UTF8.self), radix: 16)
        rest = rest.dropFirst(4)
        // A cursor reads no surrogates.
        let scalar = digits.flatMap(Unicode.Scalar.init) ?? "\u{fffd}"
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      default: text.append(escape)
      }
    }
    return text
  }
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
