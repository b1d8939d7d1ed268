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
  /// Controls, line and paragraph separators, what turns the direction of writing, and what nobody
  /// can see where it joins nothing.
  var isUnprintable: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default:
      switch value {
      case 0x180E, 0x200B, 0x200E...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF: true
      default: false
      }
    }
  }
}
