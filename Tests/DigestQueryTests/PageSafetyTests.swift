import Foundation
import Testing

/// A page of values from someone who wants the worst.
struct PageSafetyTests {
  private static let values =
    [
      "<script>alert(1)</script>", "</script>", "</style>", "\"><img src=x onerror=alert(1)>",
      "' onload='alert(1)", "<!--", "-->", "]]>", "javascript:alert(1)", "&lt;", "&#60;b>", "<b",
    ] + Hostile.values.filter { !$0.isEmpty }

  private static let harmless = Result { try page(of: "villa") }

  /// A page on which the value stands wherever one from outside can.
  private static func page(of value: String) throws -> PageText {
    let key = String(
      decoding: try JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed),
      as: UTF8.self)
    let novel = Digest.Failure.novel(
      value, at: "[\(key)].kind", type: value, expected: value)
    // The first is more frequent, so that rows are in the same order whatever the value is.
    let price = Digest.Failure.error(
      "typeMismatch", at: "price", expected: value, found: ("string", value))
    return try Sandbox(
      importing: [Digest(model: value, release: value, failures: [novel, novel, price])]
    ).page()
  }

  @Test(arguments: values)
  func `a value is text and nothing but text`(value: String) throws {
    let page = try Self.page(of: value)
    let harmless = try Self.harmless.get()
    #expect(page.tags == harmless.tags)
    #expect(
      try page.contents(of: "script") == harmless.contents(of: "script")
        && page.contents(of: "style") == harmless.contents(of: "style"))
    for attribute in ["href", "class", "id", "content", "title", "role", "d"] {
      #expect(try page.values(of: attribute) == harmless.values(of: attribute))
    }
    let rows = try page.failures()
    let cells = try #require(rows.first { $0.contains(" expected a known value | ") })
      .split(separator: " | ")
    // Nobody sees a space at an end.
    let novelValue = value == " " ? "\" \"" : shown(value)
    #expect(
      cells[1].utf8.elementsEqual("\(novelValue) expected a known value".utf8), "\(cells)")
  }

  /// The value as text for people has it: what would steer or hide is written out.
  private func shown(_ value: String) -> String {
    value.unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "\n": text += #"\n"#
      case "\r": text += #"\r"#
      case "\t": text += #"\t"#
      case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{202A}"..."\u{202E}",
        "\u{2066}"..."\u{2069}", "\u{FEFF}", "\u{AD}", "\u{301}":
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  /// Releases that are more than a word, or do something, in the command that asks for them.
  private static let releases =
    Hostile.values.filter { !$0.isEmpty && !$0.unicodeScalars.contains("\0") } + [
      "'\u{301};touch hacked;'\u{301}", "';touch hacked;'", "$(touch hacked)", "`touch hacked`",
      "'$(touch hacked)\u{301}'", "\n;touch hacked\n", "\u{202E}';touch hacked;'", "\r'!!'",
      "\t\t'",
      "-o hacked", "--output=hacked", "-\u{301}", "!!", "'!touch", "~root", "it's", "\\", "\\'",
      "{a,b}",
      "999.0.0+x'\u{301};touch hacked;'\u{301}", "4.2.0:1", "+1", "=ls", "\u{3}", "\u{4}",
      "a\u{E0041}",
    ]

  private static let filters = releases.map { release in
    release.utf8.first == UInt8(ascii: "-") ? ["--release=\(release)"] : ["--release", release]
  }

  private static func sandboxOfReleases() throws -> Sandbox {
    try Sandbox(
      importing: releases.flatMap { release in
        ["a", "b"].map { Digest(novelValue: $0, release: release) }
      })
  }

  /// For each release the command that its page gives.
  private static let commands = Result {
    let sandbox = try sandboxOfReleases()
    return try filters.map { filter in
      let outcome = try sandbox.run("report --limit 1", filter)
      try #require(outcome.status == 0 && outcome.stderr == "", "\(outcome)")
      let lines = try PageText(html: outcome.stdout).section("Failures")
      let line = try #require(lines.last { $0.contains(" All: ") }, "\(filter)")
      return String(line[try #require(line.firstRange(of: "All: ")).upperBound...])
    }
  }

  @Test(.needs("script", "bash"))
  func `bash takes a command of the page as it is meant`() throws { try paste(into: .bash) }

  @Test(.needs("script", "zsh"))
  func `zsh takes a command of the page as it is meant`() throws { try paste(into: .zsh) }

  /// fish has no `$'…'`, in which texts are quoted that hide or steer.
  @Test(.needs("script", "fish"))
  func `fish takes a command of the page as it is meant, or does nothing`() throws {
    try paste { commands, sandbox in
      try commands.map { try InteractiveShell.fish.run($0, in: sandbox) }
    } isMeant: { words, command in
      command.contains("$'") ? words == nil : words != nil
    }
  }

  private func paste(into shell: InteractiveShell) throws {
    try paste {
      try shell.press($0, in: $1)
    } isMeant: { words, _ in
      words != nil
    }
  }

  /// - Parameters:
  ///   - run: returns the arguments that the tool was started with by each command; nil where it
  ///     was not.
  ///   - isMeant: whether a command was to start the tool, or not to.
  private func paste(
    _ run: ([String], Sandbox) throws -> [[String]?],
    isMeant: ([String]?, String) -> Bool
  ) throws {
    let sandbox = try Self.sandboxOfReleases()
    let files = try sandbox.files()
    let commands = try Self.commands.get()
    let arguments = try run(commands, sandbox)
    #expect(arguments.count == Self.filters.count)
    for ((words, command), filter) in zip(zip(arguments, commands), Self.filters) {
      #expect(isMeant(words, command), "\(command)")
      guard let words else { continue }
      #expect(
        words.map { Array($0.utf8) } == (["top-failures"] + filter).map { Array($0.utf8) },
        "\(words)")
    }
    #expect(try sandbox.files() == files)
  }

  @Test func `a long value is cut and has a box of its own, and an empty one says so`() throws {
    let page = try Sandbox(
      importing: [
        Digest(novelValue: String(repeating: "long ", count: 500)), Digest(novelValue: ""),
      ]
    ).page()
    #expect(
      try page.section("Failures").contains {
        $0.contains(
          " | " + String(repeating: "long ", count: 200) + "… and 1,500 more characters | ")
      })
    #expect(page.html.contains(#"<td class="found"><div class="long">"#))
    #expect(page.html.contains(#"<td class="found"><span class="type">empty</span>"#))
    #expect(page.lines.joined().ranges(of: "long ").count == 200)
  }

  @Test func `a filter is text too`() throws {
    let outcome = try Sandbox(importing: Drift.ndjson).run(
      ##"report --model "><b>* --release &lt;"##)
    #expect(outcome.stdout.contains("<dd>&quot;&gt;&lt;b&gt;*</dd>"))
    #expect(outcome.stdout.contains("<dd>&amp;lt;</dd>"))
    #expect(!outcome.stdout.contains("<b>"))
  }

  @Test func `the policy lets its own style and script through, and nothing else`() throws {
    let page = try Sandbox(importing: Drift.ndjson).page()
    var hashes: [String] = []
    for element in ["style", "script"] {
      let contents = try page.contents(of: element)
      #expect(contents.count == 1)
      let hash = try Self.sha256(of: contents[0])
      hashes.append(try #require(hash, "no program is there that tells it"))
    }
    #expect(
      try page.values(of: "content").first
        == "default-src 'none'; style-src 'sha256-\(hashes[0])'; "
        + "script-src 'sha256-\(hashes[1])'; img-src data:; base-uri 'none'; form-action 'none'")
  }

  @Test func `a page refers to nothing outside of it`() throws {
    let page = try Sandbox(importing: Drift.ndjson).page()
    let links = try page.values(of: "href")
    #expect(links.first == "data:,")
    #expect(links.count > 1)
    #expect(links.dropFirst().allSatisfy { $0.hasPrefix("#") })
    let ids = try page.values(of: "id")
    #expect(Set(ids).count == ids.count)
    #expect(links.dropFirst().allSatisfy { ids.contains(String($0.dropFirst())) })
    #expect(
      !page.html.contains("://") && !page.html.contains("url(") && !page.html.contains("@import"))
    #expect(
      page.tags.allSatisfy { !$0.contains(" style") && !$0.contains(" src") && !$0.contains(" on") }
    )
  }

  /// The digest of a text in Base64, by a program of the system; nil where there is none.
  private static func sha256(of text: String) throws -> String? {
    let programs = [("/usr/bin/sha256sum", []), ("/usr/bin/shasum", ["-a", "256"])]
    guard
      let program = programs.first(where: { FileManager.default.isExecutableFile(atPath: $0.0) })
    else { return nil }
    let outcome = try Sandbox().start(
      program.1, of: URL(filePath: program.0), stdin: Data(text.utf8))
    let digits = Array(outcome.stdout.prefix(64))
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(digits[$0...$0 + 1]), radix: 16)
    }
    return Data(bytes).base64EncodedString()
  }
}
