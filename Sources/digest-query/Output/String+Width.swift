extension String {
  /// The number of terminal columns that the text takes.
  var terminalWidth: Int {
    if isPlain { return utf8.count }
    if isNarrow { return unicodeScalars.count }
    return reduce(0) { $0 + $1.terminalWidth }
  }

  /// The part of a text that is dropped when there is no room for all of it.
  enum CutPosition {
    case front, middle, end
  }

  /// The text cut to a number of terminal columns, with … for the missing part.
  func cut(to width: Int, at position: CutPosition) -> String {
    guard terminalWidth > width else { return self }
    let room = max(0, width - 1)
    switch position {
    case .front: return "…\(suffix(ofWidth: room))"
    case .end: return "\(prefix(ofWidth: room))…"
    case .middle:
      let end = suffix(ofWidth: (room + 1) / 2)
      return "\(prefix(ofWidth: room - String(end).terminalWidth))…\(end)"
    }
  }

  /// The text broken between words into lines of at most `width` columns. A longer word stays
  /// whole.
  func wrapped(to width: Int) -> [String] {
    guard terminalWidth > width else { return [self] }
    var lines = [""]
    for word in split(separator: " ") {
      let line = lines[lines.count - 1]
      let longer = line.isEmpty ? String(word) : "\(line) \(word)"
      if line.isEmpty || longer.terminalWidth <= width {
        lines[lines.count - 1] = longer
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// The text in lines, with their breaks, that fit a terminal and cannot control it. A word that is
  /// longer than a line is cut.
  func lines(fitting width: Int?) -> String {
    guard let width else { return printable + "\n" }
    return printable.wrapped(to: width).map { $0.cut(to: width, at: .middle) + "\n" }.joined()
  }

  private func prefix(ofWidth width: Int) -> Substring {
    var left = width
    return prefix { character in
      left -= character.terminalWidth
      return left >= 0
    }
  }

  private func suffix(ofWidth width: Int) -> Substring {
    var left = width
    var start = endIndex
    while start > startIndex {
      let before = index(before: start)
      left -= self[before].terminalWidth
      if left < 0 { break }
      start = before
    }
    return self[start...]
  }
}

extension Character {
  /// The sum of its scalars, or two columns for an emoji of any number of scalars (Unicode
  /// Technical Standard 51, "Display").
  fileprivate var terminalWidth: Int {
    isShownAsEmoji ? 2 : unicodeScalars.reduce(0) { $0 + $1.terminalWidth }
  }

  private var isShownAsEmoji: Bool {
    guard let first = unicodeScalars.first, !first.isASCII || unicodeScalars.count > 1
    else { return false }
    return unicodeScalars.contains {
      $0.properties.isEmojiPresentation || $0 == "\u{FE0F}" && first.properties.isEmoji
    }
  }
}

extension Unicode.Scalar {
  /// 0 for a scalar that joins its neighbor, 2 for a wide one (Unicode Standard Annex 11), else 1.
  fileprivate var terminalWidth: Int {
    guard !isASCII else { return 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch value {
    // The middle and the end of a syllable of Hangul, whose beginning is wide.
    case 0x1160...0x11FF, 0xD7B0...0xD7FB: return 0
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4C6, 0xA960...0xA97C,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B,
      0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB, 0x1D300...0x1D376,
      0x1F200...0x1F265, 0x20000...0x3FFFD:
      return 2
    default:
      return 1
    }
  }
}
