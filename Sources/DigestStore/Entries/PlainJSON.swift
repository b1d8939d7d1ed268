/// A cursor over plain JSON (RFC 8259). Each method returns false if it meets anything else.
struct PlainJSON {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  /// - Parameter bytes: must stay valid as long as the cursor is used.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// Whether only space is left.
  var isAtEnd: Bool {
    bytes[position...].allSatisfy(Self.isSpace)
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

  /// Reads the string of a member. Returns false if the member already has a value.
  mutating func string(into value: inout String?) -> Bool {
    guard value == nil, let text = text() else { return false }
    if !text.isASCII {
      guard let valid = String(validating: text.bytes, as: UTF8.self) else { return false }
      value = valid
    }
    if text.hasEscapes {
      value = JSONText(bytes: text.bytes, hasEscapes: true).text
    } else if text.isASCII {
      value = String(decoding: text.bytes, as: UTF8.self)
    }
    return true
  }

  /// Reads the number of a member, a whole number of at most nine digits. Returns false if the
  /// member already has a value.
  mutating func count(into value: inout Int?) -> Bool {
    skipSpace()
    let start = position
    var number = 0
    while position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10
    {
      guard position - start < 9 else { return false }
      number = number * 10 + Int(digit)
      position += 1
    }
    guard value == nil, start < position, bytes[start] != UInt8(ascii: "0"), position < bytes.count,
      bytes[position] == UInt8(ascii: ",") || bytes[position] == UInt8(ascii: "}")
    else { return false }
    value = number
    return true
  }

  private struct Text {
    let bytes: UnsafeRawBufferPointer
    let hasEscapes: Bool
    let isASCII: Bool
  }

  private mutating func text() -> Text? {
    guard skip("\"") else { return nil }
    let start = position
    var hasEscapes = false
    var all: UInt8 = 0
    while position < bytes.count {
      let byte = bytes[position]
      all |= byte
      switch byte {
      case UInt8(ascii: "\""):
        let slice = UnsafeRawBufferPointer(rebasing: bytes[start..<position])
        position += 1
        return Text(bytes: slice, hasEscapes: hasEscapes, isASCII: all < 0x80)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        position += 1
        guard skipEscape() else { return nil }
      case ..<0x20: return nil
      default: position += 1
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
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0d
  }
}

/// Whether bytes equal a name.
func == (bytes: UnsafeRawBufferPointer, name: StaticString) -> Bool {
  bytes.elementsEqual(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
}
