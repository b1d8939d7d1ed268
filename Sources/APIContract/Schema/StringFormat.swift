/// The formats of strings that are checked (OpenAPI Format Registry; RFC 3339; RFC 9562).
enum StringFormat: String {
  case dateTime = "date-time"
  case date
  case uuid

  func matches(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return switch self {
    case .date: bytes.count == 10 && Self.isDate(bytes[...])
    case .dateTime: Self.isDateTime(bytes[...])
    case .uuid: Self.matches(bytes[...], "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")
    }
  }

  private static func isDate(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard matches(bytes, "dddd-dd-dd") else { return false }
    let digits = bytes.map { Int($0) - 48 }
    return 1...12 ~= digits[5] * 10 + digits[6] && 1...31 ~= digits[8] * 10 + digits[9]
  }

  /// `2026-11-20T10:00:00Z`, with any number of decimals, and an offset.
  private static func isDateTime(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count >= 20, isDate(bytes.prefix(10)),
      [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(bytes[10]),
      matches(bytes[11..<19], "dd:dd:dd")
    else { return false }
    var rest = bytes[19...]
    if rest.first == UInt8(ascii: ".") {
      let digits = rest.dropFirst().prefix { 48...57 ~= $0 }
      guard !digits.isEmpty else { return false }
      rest = rest.dropFirst(digits.count + 1)
    }
    return rest.elementsEqual("Z".utf8) || rest.elementsEqual("z".utf8) || matches(rest, "+dd:dd")
      || matches(rest, "-dd:dd")
  }

  /// Compares bytes with a pattern, in which `d` is a digit and `x` a hexadecimal one.
  private static func matches(_ bytes: ArraySlice<UInt8>, _ pattern: String) -> Bool {
    bytes.count == pattern.utf8.count
      && zip(bytes, pattern.utf8).allSatisfy { byte, expected in
        switch expected {
        case UInt8(ascii: "d"): 48...57 ~= byte
        case UInt8(ascii: "x"):
          48...57 ~= byte || 65...70 ~= byte || 97...102 ~= byte
        default: byte == expected
        }
      }
  }
}
