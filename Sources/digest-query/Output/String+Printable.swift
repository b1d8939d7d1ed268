extension String {
  /// The text with what would steer a terminal, or hide what follows, written out as an escape.
  var printable: String {
    guard !isPlain, unicodeScalars.contains(where: \.isUnprintable) else { return self }
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

  /// How many columns of a terminal the text takes.
  var terminalWidth: Int {
    guard !isPlain else { return utf8.count }
    return reduce(0) { $0 + ($1.unicodeScalars.map(\.terminalWidth).max() ?? 0) }
  }

  /// Whether it is printable ASCII, as most texts are: nothing of it has to be looked up.
  private var isPlain: Bool { utf8.allSatisfy { 0x20..<0x7F ~= $0 } }
}

extension Unicode.Scalar {
  /// Controls, line and paragraph separators, and what turns the direction of writing.
  var isUnprintable: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: (0x202A...0x202E ~= value) || (0x2066...0x2069 ~= value) || value == 0xFEFF
    }
  }

  /// 0 for what joins its neighbour, 2 for what is wide (Unicode Standard Annex 11), else 1.
  fileprivate var terminalWidth: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    if properties.isEmojiPresentation { return 2 }
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    default:
      return 1
    }
  }
}
