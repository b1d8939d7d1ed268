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
