/// Encodes text of a store for a server, because PostgreSQL's `text` cannot contain NUL.
///
/// NUL becomes the noncharacter U+10FFFE and `0`, and U+10FFFE is doubled. So different texts stay
/// different.
enum FleetText {
  private static let escape: Unicode.Scalar = "\u{10FFFE}"

  static func encode(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0 == escape || $0.value == 0 }) else {
      return text
    }
    var encoded = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == escape || scalar.value == 0 { encoded.append(escape) }
      encoded.append(scalar.value == 0 ? "0" : scalar)
    }
    return String(encoded)
  }

  static func decode(_ text: String) -> String {
    guard text.unicodeScalars.contains(escape) else { return text }
    var decoded = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isEscaped {
        decoded.append(scalar == "0" ? "\0" : scalar)
        isEscaped = false
      } else if scalar == escape {
        isEscaped = true
      } else {
        decoded.append(scalar)
      }
    }
    return String(decoded)
  }
}
