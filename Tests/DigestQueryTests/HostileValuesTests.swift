import Foundation
import Testing

/// A novel value that someone sends who wants the worst, in every format.
struct HostileValuesTests {
  /// A value, and its cell in each format.
  private struct Case: Sendable {
    let value: String
    let csv: String
    let tsv: String
    let table: String
    let markdown: String

    init(_ value: String, csv: String, tsv: String, table: String, markdown: String) {
      (self.value, self.csv, self.tsv) = (value, csv, tsv)
      // Combining marks and spaces that look like another one are shown by number.
      self.table = table.showingMarks("\\")
      self.markdown = markdown.showingMarks("\\\\")
    }

    /// A value that is the same everywhere but for what is said.
    init(_ value: String, formula: String? = nil, table: String? = nil, markdown: String? = nil) {
      self.init(
        value,
        csv: formula ?? value,
        tsv: formula ?? value,
        table: table ?? value,
        markdown: markdown ?? table ?? value
      )
    }
  }

  private static let formulas = [
    Case("=cmd()", formula: "'=cmd()"),
    Case("+1-1", formula: "'+1-1"),
    Case("-1x", formula: "'-1x"),
    Case("@x", formula: "'@x", markdown: "`@x`"),
    Case("=\u{301}1", formula: "'=\u{301}1"),
    Case("\tx", csv: "\"'\tx\"", tsv: #"'\tx"#, table: #"\tx"#, markdown: #"\\tx"#),
    Case("\rx", csv: "\"'\rx\"", tsv: #"'\rx"#, table: #"\rx"#, markdown: #"\\rx"#),
    Case("\nx", csv: "\"'\nx\"", tsv: #"'\nx"#, table: #"\nx"#, markdown: #"\\nx"#),
    Case(
      "\r\n=x", csv: "\"'\r\n'=x\"", tsv: #"'\r\n'=x"#, table: #"\r\n=x"#,
      markdown: #"\\r\\n=x"#),
    Case("\0x", csv: "'\0x", tsv: "'\0x", table: #"\u{0}x"#, markdown: #"\\u{0}x"#),
    Case("=1,2", csv: #""'=1,2""#, tsv: "'=1,2", table: "=1,2", markdown: "=1,2"),
    Case("1-2=3+@", markdown: "`1-2=3+@`"),
    Case("'=1"), Case("+", formula: "'+"), Case("--1", formula: "'--1"),
    Case("-1.", formula: "'-1."),
    Case("-.5", formula: "'-.5"), Case("-1e", formula: "'-1e"),
    Case("-\u{661}", formula: "'-\u{661}"), Case("-1\u{301}", formula: "'-1\u{301}"),
    Case("-1 ", formula: "'-1 ", table: "\"-1 \""), Case(" -1", formula: "' -1", table: "\" -1\""),
    // A whole signed decimal is a number.
    Case("-1"), Case("-1.5"), Case("-1e9"), Case("+49"), Case("-0.5E-3"), Case("007"), Case("1-2"),
    Case("-1234567890123456789"),
    // The full-width forms, which East Asian editions take for formulas.
    Case("＝1", formula: "'＝1"), Case("＋1", formula: "'＋1"), Case("－1", formula: "'－1"),
    Case(
      "＠SUM(1)|'x'!", csv: "\"'＠SUM(1)|'x'!\"", tsv: "'＠SUM(1)|'x'!", table: "＠SUM(1)|'x'!",
      markdown: #"＠SUM(1)\|'x'!"#),
    // Behind what is not shown, or is dropped.
    Case(" =1", csv: "' =1", tsv: "' =1", table: #"" =1""#, markdown: #"" =1""#),
    Case(
      "\u{A0}\u{3000}=1", formula: "'\u{A0}\u{3000}=1"),
    // Not first: Foundation, which reads the JSON here, drops a byte order mark there.
    Case(
      " \u{FEFF}=1", formula: "' \u{FEFF}=1", table: #"" \u{FEFF}=1""#,
      markdown: #"" \\u{FEFF}=1""#),
    Case(
      "\u{200B}\u{AD}\u{E0041}+1", formula: "'\u{200B}\u{AD}\u{E0041}+1",
      table: #"\u{200B}\u{AD}\u{E0041}+1"#, markdown: #"\\u{200B}\\u{AD}\\u{E0041}+1"#),
    Case(
      "\u{1}=1", formula: "'\u{1}=1", table: #"\u{1}=1"#, markdown: #"\\u{1}=1"#),
    Case(
      #""=1""#, csv: #""'""=1""""#, tsv: #"'"=1""#, table: #"""=1"""#, markdown: #"""=1"""#),
    // Where another separator begins another cell.
    Case("x;=1", csv: #""x;'=1""#, tsv: "x;'=1", table: "x;=1", markdown: "x;=1"),
    Case("x\t=1", csv: "\"x\t'=1\"", tsv: #"x\t'=1"#, table: #"x\t=1"#, markdown: #"x\\t=1"#),
    Case("x|=1", csv: #""x|'=1""#, tsv: "x|'=1", table: "x|=1", markdown: #"x\|=1"#),
    Case("x\n=1", csv: "\"x\n'=1\"", tsv: #"x\n'=1"#, table: #"x\n=1"#, markdown: #"x\\n=1"#),
    Case("x,=1", csv: #""x,=1""#, tsv: "x,'=1", table: "x,=1", markdown: "x,=1"),
    Case(
      "x; \u{FEFF}－1;+2;y", csv: "\"x;' \u{FEFF}－1;'+2;y\"", tsv: "x;' \u{FEFF}－1;'+2;y",
      table: #"x; \u{FEFF}－1;+2;y"#, markdown: #"x; \\u{FEFF}－1;+2;y"#),
    Case(
      "x;\u{301}=1", csv: "\"x;\u{301}=1\"", tsv: "x;\u{301}=1", table: "x;\u{301}=1",
      markdown: "x;\u{301}=1"),
    Case(
      "x;=\u{301}1", csv: "\"x;'=\u{301}1\"", tsv: "x;'=\u{301}1", table: "x;=\u{301}1",
      markdown: "x;=\u{301}1"),
    Case(
      #"x;"=1""#, csv: #""x;'""=1""""#, tsv: #"x;'"=1""#, table: #"x;"=1""#, markdown: #"x;"=1""#),
    Case("x;1-2;", csv: #""x;1-2;""#, tsv: "x;1-2;", table: "x;1-2;", markdown: "x;1-2;"),
  ]

  private static let separators = [
    Case("a,b", csv: #""a,b""#, tsv: "a,b", table: "a,b", markdown: "a,b"),
    Case(#"a"b"#, csv: #""a""b""#, tsv: #"a"b"#, table: #"a"b"#, markdown: #"a"b"#),
    Case(
      "\"\u{301},\"", csv: "\"\"\"\u{301},\"\"\"", tsv: "\"\u{301},\"",
      table: "\"\"\u{301},\"\"", markdown: "\"\"\u{301},\"\""),
    Case("a\nb", csv: "\"a\nb\"", tsv: #"a\nb"#, table: #"a\nb"#, markdown: #"a\\nb"#),
    Case("a\r\nb", csv: "\"a\r\nb\"", tsv: #"a\r\nb"#, table: #"a\r\nb"#, markdown: #"a\\r\\nb"#),
    Case(",\u{301}", csv: "\",\u{301}\"", tsv: ",\u{301}", table: ",\u{301}", markdown: ",\u{301}"),
    Case(
      "a\n\u{301}b", csv: "\"a\n\u{301}b\"", tsv: "a\\n\u{301}b", table: "a\\n\u{301}b",
      markdown: "a\\\\n\u{301}b"),
    Case("a;b", csv: #""a;b""#, tsv: "a;b", table: "a;b", markdown: "a;b"),
    Case("a\tb", csv: "\"a\tb\"", tsv: #"a\tb"#, table: #"a\tb"#, markdown: #"a\\tb"#),
    Case(#"a\b"#, csv: #"a\b"#, tsv: #"a\\b"#, table: #"a\b"#, markdown: #"a\\b"#),
    Case("a|b", csv: #""a|b""#, tsv: "a|b", table: "a|b", markdown: #"a\|b"#),
    Case(
      "a|\u{301}b", csv: "\"a|\u{301}b\"", tsv: "a|\u{301}b", table: "a|\u{301}b",
      markdown: "a\\|\u{301}b"),
    Case(
      "a|\u{200D}b", csv: "\"a|\u{200D}b\"", tsv: "a|\u{200D}b", table: #"a|\u{200D}b"#,
      markdown: #"a\|\\u{200D}b"#),
  ]

  private static let markup = [
    Case("<script>", markdown: "&lt;script>"),
    Case("<\u{301}b", markdown: "&lt;\u{301}b"),
    Case("&lt;b>", csv: #""&lt;b>""#, tsv: "&lt;b>", table: "&lt;b>", markdown: "&amp;lt;b>"),
    Case("`a`", markdown: #"\`a\`"#),
    Case("`\u{301}a`", markdown: "\\`\u{301}a\\`"),
    Case("**a**_b_~c~", markdown: #"\*\*a\*\*\_b\_\~c\~"#),
    Case("![a](b)", markdown: #"!\[a\](b)"#),
    Case("# a", markdown: "\\# a"),
  ]

  private static let controls = [
    Case(
      "\u{1B}[31mred\u{1B}[0m", table: #"\u{1B}[31mred\u{1B}[0m"#,
      markdown: #"\\u{1B}\[31mred\\u{1B}\[0m"#),
    Case("\u{9B}2J", table: #"\u{9B}2J"#, markdown: #"\\u{9B}2J"#),
    Case("\u{8}\u{7}\u{7F}", table: #"\u{8}\u{7}\u{7F}"#, markdown: #"\\u{8}\\u{7}\\u{7F}"#),
    Case("a\0b", table: #"a\u{0}b"#, markdown: #"a\\u{0}b"#),
    Case("\u{202E}gpj.exe", table: #"\u{202E}gpj.exe"#, markdown: #"\\u{202E}gpj.exe"#),
    Case("\u{2066}a\u{2069}", table: #"\u{2066}a\u{2069}"#, markdown: #"\\u{2066}a\\u{2069}"#),
    Case(
      "a\u{2028}b\u{2029}c", table: #"a\u{2028}b\u{2029}c"#, markdown: #"a\\u{2028}b\\u{2029}c"#),
    Case(
      "a\u{200B}b\u{200F}c\u{2060}", table: #"a\u{200B}b\u{200F}c\u{2060}"#,
      markdown: #"a\\u{200B}b\\u{200F}c\\u{2060}"#),
    Case(
      "a\u{61C}b\u{FFF9}c\u{FFFB}", table: #"a\u{61C}b\u{FFF9}c\u{FFFB}"#,
      markdown: #"a\\u{61C}b\\u{FFF9}c\\u{FFFB}"#),
    Case(
      "a\u{AD}b\u{3164}c\u{115F}", table: #"a\u{AD}b\u{3164}c\u{115F}"#,
      markdown: #"a\\u{AD}b\\u{3164}c\\u{115F}"#),
    Case(
      "🏴\u{E0067}\u{E007F}\u{E0001}", table: #"🏴\u{E0067}\u{E007F}\u{E0001}"#,
      markdown: #"🏴\\u{E0067}\\u{E007F}\\u{E0001}"#),
    // Joiners and variation selectors that change nothing.
    Case(
      "vil\u{200D}la\u{200C}\u{FE0F}", table: #"vil\u{200D}la\u{200C}\u{FE0F}"#,
      markdown: #"vil\\u{200D}la\\u{200C}\\u{FE0F}"#),
    Case(
      "🏡\u{FE0F}\u{FE00}\u{FE01}", table: "🏡\u{FE0F}\\u{FE00}\\u{FE01}",
      markdown: "🏡\u{FE0F}\\\\u{FE00}\\\\u{FE01}"),
    Case("日\u{200D}\u{200D}", table: "日\u{200D}\\u{200D}", markdown: "日\u{200D}\\\\u{200D}"),
    Case("\u{85}a\u{FEFF}b", table: #"\u{85}a\u{FEFF}b"#, markdown: #"\\u{85}a\\u{FEFF}b"#),
  ]

  private static let text = [
    Case("", csv: #""""#, tsv: "", table: #""""#, markdown: #""""#), Case("villa"), Case("null"),
    Case("NULL"),
    Case(
      "'; DROP TABLE digest; --", csv: #""'; DROP TABLE digest;' --""#,
      tsv: "'; DROP TABLE digest;' --", table: "'; DROP TABLE digest; --",
      markdown: "'; DROP TABLE digest; --"),
    Case("日本語"), Case("🏡👨‍👩‍👧🇩🇪"), Case("e\u{301}"), Case("\u{301}x"), Case("%s%n"),
    Case("👩\u{200D}❤\u{FE0F}\u{200D}👩"), Case("1\u{FE0F}\u{20E3}"), Case("می\u{200C}خواهم"),
    Case("葛\u{E0100}"), Case("क\u{94D}\u{200D}"), Case("\u{600}12"),
  ]

  private static let all = formulas + separators + markup + controls + text

  /// The lines of a report: its columns, and the rows in the order of ``all``.
  private static func lines(separator: String, _ cell: (Case) -> String) -> [String] {
    ([["model", "novel_value", "value_type"]]
      + all.indices.map { [model($0), cell(all[$0]), "String"] })
      .map { $0.joined(separator: separator) }
  }

  /// A case has a model of its own, so that rows are in the order of the cases.
  private static func model(_ index: Int) -> String { "App.Listing\(index + 100)" }

  /// The report of a store of all values, by its options.
  private static let printed = Result {
    let sandbox = try Sandbox(
      importing: all.indices.map { Digest(novelValue: all[$0].value, model: model($0)) })
    let options = Golden.formats + ["csv --raw", "tsv --raw"]
    return try Dictionary(
      uniqueKeysWithValues: options.map { options in
        let outcome = try sandbox.run(
          "top-novel-values --columns model,novel_value,value_type --format \(options)")
        try #require(outcome.status == 0 && outcome.stderr == "", "\(outcome)")
        return (options, outcome.stdout)
      })
  }

  private func print(_ options: String) throws -> String {
    try #require(Self.printed.get()[options])
  }

  /// Expects that a text has the lines, and nothing else.
  private func expect(_ text: String, toBe lines: [String]) {
    var rest = Data(text.utf8)[...]
    for line in lines {
      guard rest.starts(with: Data("\(line)\n".utf8)) else {
        Issue.record("\(line): \(String(decoding: rest.prefix(200), as: UTF8.self))")
        return
      }
      rest = rest.dropFirst(line.utf8.count + 1)
    }
    #expect(rest.isEmpty)
  }

  @Test func `a file of values has nothing that separates or runs`() throws {
    expect(try print("csv"), toBe: Self.lines(separator: ",") { $0.csv })
    expect(try print("tsv"), toBe: Self.lines(separator: "\t") { $0.tsv })
  }

  @Test func `a table in Markdown has nothing that separates, runs or steers`() throws {
    let text = try print("markdown")
    var lines = Self.lines(separator: " | ") { $0.markdown }.map { "| \($0) |" }
    lines.insert("|---|---|---|", at: 1)
    expect(text, toBe: lines)
    expectNoControls(in: text)
  }

  @Test func `a table has nothing that separates or steers`() throws {
    let text = try print("table")
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == Self.all.count + 2)
    for (index, line) in lines.dropFirst().dropLast().enumerated() {
      let row = "\(Self.model(index))  \(Self.all[index].table)  "
      #expect(line.utf8.starts(with: row.utf8), "\(row)")
    }
    expectNoControls(in: text)
  }

  private func expectNoControls(in text: String) {
    #expect(!text.utf8.contains { $0 < 0x20 && $0 != 0x0A })
  }

  @Test(arguments: ["json", "ndjson"])
  func `json gives the value as it was`(format: String) throws {
    let text = try print(format)
    expectNoControls(in: text)
    let rows =
      try format == "json"
      ? #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
      : jsonObjects(text)
    #expect(rows.count == Self.all.count)
    for (row, example) in zip(rows, Self.all) {
      let value = row["novel_value"] as? String
      #expect(value?.utf8.elementsEqual(example.value.utf8) == true, "\(example.table)")
    }
  }

  @Test func `raw leaves out each quote and nothing else`() throws {
    expect(
      try print("tsv --raw"),
      toBe: Self.lines(separator: "\t") { example in
        example.value.unicodeScalars.map {
          ["\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\"][$0] ?? "\($0)"
        }.joined()
      })
    expect(
      try print("csv --raw"),
      toBe: Self.lines(separator: ",") { example in
        let scalars = example.value.unicodeScalars
        let isQuoted =
          scalars.isEmpty || scalars.contains { ",;|\"\t\n\r".unicodeScalars.contains($0) }
        let doubled = scalars.map { $0 == "\"" ? "\"\"" : "\($0)" }.joined()
        return isQuoted ? "\"\(doubled)\"" : example.value
      })
  }
}

extension String {
  fileprivate func showingMarks(_ escape: String) -> String {
    unicodeScalars.map { scalar in
      ["\u{301}", "\u{A0}", "\u{3000}"].contains(scalar)
        ? "\(escape)u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(scalar)
    }.joined()
  }
}
