import Testing

/// Different values that look the same: the difference shows, in whatever people read.
struct LookalikeTests {
  private static let values = [
    ("villa", "villa"), ("villa ", "\"villa \""), (" villa", "\" villa\""),
    ("villa\u{A0}", #"villa\u{A0}"#), ("villa\u{2007}", #"villa\u{2007}"#),
    ("villa\u{202F}", #"villa\u{202F}"#), ("vil\u{2009}la", #"vil\u{2009}la"#),
    ("villa\u{3000}", #"villa\u{3000}"#), ("vill\u{E1}", "vill\u{E1}"),
    ("villa\u{301}", #"villa\u{301}"#), ("vill\u{323}\u{307}a", #"vill\u{323}\u{307}a"#),
    ("vill\u{307}\u{323}a", #"vill\u{307}\u{323}a"#), ("ไทยคำ", "ไทยคำ"), ("हिन्दी", "हिन्दी"),
    ("がぎ", "がぎ"), ("か\u{3099}ぎ", "か\\u{3099}ぎ"), ("한국", "한국"),
    ("\u{1112}\u{1161}\u{11AB}", "\u{1112}\\u{1161}\\u{11AB}"),
    ("👨‍👩‍👧", "👨‍👩‍👧"),
  ]

  @Test func `each value is shown as no other`() throws {
    // A path of its own keeps each row in its place.
    let sandbox = try Sandbox(
      importing: Self.values.enumerated().map {
        Digest(novelValue: $1.0, at: "p\($0 + 100)", model: "M")
      })
    let table = try sandbox.run("top-novel-values").lines.dropFirst()
    let markdown = try sandbox.run("top-novel-values --format markdown").lines.dropFirst(2)
    let page = try sandbox.run("report").stdout
    // Programs get the value itself.
    let json = try sandbox.run("top-novel-values --format ndjson").lines
    try #require([table.count, markdown.count, json.count].allSatisfy { $0 == Self.values.count })
    for (index, (value, shown)) in Self.values.enumerated() {
      let cell = table.dropFirst(index).first?.dropFirst("M      p100         ".count)
      #expect(cell?.utf8.starts(with: "\(shown)  ".utf8) == true, "\(cell ?? "")")
      let escaped = shown.replacing("\\", with: "\\\\")
      #expect(markdown.dropFirst(index).first?.utf8.contains(" | \(escaped) | ") == true)
      #expect(page.utf8.contains("<code>\(shown.replacing("\"", with: "&quot;"))</code>"))
      #expect(json[index].utf8.contains("\"novel_value\": \"\(value)\""))
    }
  }
}

extension String.UTF8View {
  /// By bytes: strings are equal also when only their meaning is.
  fileprivate func contains(_ text: String) -> Bool {
    Array(self).contains(Array(text.utf8))
  }
}
