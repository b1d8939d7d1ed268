/// Encodes text of a store for a server, because PostgreSQL's `text` cannot contain NUL.
///
/// U+0000 becomes U+0001 and `0`, and U+0001 becomes U+0001 and `1`. So different texts stay
/// different, and in the same order.
enum FleetText {
  private static let escape: Unicode.Scalar = "\u{1}"

  static func encode(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 <= 1 }) else { return text }
    var encoded = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar.value <= 1 {
        encoded.append(escape)
        encoded.append(scalar.value == 0 ? "0" : "1")
      } else {
        encoded.append(scalar)
      }
    }
    return String(encoded)
  }

  static func decode(_ text: String) -> String {
    guard text.utf8.contains(1) else { return text }
    var decoded = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isEscaped {
        decoded.append(scalar == "0" ? "\0" : escape)
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
