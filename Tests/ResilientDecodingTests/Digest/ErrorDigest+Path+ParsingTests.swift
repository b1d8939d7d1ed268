import ResilientDecoding
import Testing

struct ErrorDigestPathParsingTests {
  @Test(arguments: ErrorDigestPathTests.table)
  func `text is read exactly as written`(
    components: [ErrorDigest.Path.Component],
    description: String,
    pattern: String
  ) throws {
    let exact = try #require(ErrorDigest.Path(description))
    let general = try #require(ErrorDigest.Path(pattern))
    #expect(exact.description == description)
    #expect(general == ErrorDigest.Path(components).generalized)
    #expect(exact.markingDictionaryKeys(of: general) == ErrorDigest.Path(components))
  }

  /// Keys whose characters combine with the punctuation of a path.
  private static let clingingKeys = [
    "\u{301}", "\u{301}x", "\u{93E}", "\u{200D}", "\u{D4E}", "\u{600}", "\u{1F3FD}", "\r\n",
    "\u{FE0F}", "\u{20DD}a",
  ]

  @Test(
    arguments: ErrorDigestPathTests.plainWords + ErrorDigestPathTests.oddKeys.map(\.0)
      + clingingKeys
  )
  func `any key is read as it was written`(key: String) throws {
    let path = ErrorDigest.Path([.key("a"), .key(key), .key("b"), .index(1), .key(key)])
    let read = try #require(ErrorDigest.Path(path.description))
    #expect(read == path)
    #expect(read.components.count == 5)
    #expect(
      ErrorDigest.Path(ErrorDigest.Path([.key(key)]).description)
        == ErrorDigest.Path([.key(key)])
    )
  }

  @Test(arguments: [
    (#"a["\u0041\u00e9"]"#, "a.Aé"), (#"["\ud83c\udf89"]"#, #"["🎉"]"#),
    (#"["\/\b\f"]"#, "[\"/\\u0008\\u000c\"]"), (#"["plain"]"#, "plain"),
    (#"["*"]"#, #"["*"]"#), ("a-b", #"["a-b"]"#),
  ])
  func `what can be written in another way is read too`(text: String, description: String) {
    #expect(ErrorDigest.Path(text)?.description == description)
  }

  @Test(arguments: [
    ".", ".a", "a.", "a..b", "[", "]a[", "[3", "[x]", "[-1]", "[+3]", "[ 3]", "[3]a", "a[3]b",
    #"["a]"#, #"["a"#, #"["a"x]"#, #"["\x"]"#, #"["\u12"]"#, #"["\u+041"]"#, #"["\u00g1"]"#, "[*]",
    "a.[3]", "[99999999999999999999]",
  ])
  func `other text isn't a path`(text: String) {
    #expect(ErrorDigest.Path(text) == nil)
  }

  @Test func `a pattern of another path marks no keys`() throws {
    let path = try #require(ErrorDigest.Path("a.b[1].c"))
    for pattern in ["a.b[1]", "a.b[].d", "a.*.c", "a[].*.c", "x.*[].c", "a.b[1].c", ""] {
      let general = try #require(ErrorDigest.Path(pattern))
      #expect(path.markingDictionaryKeys(of: general) == nil, "\(pattern)")
    }
  }
}
