import DigestStore

/// Encodes text of a store for a server, because PostgreSQL's `text` cannot contain NUL.
///
/// U+0000 becomes U+0001 and `0`, and U+0001 becomes U+0001 and `1`. So different texts stay
/// different, and in the same order.
enum FleetText {
  static func encode(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 <= 1 }) else { return text }
    return text.replacingScalars("\u{1}", with: "\u{1}1").replacingScalars("\0", with: "\u{1}0")
  }

  static func decode(_ text: String) -> String {
    guard text.utf8.contains(1) else { return text }
    // As scalars, because a combining mark would make the digit part of another character.
    let scalars = text.unicodeScalars.replacing("\u{1}0".unicodeScalars, with: "\0".unicodeScalars)
      .replacing("\u{1}1".unicodeScalars, with: "\u{1}".unicodeScalars)
    return String(scalars)
  }
}
