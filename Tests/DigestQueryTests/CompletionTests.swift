import Foundation
import Testing

/// What shells are answered that complete a word.
struct CompletionTests {
  /// Ends of names that do something in some shell, or to it.
  private static let bad = [
    "<(touch hacked)", ">(touch hacked)", "=(touch hacked)", ">hacked", ">>hacked",
    "$(touch hacked)",
    "`touch hacked`", ";touch hacked", "&touch hacked", "&&touch hacked", "|touch hacked",
    "\ntouch hacked", "\rtouch hacked", "\ttouch hacked", "'$(touch hacked)'",
    "\"$(touch hacked)\"", "'\u{301};touch hacked;'\u{301}", "\"\u{301};touch hacked;\"\u{301}",
    "\\$(touch hacked)", "${x:=hacked}", "$x", "{a,b}", "[a-z]", "*", "?", "~root", "!!", "!touch",
    "#x",
    ":x", "=x", "^a^b", "%1", ",x", " --output hacked", " ", "\u{1B}[31m", "\u{4}", "\u{3}\u{1B}",
    "\u{7F}",
    "\u{202E}x", "\u{200B}", "é", "e\u{301}", "ж", "日本", "\u{A0}x",
  ]

  /// Beginnings of names that do.
  private static let badBeginnings = [
    "-x", "-o/hacked", "--output=hacked", "-\u{301}x", "~root", "~", "=ls", "%1", "#x", "!x", "",
    " ",
  ]

  private static let good = [
    "+plus", ".hidden", "/slash/x", "4.2.0-beta.1+7", "App.Home", "App.Listing", "_a_b",
  ]

  /// The words of a line as the shell hands them over, the last one to be completed.
  private static func request(_ words: [String]) -> [String] {
    let command = words.prefix { !$0.hasPrefix("-") }
    let option = words.dropLast().last ?? ""
    return ["---completion"] + command + ["--", option, "\(words.count)", "0", "digest-query"]
      + words
  }

  /// What is offered to complete the last word.
  private func offers(
    for words: [String], in sandbox: Sandbox, environment: [String: String] = [:]
  ) throws -> Outcome {
    try sandbox.run(
      Self.request(words), environment: environment.merging(["SAP_SHELL": "bash"]) { $1 })
  }

  /// Names with a space, such as `GET /listings`, are left out.
  @Test(arguments: [
    (["top-failures", "--model", ""], ["App.Home", "App.Listing"]),
    (["trend", "--path", "it"], ["kind", "owner.name", "price"]),
    (["export", "--release", ""], ["4.2.0", "4.3.0"]),
    (["new", "--model", "App.Home", "--value", ""], ["7", "castle", "tower", "villa"]),
    (["spec", "--environment", ""], ["production", "staging"]),
    (["spec", "--operation", ""], ["listListings"]),
  ])
  func `names of the store are offered`(words: [String], names: [String]) throws {
    let digests = [
      Digest(environment: "production", operation: "listListings"),
      Digest(environment: "staging", operation: "GET /listings"),
    ]
    let sandbox = try Sandbox(importing: Drift.ndjson + digests.ndjson)
    #expect(try offers(for: words, in: sandbox) == Outcome(lines: names))
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `the formats of findings are offered`(shell: String) throws {
    let script = try Sandbox().run("--generate-completion-script \(shell)").stdout
    // Of check and of spec.
    #expect(
      script.matches(of: /ndjson.{1,20}markdown.{1,20}github.{1,20}sarif.{1,20}junit/).count >= 2)
  }

  @Test(arguments: [
    ["--store", "other.sqlite"], ["--store=other.sqlite"], ["--store", "=", "other.sqlite"],
    ["--store", "'other.sqlite'"], ["--store", #"o"ther".sqlite"#], ["--store", #"o\ther.sqlite"#],
    ["--store", "digests.sqlite", "--store", "other.sqlite"], ["--store", "~/other.sqlite"],
    ["--store", #"~/"other.sqlite""#],
  ])
  func `the store is that of the line`(option: [String]) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.load(Digest(model: "Other.Model").line, into: "other.sqlite")
    let words = ["top-failures"] + option + ["--model", ""]
    #expect(
      try offers(for: words, in: sandbox, environment: ["HOME": sandbox.directory.path])
        == Outcome(lines: ["Other.Model"]))
  }

  @Test func `or that of the environment, and none isn't an error`() throws {
    let sandbox = try Sandbox()
    let words = ["top-failures", "--model", ""]
    #expect(try offers(for: words, in: sandbox) == Outcome(lines: [""]))
    try sandbox.load(Digest(model: "Other.Model").line, into: "other.sqlite")
    #expect(
      try offers(for: words, in: sandbox, environment: ["DIGEST_STORE": "other.sqlite"])
        == Outcome(lines: ["Other.Model"]))
    #expect(try sandbox.files() == ["other.sqlite"])
  }

  private static var names: [String] {
    (bad + badBeginnings).filter { !$0.isEmpty } + bad.map { "App" + $0 } + good
  }

  @Test(arguments: ["--model", "--release"])
  func `names that a shell would act upon are left out`(option: String) throws {
    let sandbox = try Sandbox(importing: Self.names.map(Self.digest))
    let names = try offers(for: ["top-failures", option, ""], in: sandbox).lines
    #expect(names.sorted() == Self.good)
  }

  /// A digest that has a name wherever one is completed, and where none is.
  private static func digest(_ name: String) throws -> Digest {
    // A path has what isn't a word in brackets and quotes.
    let isPath = name.wholeMatch(of: /[A-Za-z_]+(\.[A-Za-z]+)*/) != nil
    let word = name.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
    let key = try JSONEncoder().encode(String(name.dropFirst(word.count)))
    return Digest(
      novelValue: name, at: isPath ? name : "\(word)[\(String(decoding: key, as: UTF8.self))]",
      model: name, release: name)
  }

  @Test(.needs("script", "bash"))
  func `with bash, Tab and Enter run nothing`() throws { try pressTabAndEnter(in: .bash) }

  @Test(.needs("script", "zsh"))
  func `with zsh, Tab and Enter run nothing`() throws { try pressTabAndEnter(in: .zsh) }

  @Test(.needs("script", "fish"))
  func `with fish, Tab and Enter run nothing`() throws { try pressTabAndEnter(in: .fish) }

  /// Completes each bad name from its harmless beginning, good ones from theirs, and a file's name.
  private func pressTabAndEnter(in shell: InteractiveShell) throws {
    let bad = Self.bad.enumerated().map { (beginning: "n\($0 + 10)", name: "n\($0 + 10)\($1)") }
    let sandbox = try Sandbox(importing: (bad.map(\.name) + Self.good).map(Self.digest))
    try sandbox.write("", to: "f;touch hacked")
    // Of these a shell would offer all, and bash expands what it offers.
    try sandbox.load(
      (Self.bad + Self.badBeginnings).filter { !$0.isEmpty }.map(Self.digest).ndjson,
      into: "bad.sqlite")
    let files = try sandbox.files()

    var lines: [(keys: String, arguments: [String])] = []
    for option in ["--model", "--release", "--path", "--value"] {
      // One function answers for all of them.
      lines += bad.prefix(option == "--model" ? .max : 4).map {
        ("models \(option) \($0.beginning)\t", ["models", option, $0.beginning])
      }
      lines.append(
        ("models --store bad.sqlite \(option) \t", ["models", "--store", "bad.sqlite", option]))
      lines.append(("models \(option) App.H\t", ["models", option, "App.Home"]))
    }
    lines.append(("models --model +\t", ["models", "--model", "+plus"]))
    lines.append(("diff 4.2\t App.L\t", ["diff", "4.2.0-beta.1+7", "App.Listing"]))
    lines.append(("diff --store bad.sqlite \t", ["diff", "--store", "bad.sqlite"]))
    lines.append(("models --store f\t", ["models", "--store", "f;touch hacked"]))
    let arguments = try shell.press(lines.map { "\(Tool.name) \($0.keys)" }, in: sandbox)

    #expect(arguments == lines.map(\.arguments))
    #expect(try sandbox.files() == files)
  }
}
