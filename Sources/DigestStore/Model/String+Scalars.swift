extension String {
  /// Replaces a scalar wherever it stands, also where a combining mark makes it another character.
  ///
  /// What has a meaning in a format, a pattern or a URI has it for programs that know no characters.
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
