import DigestStore

extension String {
  /// The text as one word of a command line for bash, zsh and other shells with `$'…'`
  /// (POSIX.1-2024, "Dollar-Single-Quotes").
  ///
  /// The word is printable, so that it can be shown and pasted. A NUL is lost, because no argument
  /// can contain one.
  var shellQuoted: String {
    guard !utf8.allSatisfy({ $0.isHarmlessInShells || $0 == UInt8(ascii: ":") }) || isEmpty else {
      return self
    }
    // By scalars: a quote with a combining mark is another Character. Within quotes fish reads a
    // backslash as an escape. It refuses `$'…'` and runs nothing.
    guard printable.utf8.elementsEqual(utf8), !utf8.contains(UInt8(ascii: "\\")) else {
      return "$'\(utf8.map(\.escapedInDollarQuotes).joined())'"
    }
    return "'\(replacingScalars("'", with: #"'\''"#))'"
  }
}

extension UInt8 {
  /// Whether the byte stands for itself in a word of any shell and any locale: an ASCII letter or
  /// digit, or one of `._-+/`.
  var isHarmlessInShells: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "/"):
      true
    default: false
    }
  }

  /// The byte itself where it is harmless, else as an octal number of always three digits.
  fileprivate var escapedInDollarQuotes: String {
    guard !isHarmlessInShells else { return String(Unicode.Scalar(self)) }
    let digits = String(self, radix: 8)
    return "\\" + String(repeating: "0", count: 3 - digits.utf8.count) + digits
  }
}
