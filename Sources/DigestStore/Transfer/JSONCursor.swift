/// Reads JSON in place (RFC 8259). A method returns nil or false if something else follows.
///
/// Supports only the JSON that this library writes: no negative or fractional numbers, and no
/// escaped surrogates.
struct JSONCursor {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  /// - Parameter bytes: must stay valid as long as the cursor and its results are used.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// The next byte that is not space; nil at the end.
  var next: UInt8? {
    mutating get {
      skipSpace()
      return position < bytes.count ? bytes[position] : nil
    }
  }

  /// Skips a character if it is the next one.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Reads an object. `body` reads the value of each member.
  mutating func members(
    _ body: (inout Self, _ name: UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    guard skip("{") else { return false }
    if skip("}") { return true }
    repeat {
      guard let name = text(), !name.hasEscapes, skip(":"), body(&self, name.bytes)
      else { return false }
    } while skip(",")
    return skip("}")
  }

  /// Reads an array. `body` reads each element.
  mutating func elements(_ body: (inout Self) -> Bool) -> Bool {
    guard skip("[") else { return false }
    if skip("]") { return true }
    repeat {
      guard body(&self) else { return false }
    } while skip(",")
    return skip("]")
  }

  /// Reads the digits of a number.
  mutating func digits() -> UnsafeRawBufferPointer? {
    skipSpace()
    let start = position
    while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
    guard start < position, bytes[start] != UInt8(ascii: "0") || position == start + 1 else {
      return nil
    }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<position])
  }

  /// Reads a number of at most 12 digits: few enough to add up millions of such numbers.
  mutating func number() -> Int64? {
    guard let digits = digits(), digits.count <= 12 else { return nil }
    return digits.reduce(0) { $0 * 10 + Int64($1 &- UInt8(ascii: "0")) }
  }

  mutating func text() -> JSONText? {
    guard skip("\"") else { return nil }
    let start = position
    var hasEscapes = false
    var all: UInt8 = 0
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      all |= byte
      switch byte {
      case UInt8(ascii: "\""):
        return JSONText(
          bytes: UnsafeRawBufferPointer(rebasing: bytes[start..<position - 1]),
          hasEscapes: hasEscapes, isASCII: all < 0x80)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        guard skipEscape() else { return nil }
      case ..<0x20: return nil
      default: break
      }
    }
    return nil
  }

  /// Skips an escape after its backslash. Returns false for a surrogate.
  private mutating func skipEscape() -> Bool {
    guard position < bytes.count else { return false }
    let byte = bytes[position]
    position += 1
    guard byte == UInt8(ascii: "u") else { return "\"\\/bfnrt".utf8.contains(byte) }
    guard position + 4 <= bytes.count else { return false }
    let digits = bytes[position..<position + 4]
    position += 4
    let isHexadecimal = digits.allSatisfy { byte in
      byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 6
    }
    // Surrogates are D800 to DFFF.
    let isSurrogate =
      (bytes[position - 4] | 0x20) == UInt8(ascii: "d")
      && !(UInt8(ascii: "0")...UInt8(ascii: "7") ~= bytes[position - 3])
    return isHexadecimal && !isSurrogate
  }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0a, 0x0d: position += 1
      default: return
      }
    }
  }
}

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
