/// Text that someone sends who wants the worst, or who means no harm and writes as people write.
enum Hostile {
  static let values = [
    "", " ", "=cmd()", "+1", "-1", "@x", "\tx", "\rx", "\nx", "\0x", "a\0b", "'x", "\"", "a\"b",
    ",",
    "a,b", "a\nb", "a\r\nb", "a|b", "\\", "\\n", "\u{1B}[31mred\u{1B}[0m", "\u{9B}31m", "\u{7}",
    "\u{202E}gnp.exe", "\u{2066}x\u{2069}", "\u{2028}", "\u{FEFF}", "<script>alert(1)</script>",
    "&amp;", "`code`", "**bold**", "[x](http://x.y)", "日本語", "🏡", "👨‍👩‍👧", "🇩🇪", "e\u{301}",
    "\u{301}x", "\"\u{301}", "|\u{301}", "<\u{301}", "`\u{301}", "=\u{301}", "%s%n", "%", "null",
    "NULL", "'; DROP TABLE digest; --", "{\"a\":1}", "[]", "\u{10FFFF}", "\u{FFFE}", "\u{AD}",
  ]

  /// 100,000 bytes.
  static let long = String(repeating: "long ", count: 20_000)

  /// Escapes of seven and of eight bits, a bell, changes of direction, annotations, tags, fillers
  /// and others that nobody sees.
  static let steering =
    "\u{1B}[31m\u{9B}31m\u{7}\u{7F}\u{202E}x\ty\nz\u{61C}\u{2067}\u{FFF9}\u{FFFA}\u{FFFB}\u{E0001}"
    + "\u{E0041}\u{E007F}\u{3164}\u{FFA0}\u{115F}\u{AD}\u{34F}\u{200B}\u{FEFF}\u{2028}a\u{FE0F}\u{200D}"

  /// The scalars of a text that steer a terminal or that nobody sees, in hexadecimal; line breaks
  /// are none of them.
  static func steering(in text: String) -> [String] {
    text.unicodeScalars.filter { scalar in
      switch scalar {
      case "\n": false
      case "\u{FFF9}"..."\u{FFFB}": true
      default:
        scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.isBidiControl
          || [.control, .lineSeparator].contains(scalar.properties.generalCategory)
      }
    }.map { String($0.value, radix: 16) }
  }
}
