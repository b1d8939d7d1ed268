import DigestStore

/// A text with the wildcards of filters: `*` for any text and `?` for any character.
struct Pattern: Hashable {
  private let scalars: [Unicode.Scalar]

  /// The text, if it has no wildcards.
  private let exact: BinaryString?

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    exact = text.hasWildcards ? nil : BinaryString(text)
  }

  /// Whether the pattern matches a whole text. Takes time in proportion to the product of the
  /// lengths at worst.
  func matches(_ text: String) -> Bool {
    if let exact { return exact == BinaryString(text) }
    let text = Array(text.unicodeScalars)
    var (place, index) = (0, 0)
    // Where to go on if the text after the last star does not match.
    var retry: (place: Int, index: Int)?
    while index < text.count {
      if place < scalars.count, scalars[place] == "*" {
        retry = (place + 1, index)
        place += 1
      } else if place < scalars.count, scalars[place] == "?" || scalars[place] == text[index] {
        place += 1
        index += 1
      } else if let last = retry {
        retry = (last.place, last.index + 1)
        (place, index) = (last.place, last.index + 1)
      } else {
        return false
      }
    }
    return scalars[place...].allSatisfy { $0 == "*" }
  }
}
