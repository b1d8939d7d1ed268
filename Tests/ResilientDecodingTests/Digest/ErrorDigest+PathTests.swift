import ResilientDecoding
import Testing

struct ErrorDigestPathTests {
  typealias Component = ErrorDigest.Path.Component

  static let table: [([Component], description: String, pattern: String)] = [
    ([], "", ""),
    ([.key("kind")], "kind", "kind"),
    ([.index(3)], "[3]", "[]"),
    ([.index(3), .key("kind")], "[3].kind", "[].kind"),
    ([.key("items"), .index(3), .key("kind")], "items[3].kind", "items[].kind"),
    ([.key("a"), .index(0), .index(12)], "a[0][12]", "a[][]"),
    ([.dictionaryKey("red")], "red", "*"),
    ([.key("attrs"), .dictionaryKey("red")], "attrs.red", "attrs.*"),
    ([.key("attrs"), .dictionaryKey("red"), .key("x")], "attrs.red.x", "attrs.*.x"),
    ([.dictionaryKey("a"), .dictionaryKey("b")], "a.b", "*.*"),
    ([.index(1), .dictionaryKey("b"), .index(2)], "[1].b[2]", "[].*[]"),
    ([.key("a"), .dictionaryKey("12")], "a.12", "a.*"),
    ([.key("a"), .key("12")], "a.12", "a.12"),
    ([.key("a"), .index(12)], "a[12]", "a[]"),
    ([.key("a"), .dictionaryKey("x.y")], #"a["x.y"]"#, "a.*"),
    ([.key("a"), .key("x.y"), .key("b")], #"a["x.y"].b"#, #"a["x.y"].b"#),
    ([.key("x.y")], #"["x.y"]"#, #"["x.y"]"#),
    ([.key("a"), .anyIndex, .anyDictionaryKey], "a[].*", "a[].*"),
    // A letter that forms one character with what follows it.
    ([.key("a"), .key("\u{D4E}[3")], "a[\"\u{D4E}[3\"]", "a[\"\u{D4E}[3\"]"),
    ([.key("\u{D4E}.x")], "[\"\u{D4E}.x\"]", "[\"\u{D4E}.x\"]"),
  ]

  @Test(arguments: table)
  func `a path has an exact text and a pattern`(
    components: [Component],
    description: String,
    pattern: String
  ) {
    let path = ErrorDigest.Path(components)
    #expect(path.description == description)
    #expect(path.pattern == pattern)
    #expect(path.generalized.description == pattern)
    #expect(path.generalized.generalized == path.generalized)
  }

  @Test func `values that look the same but have different scalars are not equal`() {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    #expect(composed == decomposed)
    for component in [Component.key, Component.dictionaryKey] {
      #expect(ErrorDigest.Path([component(composed)]) == ErrorDigest.Path([component("\u{E9}")]))
      #expect(ErrorDigest.Path([component(composed)]) != ErrorDigest.Path([component(decomposed)]))
    }
    let novel = [composed, "\u{E9}", decomposed].map {
      ErrorDigest.NovelValue(text: $0, type: "String")
    }
    #expect(novel[0] == novel[1] && novel[0] != novel[2])
    #expect(novel[0] != ErrorDigest.NovelValue(text: composed, type: "Int"))
    let found = [composed, "\u{E9}", decomposed, nil].map {
      ErrorDigest.FoundValue(type: .string, text: $0)
    }
    #expect(found[0] == found[1] && found[0] != found[2])
    #expect(found[0] != found[3] && found[3] != found[0] && found[3] == found[3])
    #expect(found[0] != ErrorDigest.FoundValue(type: .number, text: composed))
    #expect(found[3] != ErrorDigest.FoundValue(type: .null, text: nil))
  }

  @Test func `a tree distinguishes keys that look the same`() {
    var tree = ErrorTree()
    for key in ["e\u{301}", "\u{E9}", "e\u{301}"] {
      tree.insert(["- bad"], at: ErrorDigest.Path([.key(key), .index(10)]))
      tree.insert(["- bad"], at: ErrorDigest.Path([.key(key), .index(9)]))
    }
    let lines =
      ["e\u{301}", "  Index 9", "    - bad", "    - bad", "  Index 10", "    - bad"]
      + ["    - bad", "\u{E9}", "  Index 9", "    - bad", "  Index 10", "    - bad"]
    #expect(tree.lines.map { Array($0.utf8) } == lines.map { Array($0.utf8) })
  }

  static let plainWords = [
    "a", "Z9", "_", "snake_case", "12", "0", "ключ", "名前", "été", "e\u{301}te\u{301}", "ß", "٣",
  ]

  @Test(arguments: plainWords)
  func `a plain word is not quoted`(key: String) {
    #expect(ErrorDigest.Path([.key("a"), .key(key)]).description == "a.\(key)")
  }

  static let oddKeys: [(String, String)] = [
    ("", #""""#),
    (".", #"".""#),
    ("a b", #""a b""#),
    ("a-b", #""a-b""#),
    ("*", #""*""#),
    ("[]", #""[]""#),
    ("[3]", #""[3]""#),
    ("a[0]", #""a[0]""#),
    (#"say "hi""#, #""say \"hi\"""#),
    (#"back\slash"#, #""back\\slash""#),
    ("tab\tand\nnew\rline", #""tab\tand\nnew\rline""#),
    ("\r\n", #""\r\n""#),
    ("nul\u{0}", #""nul\u0000""#),
    ("bell\u{7}", #""bell\u0007""#),
    ("esc\u{1B}[31m", #""esc\u001b[31m""#),
    ("del\u{7F}", #""del\u007f""#),
    ("c1\u{9B}", #""c1\u009b""#),
    ("🎉", #""🎉""#),
    ("a\u{202E}b", "\"a\u{202E}b\""),
  ]

  @Test(arguments: oddKeys)
  func `any other key is quoted as in JSON`(key: String, quoted: String) {
    #expect(ErrorDigest.Path([.key("a"), .key(key), .key("b")]).description == "a[\(quoted)].b")
    #expect(ErrorDigest.Path([.dictionaryKey(key)]).description == "[\(quoted)]")
    #expect(ErrorDigest.Path([.dictionaryKey(key)]).pattern == "*")
    #expect(ErrorDigest.Path([.key(key)]).pattern == "[\(quoted)]")
  }

  @Test func `paths that look alike are not equal`() {
    let paths: [ErrorDigest.Path] = [
      ErrorDigest.Path([.key("a"), .dictionaryKey("b")]),
      ErrorDigest.Path([.key("a"), .key("b")]),
      ErrorDigest.Path([.key("a.b")]),
    ]
    #expect(Set(paths).count == 3)
    #expect(paths[0] == ErrorDigest.Path([.key("a"), .dictionaryKey("b")]))
  }
}
