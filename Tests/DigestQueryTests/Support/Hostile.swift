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
}
