import Testing

/// What is said of lines that aren't digests; `secret` stands for what must not be told.
struct ImportBadLinesTests {
  /// A bad line, and what is wrong with it.
  private struct Case {
    let line: String
    let problem: String

    init(_ line: String, _ problem: String) {
      self.line = line
      self.problem = problem
    }

    /// A digest with one member changed.
    init(_ member: String, _ value: String?, _ problem: String) {
      let members = [
        "recordedAt": #""2026-11-20T10:00:00Z""#, "model": #""secret""#,
        "errors": #"[{"path":"a","kind":"other","novelValue":"secret"}]"#,
      ]
      self.init(Self.object(members, member, value), problem)
    }

    /// A digest whose only failure has one member changed.
    init(failure member: String, _ value: String?, _ problem: String) {
      let members = ["path": #""a""#, "kind": #""other""#, "novelValue": #""secret""#]
      self.init("errors", "[\(Self.object(members, member, value))]", "errors[0].\(problem)")
    }

    private static func object(
      _ members: [String: String],
      _ member: String,
      _ value: String?
    ) -> String {
      var members = members
      members[member] = value
      let pairs = members.sorted { $0.key < $1.key }.map { #""\#($0.key)":\#($0.value)"# }
      return "{\(pairs.joined(separator: ","))}"
    }
  }

  private static let noObject = "it isn't a JSON object on one line"
  private static let noTime = "recordedAt isn't an ISO 8601 time such as 2026-11-20T10:00:00.123Z"
  private static let noYear = "recordedAt is not between the years 1970 and 9999"
  private static let noPath = "path isn't a path such as items[3].kind"
  private static let noPattern = "pattern is not the pattern of its path"
  private static let noCount = "count is not between 1 and 100000000"
  private static let noKind =
    "kind is none of keyNotFound, valueNotFound, typeMismatch, dataCorrupted, unknownNovelValue, "
    + "converted, missingKey, unknownKey, other"

  private static let noFoundType =
    "foundType is none of null, boolean, number, string, array, object, html, empty, truncated, "
    + "compressed, utf16"

  private static let documents = [
    Case("secret", noObject),
    Case(#"{"model":"secret""#, noObject),
    Case(#"{"model":"secret"} {"model":"secret"}"#, noObject),
    Case(#"{'model':'secret'}"#, noObject),
    Case(#"["secret"]"#, "the line isn't an object"),
    Case(#""secret""#, "the line isn't an object"),
    Case("null", "the line isn't an object"),
    Case("{}", "recordedAt is missing"),
    Case(
      #"{"id":"00000000000000ff","hour":"2026-11-20T10:00:00Z","model":"secret","decodes":7,"#
        + #""recordedAt":"2026-11-20T10:00:00Z","errors":[{"path":"a","kind":"other"}]}"#,
      "decodes and errors must be on separate lines"),
  ]

  private static let members = [
    Case("id", #""""#, "id is empty"),
    Case("id", "\"\(String(repeating: "é", count: 501))\"", "id is longer than 1000 bytes"),
    Case("recordedAt", nil, "recordedAt is missing"),
    Case("recordedAt", "3", "recordedAt isn't a string"),
    Case("recordedAt", "null", "recordedAt isn't a string"),
    Case("recordedAt", #""secret""#, noTime),
    Case("recordedAt", #""""#, noTime),
    Case("recordedAt", #""2026-11-20""#, noTime),
    Case("recordedAt", #""2026-11-20T10:00:00""#, noTime),
    Case("recordedAt", #""2026-11-20T10:00:00Zsecret""#, noTime),
    Case("recordedAt", #""2026-11-20T10:00:00.123Z secret""#, noTime),
    Case("recordedAt", #""2026-02-30T10:00:00Z""#, noTime),
    Case("recordedAt", #""2026-11-20T25:00:00Z""#, noTime),
    Case("recordedAt", #""1969-07-20T20:17:40Z""#, noYear),
    Case("recordedAt", #""1969-12-31T23:59:59.999Z""#, noYear),
    Case("recordedAt", #""1970-01-01T00:59:59+01:00""#, noYear),
    Case("recordedAt", #""9999-12-31T23:59:59-01:00""#, noYear),
    Case("model", nil, "model is missing"),
    Case("model", "7", "model isn't a string"),
    Case("model", #""""#, "model is empty"),
    Case("model", #""sec\uD800ret""#, noObject),
    Case("model", "\"sec\u{1}ret\"", noObject),
    Case("id", "7", "id isn't a string"),
    Case("release", "4.2", "release isn't a string"),
    Case("errors", nil, "errors is missing"),
    Case("errors", "{}", "errors isn't an array"),
    Case("errors", #""secret""#, "errors isn't an array"),
    Case("errors", #"["secret"]"#, "errors[0] isn't an object"),
    Case(
      "errors",
      #"[{"path":"a","kind":"other"},{"path":"secret","kind":"secret"}]"#,
      "errors[1].\(noKind)"
    ),
    Case(
      "errors",
      #"[{"path":"a","kind":"other"},{"path":"a","kind":"other","count":100000000}]"#,
      "the counts of errors add up to more than 100000000"
    ),
  ]

  private static let errors =
    [
      Case(failure: "path", nil, "path is missing"),
      Case(failure: "path", "3", "path isn't a string"),
      Case(failure: "path", #""secret..a""#, noPath),
      Case(failure: "path", #"".secret""#, noPath),
      Case(failure: "path", #""secret.""#, noPath),
      Case(failure: "path", #""secret[""#, noPath),
      Case(failure: "path", #""secret[x]""#, noPath),
      Case(failure: "path", #""secret[-1]""#, noPath),
      Case(failure: "path", #""secret[1]x""#, noPath),
      Case(failure: "path", #""[\"secret]""#, noPath),
      Case(failure: "path", #""secret[99999999999999999999]""#, noPath),
      Case(failure: "pattern", #""secret.*""#, noPattern),
      Case(failure: "pattern", #""secret""#, noPattern),
      Case(failure: "pattern", #""[""#, noPattern),
      Case(failure: "pattern", "3", "pattern isn't a string"),
      Case(failure: "kind", nil, "kind is missing"),
      Case(failure: "kind", "null", "kind isn't a string"),
      Case(failure: "kind", #""secret""#, noKind),
      Case(failure: "kind", #""Other""#, noKind),
      Case(failure: "novelValue", "3", "novelValue isn't a string"),
      Case(failure: "novelValueType", "3", "novelValueType isn't a string"),
      Case(failure: "expectedType", "[]", "expectedType isn't a string"),
      Case(failure: "foundType", #""secret""#, noFoundType),
      Case(failure: "foundType", #""String""#, noFoundType),
      Case(failure: "foundType", "3", "foundType isn't a string"),
      Case(failure: "foundValue", "3", "foundValue isn't a string"),
      Case(failure: "foundValue", #""secret""#, "foundValue needs a foundType"),
      Case(failure: "foundValue", #""""#, "foundValue needs a foundType"),
      Case(failure: "count", "0", noCount),
      Case(failure: "count", "-1", noCount),
      Case(failure: "count", "100000001", noCount),
      Case(failure: "count", #""secret""#, "count isn't a whole number"),
      Case(failure: "count", "1.5", "count isn't a whole number"),
      Case(failure: "count", "99999999999999999999", "count isn't a whole number"),
    ]
    + ["null", "array", "object"].map {
      Case(
        failure: "foundType", "\"\($0)\",\"foundValue\":\"secret\"",
        "foundValue is not allowed with the foundType \($0)")
    }

  private static let cases = documents + members + errors

  /// An import reports the first ten.
  @Test(arguments: Array(stride(from: 0, to: cases.count, by: 10)))
  func `a bad line is reported by number, without its contents`(first: Int) throws {
    let cases = Self.cases[first...].prefix(10)
    let lines = [Digest("d-1").line] + cases.map { $0.line + "\n" } + [Digest("d-2").line]
    #expect(
      try Sandbox().run("import - --skip-invalid", stdin: lines.joined())
        == Outcome(
          stdout: Outcome.imported(2, leftOut: cases.count).stdout,
          notes: zip(2..., cases).map { "standard input: left out line \($0): \($1.problem)" }))
  }

  @Test func `the limits themselves are valid`() throws {
    var digests = [
      "1970-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "2024-02-29T23:59:59Z",
      "2026-11-20T10:00:00+01:00", "2026-11-20T10:00:00.123456Z",
    ].map { Digest(recordedAt: $0) }
    digests[0].errors[0].count = 1
    digests[1].errors[0].count = 100_000_000
    digests[2].errors[0].path = #"a["x.y"]["\u0022"][0].b_1"#
    let sandbox = try Sandbox(importing: digests)
    #expect(
      try jsonStrings("recordedAt", in: sandbox.run("export").stdout) == [
        "1970-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", "2024-02-29T23:59:59.000Z",
        "2026-11-20T09:00:00.000Z", "2026-11-20T10:00:00.123Z",
      ])
    #expect(
      try sandbox.run("verify").lines
        == ["ok: 5 recorded digests with 100000004 entries, counts equal a recount"])
  }
}
