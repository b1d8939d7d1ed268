extension String {
  /// Replaces a scalar everywhere, even where a combining mark makes it part of another character.
  ///
  /// Programs that parse formats, patterns and URIs see scalars or bytes, and not characters.
  package func replacingScalars(_ scalar: Unicode.Scalar, with replacement: String) -> String {
    guard unicodeScalars.contains(scalar) else { return self }
    return unicodeScalars.reduce(into: "") { text, next in
      if next == scalar {
        text += replacement
      } else {
        text.unicodeScalars.append(next)
      }
    }
  }
}
