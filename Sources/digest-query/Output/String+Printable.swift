extension String {
  /// The text with what would steer a terminal, or hide what follows, written out as an escape.
  var printable: String {
    guard !isPlain, !isNarrow, unicodeScalars.contains(where: \.isUnprintable) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.isUnprintable:
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  /// Whether it is printable ASCII, as most texts are: nothing of it has to be looked up.
  var isPlain: Bool { utf8.allSatisfy { 0x20..<0x7F ~= $0 } }

  /// Whether it is made of that and of lines and blocks, as bars are: each takes one column.
  var isNarrow: Bool {
    unicodeScalars.allSatisfy { 0x20..<0x7F ~= $0.value || 0x2500...0x259F ~= $0.value }
  }
}

extension Unicode.Scalar {
  /// Controls, line and paragraph separators, and what turns the direction of writing.
  var isUnprintable: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: (0x202A...0x202E ~= value) || (0x2066...0x2069 ~= value) || value == 0xFEFF
    }
  }
}
