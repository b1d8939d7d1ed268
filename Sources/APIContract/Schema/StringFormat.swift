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
    let year = digits[0..<4].reduce(0) { $0 * 10 + $1 }
    let (month, day) = (digits[5] * 10 + digits[6], digits[8] * 10 + digits[9])
    guard 1...12 ~= month else { return false }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return 1...days[month - 1] ~= day
  }

  /// `2026-11-20T10:00:00Z`, with any number of decimals, and an offset.
  private static func isDateTime(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count >= 20, isDate(bytes.prefix(10)),
      [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(bytes[10]),
      matches(bytes[11..<19], "dd:dd:dd")
    else { return false }
    let digits = bytes[11..<19].map { Int($0) - 48 }
    guard digits[0] * 10 + digits[1] < 24, digits[3] < 6, digits[6] * 10 + digits[7] <= 60 else {
      return false
    }
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
