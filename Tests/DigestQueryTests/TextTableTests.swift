import Testing

struct TextTableTests {
  /// Values and how many columns of a terminal they take.
  private static let widths = [
    ("villa", 5), ("日本語", 6), ("한국", 4), ("Ａ", 2), ("ｱ", 1), ("é", 1), ("🏡", 2), ("🚀", 2), ("👨‍👩‍👧", 2),
    ("🇩🇪", 2), ("👍🏽", 2), ("⌚", 2), ("✓", 1), ("🌡", 1), ("🕊", 1), ("→", 1), ("שלום", 4), ("ไทย", 3),
    ("ทำ", 2), ("क्ष", 2), ("कि", 2),
    ("ㅎ", 2), ("ｶﾞ", 2), ("〈x〉", 5), ("𠀀", 2), ("䷀", 2), ("🈁", 2),
    ("❤", 1), ("❤️", 2), ("1️⃣", 2), ("👩‍❤️‍👩", 2), ("🏳️‍🌈", 2), ("🕵🏽‍♂️", 2), ("🇩🇪🇫🇷", 4),
  ]

  /// Values with the escapes that are shown instead.
  private static let escaped = [
    ("", #""""#), (" ", #"" ""#), ("a ", #""a ""#), ("\u{A0}a", #"\u{A0}a"#),
    ("a\u{2007}", #"a\u{2007}"#),
    ("a\u{202F}b", #"a\u{202F}b"#), ("a\u{3000}", #"a\u{3000}"#), ("e\u{301}", #"e\u{301}"#),
    ("\u{301}x", #"\u{301}x"#), ("-", #""-""#),
    (#""a""#, #"""a"""#), (#"""#, #"""#), ("a b", "a b"), ("a\n", #"a\n"#),
    ("\u{1B}[0m", #"\u{1B}[0m"#), ("a\tb", #"a\tb"#), ("a\u{AD}b", #"a\u{AD}b"#),
    ("a\u{FE0F}", #"a\u{FE0F}"#), ("a\u{200D}b", #"a\u{200D}b"#), ("x\u{E0067}", #"x\u{E0067}"#),
  ]

  @Test func `columns are aligned by their width on a terminal`() throws {
    let longest = String(repeating: "x", count: 12)
    let values =
      Self.widths.map { ($0, $0, $1) } + Self.escaped.map { ($0, $1, $1.count) }
      + [(longest, longest, longest.count)]
    let lines = try Sandbox(
      importing: values.map { Digest(novelValue: $0.0, at: "a", model: "M") }
    ).run("top-novel-values --columns model,coding_path,found,occurrences").lines
    #expect(lines.count == values.count + 1)
    for (_, shown, width) in values {
      let line =
        "M      a            \(shown)" + String(repeating: " ", count: longest.count - width + 2)
        + "          1"
      #expect(lines.contains { $0.utf8.elementsEqual(line.utf8) }, "\(shown)")
    }
  }

  @Test func `numbers are aligned to the right, and their points stand below each other`() throws {
    let models = [("A", 12_345_676), ("A", 1), ("A", 1), ("B", 21), ("B", 1), ("C", 1)]
    let table = try Sandbox(importing: models.map { Digest(model: $0, count: $1) })
      .run("models --columns model,occurrences,share")
    #expect(
      table.lines == [
        "model  occurrences  share", "A         12345678  50%", "B               22  33.3%",
        "C                1  16.7%",
      ])
  }

  @Test(arguments: [["TERM": "xterm-256color"], ["TERM": "dumb"], ["NO_COLOR": "1"]])
  func `a pipe gets no colours, whatever the terminal can`(environment: [String: String]) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(
      try sandbox.run("top-novel-values", environment: environment)
        == sandbox.run("top-novel-values"))
  }

  @Test func `a pipe gets a long value whole, and does not pad the other rows to it`() throws {
    let long = String(repeating: "v", count: 60_000)
    let values = [long] + (0..<50).map { "w\($0)" }
    let lines = try Sandbox(importing: values.map { Digest(novelValue: $0) })
      .run("top-novel-values").lines
    #expect(lines.count == 52)
    #expect(lines.count { $0.contains("  \(long)  ") } == 1)
    #expect(lines.count { $0.utf8.count < 400 } == 51)
  }
}
