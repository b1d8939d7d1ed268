import Testing

@testable import digest_query

/// Cells of Markdown, as GitHub shows them.
struct MarkdownTests {
  /// Texts, and their cells: code is what GitHub makes nothing of.
  private static let cells = [
    // Mentions, issues and e-mail addresses, which it looks for in what is shown.
    ("@team", "`@team`"), ("ask @a/b-c.", "`ask @a/b-c.`"), ("a@b.example", "`a@b.example`"),
    ("@\u{301}x", #"`@\u{301}x`"#), ("#12", "`#12`"), ("a/b#12", "`a/b#12`"), ("GH-12", "`GH-12`"),
    ("gh-1", "`gh-1`"), ("a#b", "a\\#b"), ("high-rise", "high-rise"),
    // Links.
    ("https://a.example/b_c", "`https://a.example/b_c`"),
    ("HTTP://a.example", "`HTTP://a.example`"),
    ("ftp://a", "`ftp://a`"), ("mailto:a", "`mailto:a`"), ("www.a.example", "`www.a.example`"),
    ("x WWW.A.EXAMPLE", "`x WWW.A.EXAMPLE`"), ("www", "www"),
    ("[a](javascript:b)", "`[a](javascript:b)`"), ("<https://a.b>", "`<https://a.b>`"),
    ("![a](//b.example)", #"!\[a\](//b.example)"#),
    // Formulas and emoji.
    ("$x$", "`$x$`"), ("$$\\frac1$$", "`$$\\frac1$$`"), ("12$", "`12$`"), (":tada:", "`:tada:`"),
    // Code that does not end before it should.
    ("@`a`", "`` @`a` ``"), ("`@a`", "`` `@a` ``"), ("@``a`", "``` @``a` ```"),
    ("@`\u{301}", #"``@`\u{301}``"#),
    (" @a ", #"`" @a "`"#), (" @a", #"`" @a"`"#), (" a", #"" a""#), ("@a\\", "`@a\\`"),
    ("@a\n`b", "``@a\\n`b``"),
    // Code in a cell that does not end before it should.
    ("@a|b", #"`@a\|b`"#), ("@a\\|b", #"`@a\\|b`"#), ("@|\u{301}|", #"`@\|\u{301}\|`"#),
  ]

  @Test(arguments: cells)
  func `nothing in a cell is live`(text: String, cell: String) {
    let row = Markdown.row([.text(text)])
    #expect(row.utf8.elementsEqual("| \(cell) |\n".utf8), "\(row)")
  }

  @Test func `nothing is an empty cell, and empty text is in quotes`() {
    #expect(
      Markdown.row([.text(nil), .text(""), .number(1), .number(nil)]) == "|  | \"\" | 1 |  |\n")
  }
}
