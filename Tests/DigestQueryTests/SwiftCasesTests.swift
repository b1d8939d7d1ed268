import Foundation
import Testing

/// `top-novel-values --as swift`: cases that can be pasted.
struct SwiftCasesTests {
  private func cases(_ digests: [Digest], _ arguments: [String] = []) throws -> Outcome {
    try Sandbox(importing: digests.ndjson).run(["top-novel-values", "--as", "swift"] + arguments)
  }

  private static let advice = "// Check the names: an enum may have one of them already."

  /// The lines for values of one place, the first with its header.
  private func lines(_ values: [String], type: String? = "String") throws -> [String] {
    var digest = Digest()
    // The first is the most frequent.
    digest.failures = values.enumerated().flatMap { index, value in
      Array(
        repeating: .init(novelValue: value, novelValueType: type), count: values.count - index)
    }
    let outcome = try cases([digest])
    try #require(outcome.status == 0 && outcome.stderr.isEmpty, "\(outcome)")
    try #require(outcome.lines.first == Self.advice)
    return Array(outcome.lines.dropFirst())
  }

  @Test func `cases are grouped by the enum that lacks them, the most frequent first`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let stdout = """
      \(Self.advice)

      // App.Home items[].kind, App.Listing items[].kind: App.Kind
      case tower  // 2 occurrences
      case castle  // 2 occurrences
      case villa  // 2 occurrences

      // App.Listing attrs.*: App.Size (Int)
      case value7 = 7  // 1 occurrence

      """
    #expect(try sandbox.run("top-novel-values", "--as", "swift") == Outcome(stdout: stdout))
    #expect(
      try sandbox.run("top-novel-values", "--as", "swift", "--format", "table")
        == Outcome(stdout: stdout))
  }

  @Test func `a value of several places of one enum is one case, and three of them are named`()
    throws
  {
    let places = [("e", "yurt"), ("b", "villa"), ("a", "villa"), ("c", "villa"), ("d", "villa")]
    let digests = (places + [("f", "villa")]).map { path, value in
      var digest = Digest(novelValue: value, at: path, model: "M")
      digest.failures[0].expectedType = path == "f" ? "App.Other" : "App.Kind"
      return digest
    }
    #expect(
      try cases(digests)
        == Outcome(
          stdout: """
            \(Self.advice)

            // M a, M b, M c, 2 more: App.Kind
            case villa  // 4 occurrences
            case yurt  // 1 occurrence

            // M f: App.Other
            case villa  // 1 occurrence

            """))
  }

  @Test func `a limit hides values, and no expected type of their place`() throws {
    var digest = Digest()
    digest.failures = [("villa", "App.Kind"), ("villa", "App.Kind"), ("yurt", "App.OldKind")].map {
      .init(novelValue: $0, expectedType: $1)
    }
    #expect(
      try cases([digest], ["--limit", "1"]).stdout == """
        \(Self.advice)

        // App.Listing kind: App.Kind or App.OldKind
        case villa  // 2 occurrences

        """)
  }

  @Test(arguments: [
    (
      ["--limit", "1"], ["case tower  // 2 occurrences"],
      "there is more than 1 row; raise --limit to see them"
    ),
    (
      ["--release", "4.2.0", "--limit", "2"],
      ["case villa  // 2 occurrences", "case castle  // 1 occurrence"], nil
    ),
    (
      ["--model", "No*"], [],
      "nothing found that matches\ndigest-query: the store has no model that matches No*"
    ),
  ])
  func `filters and limits hold`(arguments: [String], cases: [String], note: String?) throws {
    let outcome = try Sandbox(importing: Drift.ndjson)
      .run(["top-novel-values", "--as", "swift"] + arguments)
    #expect(outcome.status == 0)
    #expect(outcome.lines.filter { $0.hasPrefix("case") } == cases)
    #expect(outcome.stderr == (note.map { "digest-query: \($0)\n" } ?? ""))
  }

  @Test(arguments: [
    ("villa", "villa"), ("ev_charger", #"evCharger = "ev_charger""#), ("evCharger", "evCharger"),
    ("EvCharger", #"evCharger = "EvCharger""#), ("EV_CHARGER", #"evCharger = "EV_CHARGER""#),
    ("HTTPError", #"httpError = "HTTPError""#), ("iPhone-SE", #"iPhoneSe = "iPhone-SE""#),
    ("ID2", #"id2 = "ID2""#), ("new home", #"newHome = "new home""#), ("a.b/c", #"aBC = "a.b/c""#),
    ("4k", #"value4k = "4k""#), ("1.5", #"value1_5 = "1.5""#),
    ("_private", #"`private` = "_private""#),
    ("default", "`default`"), ("Self", #"`self` = "Self""#), ("init", "`init`"),
    ("Type", #"type = "Type""#),
    ("Active ", #"activePadded = "Active ""#), ("\tnew home", #"newHomePadded = "\tnew home""#),
    ("", #"empty = """#), (" ", #"value = " ""#), ("🏡", #"value = "🏡""#), ("-", #"value = "-""#),
    ("日本語", "日本語"), ("Straße", #"straße = "Straße""#), ("ÉTÉ", #"été = "ÉTÉ""#),
    ("e\u{301}te\u{301}", "e\u{301}te\u{301}"), ("\u{301}x", "x = \"\u{301}x\""),
    ("a\u{3164}b", #"aB = "a\u{3164}b""#), ("a\u{2E2F}b", "aB = \"a\u{2E2F}b\""),
  ])
  func `a name is in lower camel case, with the value where it differs`(
    value: String,
    expected: String
  ) throws {
    let line = try #require(lines([value]).last)
    #expect(line.utf8.elementsEqual("case \(expected)  // 1 occurrence".utf8), "\(line)")
  }

  @Test(arguments: [
    ("a\"b\\c", #"aBC = "a\"b\\c""#), (#"\(x)"#, #"x = "\\(x)""#),
    ("a\nb\r\tc", #"aBC = "a\nb\r\tc""#),
    ("a\0\u{1B}[m", #"aM = "a\u{0}\u{1B}[m""#),
    ("a\u{202E}b\u{200F}", #"aB = "a\u{202E}b\u{200F}""#),
    ("a\u{A0}b", #"aB = "a\u{A0}b""#), ("a\u{2028}", #"aPadded = "a\u{2028}""#),
    ("*/ a", #"a = "*/ a""#),
    ("\u{E000}\u{AD}", #"value = "\u{E000}\u{AD}""#), ("\"\"\"#", ##"value = "\"\"\"#""##),
  ])
  func `a literal shows what it is`(value: String, expected: String) throws {
    #expect(try lines([value]).last == "case \(expected)  // 1 occurrence")
  }

  @Test func `names that are taken are numbered`() throws {
    #expect(
      try lines(["a_b", "aB", "aB2", "A-B", "v1", "V1", "v1_2", "default", "Default"]).dropFirst()
        .map { String($0.dropFirst("case ".count).prefix { $0 != " " }) }
        == ["aB", "aB2", "aB2_2", "aB3", "v1", "v1_2", "v1_2_2", "`default`", "default2"])
  }

  @Test(arguments: [
    ("Int", ["7", "-7", "+7", "x", ""], ["value7 = 7", "minus7 = -7", "equals", "none", "none"]),
    (
      "UInt64", ["18446744073709551615", "-1"],
      ["value18446744073709551615 = 18446744073709551615", "none"]
    ),
    ("Int8", ["127", "128"], ["value127 = 127", "none"]),
    (
      "Double", ["1.5", "-1.5", "7", "7.0", "1e20", "nan", "inf"],
      [
        "value1_5 = 1.5", "minus1_5 = -1.5", "value7 = 7.0", "equals", "value1e20 = 1e+20", "none",
        "none",
      ]
    ),
    ("Float", ["0.1"], ["value0_1 = 0.1"]),
    ("Character", ["a", "👨‍👩‍👧", "ab"], [#"a = "a""#, #"value = "👨\u{200D}👩\u{200D}👧""#, "none"]),
    ("Bool", ["true"], ["none"]),
    ("App.\u{202E}Code\n", ["x"], ["none"]),
  ])
  func `raw values are literals of their type, or left out`(
    type: String,
    values: [String],
    expected: [String]
  ) throws {
    let shown = type.replacing("\u{202E}", with: #"\u{202E}"#).replacing("\n", with: #"\n"#)
    let lines = try lines(values, type: type)
    #expect(lines.first == "// App.Listing kind (\(shown))")
    #expect(
      lines.dropFirst().map { line in
        if line.contains("cannot be written as a raw value of \(shown);") { return "none" }
        if line.contains("for Swift it equals a case above;") { return "equals" }
        return line.replacing(#/^case |  // \d+ occurrences?$/#, with: "")
      } == expected)
  }

  @Test func `a text that is no value is left out in a comment`() throws {
    let composed = "\u{E9}"
    let decomposed = "e\u{301}"
    #expect(
      try lines([composed, decomposed]).last?.unicodeScalars.elementsEqual(
        "// \"\(decomposed)\" is left out: for Swift it equals a case above; 1 occurrence"
          .unicodeScalars)
        == true)

    var digest = Digest()
    digest.failures = [.init(novelValue: "(other values)", novelValueType: nil), .init()]
    let outcome = try cases([digest])
    #expect(
      outcome.stdout == """
        \(Self.advice)

        // App.Listing kind
        // "(other values)" is left out: it stands for several values that the store merged; 1 occurrence
        case villa  // 1 occurrence

        """)

    let long = try #require(cases([Digest(novelValue: Hostile.long)]).lines.last)
    #expect(long.hasPrefix("// \"long long "))
    #expect(long.hasSuffix("\" is left out: the store kept only its beginning; 1 occurrence"))
  }

  @Test(arguments: [
    "… (7 bytes, xyz)", "… (x bytes, 1f)", "(7 bytes, 1f)", "… (7 bytes, 1f", "… ()", ")",
  ])
  func `a value that looks nearly cut is a case`(value: String) throws {
    #expect(try lines([value]).last?.hasPrefix("case ") == true)
  }

  @Test func `the type first expected is named, and text in a comment stays there`() throws {
    let bad = "a\ncase b\r\u{2028}\u{1B}[31m"
    var digest = Digest(model: bad)
    digest.failures = [("\(bad)", 1), ("App.Kind", 2), (nil, 3)].flatMap { type, count in
      Array(repeating: .init(expectedType: type), count: count)
    }
    digest.failures.append(
      .init(kind: "typeMismatch", novelValue: nil, novelValueType: nil, expectedType: "Int"))
    let shown = #"a\ncase b\r\u{2028}\u{1B}[31m"#
    #expect(
      try cases([digest])
        == Outcome(
          stdout: """
            \(Self.advice)

            // \(shown) kind: \(shown)
            case villa  // 6 occurrences

            """))
  }

  @Test func `source has no other format`() throws {
    let hint = "see digest-query top-novel-values --help"
    #expect(
      try Sandbox().run("top-novel-values", "--as", "swift", "--format", "csv")
        == .failure(64, "leave out --format: --as swift prints source; \(hint)"))
    #expect(
      try Sandbox().run("top-novel-values", "--as", "kotlin")
        == .failure(
          64,
          "The value 'kotlin' is invalid for '--as <language>'. Please provide one of 'swift'; \(hint)"
        ))
  }
}

extension SwiftCasesTests {
  private static let compiler: URL? =
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { URL(filePath: String($0)).appending(path: "swiftc") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }

  private static let keywords = [
    "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import",
    "init", "inout", "internal", "let", "open", "operator", "private", "precedencegroup",
    "protocol", "public", "rethrows", "static", "struct", "subscript", "typealias", "var", "break",
    "case", "catch", "continue", "default", "defer", "do", "else", "fallthrough", "for", "guard",
    "if", "in", "repeat", "return", "throw", "switch", "where", "while", "Any", "as", "await",
    "false", "is", "nil", "self", "Self", "super", "throws", "true", "try", "async", "actor", "any",
    "some", "Type", "Protocol", "_", "rawValue", "none", "hashValue", "allCases", "yield",
  ]

  @Test(.enabled(if: compiler != nil, "swiftc is not installed"))
  func `the compiler takes whatever the values are, and each is a case`() throws {
    let compiler = try #require(Self.compiler)
    let texts = Hostile.values + Self.keywords + Self.keywords.map { $0.uppercased() }
    let numbers = ["0", "-1", "1e20", "1.5", "1.50", "nan", "255", "x", "", "9223372036854775807"]
    let types = [("String", texts), (nil, texts), ("Character", texts)]
    let numeric = ["Int", "UInt8", "Double", "Float"].map { ($0, numbers) }
    let digests = (types + numeric).enumerated().map { index, values in
      var digest = Digest(model: "App.\(index)\n}")
      digest.failures = values.1.map { .init(novelValue: $0, novelValueType: values.0) }
      return digest
    }
    let sandbox = try Sandbox(importing: digests.ndjson)
    let printed = try sandbox.run("top-novel-values", "--as", "swift").stdout
    let groups = printed.split(separator: "\n\n").dropFirst()
    #expect(groups.count == digests.count)

    // What is left out of a type is known of the values; of texts nothing is.
    let found = groups.filter { $0.hasPrefix("// App.0") }.flatMap(Self.texts)
    #expect(Set(found.map { Array($0.utf8) }) == Set(texts.map { Array($0.utf8) }))

    let source = groups.enumerated().map { index, group in
      let type = group.prefix { $0 != "\n" }.firstMatch(of: /\((\w+)\)$/)?.1 ?? "String"
      return "enum E\(index): \(type) {\n\(group)\n}\n"
    }
    try sandbox.write(source.joined(), to: "cases.swift")
    let outcome = try sandbox.run(
      compiler, ["-frontend", "-typecheck", "cases.swift"],
      environment: ProcessInfo.processInfo.environment)
    #expect(outcome == Outcome())
  }

  /// The raw values of cases, read back.
  private static func texts(_ group: Substring) -> [String] {
    // By scalars: a combining mark makes a quote another character.
    let line = #/case (\S+?)(?: = "(.*)")?  // \d+ occurrences?/#.matchingSemantics(.unicodeScalar)
    let escape = /\\(?:u\{([0-9A-F]+)\}|(.))/.matchingSemantics(.unicodeScalar)
    return group.split(separator: "\n").compactMap { $0.wholeMatch(of: line) }.map { match in
      guard let literal = match.2 else { return match.1.replacing("`", with: "") }
      return literal.replacing(escape) { escape in
        let scalar = escape.1.flatMap { UInt32($0, radix: 16) }.flatMap(Unicode.Scalar.init)
        let text = escape.2.map { ["n": "\n", "r": "\r", "t": "\t"][$0] ?? String($0) }
        return text ?? scalar.map { String($0) } ?? ""
      }
    }.map { String($0) }
  }
}
