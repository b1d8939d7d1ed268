import DigestStore

extension String {
  /// The printable text, in quotes if it would be ambiguous: empty text, text with a space at an
  /// end, the dash that means nothing, and text that is in quotes itself.
  var visible: String {
    let text = printable
    let ends = [text.unicodeScalars.first, text.unicodeScalars.last]
    let isPadded = ends.contains { $0?.properties.isWhitespace ?? true }
    let isQuoted = text.utf8.count > 1 && ends == ["\"", "\""]
    return isPadded || isQuoted || text == "-" ? "\"\(text)\"" : text
  }

  /// The text with an escape for each scalar that would control a terminal, is invisible, or makes
  /// different texts look the same.
  var printable: String {
    guard !isPlain, !isNarrow else { return self }
    return escapingUnprintable { scalar in
      switch scalar {
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      default: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
  }

  /// The text with an escape instead of each unprintable scalar.
  ///
  /// Joiners and variation selectors are printable where they change the glyphs: in emoji such as
  /// 👩‍🚀 and 1️⃣, and in Persian, Indic and Japanese spelling. After ASCII, or after another of
  /// them, they would only hide a difference.
  func escapingUnprintable(_ escape: (Unicode.Scalar) -> String) -> String {
    guard unicodeScalars.contains(where: { $0.isHidden || $0.looksLikeAnother }) else {
      return self
    }
    var last: Unicode.Scalar = " "
    let following = unicodeScalars.dropFirst() + [" "]
    return zip(unicodeScalars, following).reduce(into: "") { text, scalars in
      let (scalar, next) = scalars
      let isLost = scalar.isHidden && !scalar.changesShape(between: last, next)
      if isLost || scalar.looksLikeAnother {
        text += escape(scalar)
        last = " "
      } else {
        text.unicodeScalars.append(scalar)
        last = scalar
      }
    }
  }

  /// Whether the text is printable ASCII, as most texts are. No Unicode properties are needed then.
  var isPlain: Bool { utf8.allSatisfy { 0x20..<0x7F ~= $0 } }

  /// Whether the text is printable ASCII, box drawings and blocks, each of which takes one column.
  var isNarrow: Bool {
    unicodeScalars.allSatisfy { 0x20..<0x7F ~= $0.value || 0x2500...0x259F ~= $0.value }
  }
}

extension Unicode.Scalar {
  /// Whether the scalar has no glyph of its own: controls, line and paragraph separators,
  /// bidirectional controls, interlinear annotations, tags, and the other default ignorable code
  /// points (Unicode Standard, section 5.21).
  var isHidden: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default:
      // Bidirectional controls are default ignorable; annotations are not.
      properties.isDefaultIgnorableCodePoint || 0xFFF9...0xFFFB ~= value
    }
  }

  /// Whether the scalar can make different texts look the same: a space other than U+0020, a
  /// combining mark of class 8 or from 200 on, such as U+0301, or a medial or final Hangul jamo.
  var looksLikeAnother: Bool {
    guard !isASCII else { return false }
    switch properties.generalCategory {
    case .spaceSeparator: return true
    case .nonspacingMark:
      // Diacritics have the classes from 200 on, the voicing marks of Japanese 8 (Unicode Standard,
      // section 4.3).
      let combiningClass = properties.canonicalCombiningClass.rawValue
      return combiningClass >= 200 || combiningClass == 8
    default:
      // The middle and the end of a syllable of Hangul.
      return 0x1160...0x11FF ~= value
    }
  }

  /// Whether the scalar is a variation selector or a joiner (U+200C, U+200D) that may change the
  /// glyphs of its neighbors.
  fileprivate func changesShape(between last: Unicode.Scalar, _ next: Unicode.Scalar) -> Bool {
    if properties.isVariationSelector {
      return !last.isASCII && !last.isHidden || next == "\u{20E3}"
    }
    guard properties.isJoinControl else { return false }
    return !last.isASCII && (!last.isHidden || last.properties.isVariationSelector)
  }
}

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

  /// The text as the value of an option on a command line. One that looks like an option has to be in the
  /// same word as its option.
  func shellQuoted(asValueOf option: String) -> String {
    "\(option)\(utf8.first == UInt8(ascii: "-") ? "=" : " ")\(shellQuoted)"
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
