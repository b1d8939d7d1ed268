import Foundation
import Testing

/// What shells are answered that complete a word.
struct CompletionTests {
  /// Names that do something in a shell, or to it.
  private static let bad = [
    "$(touch hacked)", "`touch hacked`", "App;touch hacked", "App&touch hacked", "App|touch hacked",
    "App\ntouch hacked", "App'touch hacked'", "App\"touch hacked\"", "App\\touch", "${HOME}",
    "{App,Bad}", "~root", "-x", "!!", "App#x", "App:x", "App=x", " App", "App ", "\u{1B}[31m",
    "App\u{202E}x",
  ]

  private static let good = [
    "App.Box<App.Item>", "App.Home", "App.Listing", "Modül.Größe", "(other models)",
  ]

  /// The words of a line as the shell hands them over, the last one to be completed.
  private static func request(_ words: [String]) -> [String] {
    let command = words.prefix { !$0.hasPrefix("-") }
    let option = words.dropLast().last ?? ""
    return ["---completion"] + command + ["--", option, "\(words.count)", "0", "digest-query"]
      + words
  }

  @Test(arguments: [
    (["top-failures", "--model", ""], ["App.Home", "App.Listing"]),
    (["trend", "--path", "it"], ["attrs.*", "items[].kind", "owner.name", "price"]),
    (["export", "--release", ""], ["4.2.0", "4.3.0"]),
  ])
  func `names of the store are offered`(words: [String], names: [String]) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(
      try sandbox.run(Self.request(words), environment: ["SAP_SHELL": "bash"])
        == Outcome(stdout: names.map { $0 + "\n" }.joined()))
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
    let request = Self.request(["top-failures"] + option + ["--model", ""])
    let environment = ["SAP_SHELL": "bash", "HOME": sandbox.directory.path]
    #expect(
      try sandbox.run(request, environment: environment) == Outcome(stdout: "Other.Model\n"))
  }

  @Test func `or that of the environment, and none is no error`() throws {
    let sandbox = try Sandbox()
    let request = Self.request(["top-failures", "--model", ""])
    #expect(try sandbox.run(request, environment: ["SAP_SHELL": "bash"]) == Outcome(stdout: "\n"))
    try sandbox.load(Digest(model: "Other.Model").line, into: "other.sqlite")
    #expect(
      try sandbox.run(
        request, environment: ["SAP_SHELL": "bash", "DIGEST_STORE": "other.sqlite"])
        == Outcome(stdout: "Other.Model\n"))
    #expect(try sandbox.files().filter { !$0.hasPrefix("other.sqlite") } == [])
  }

  @Test func `names that a shell would act upon are left out`() throws {
    let sandbox = try Sandbox(
      importing: (Self.good + Self.bad).map { Digest(model: $0) }.ndjson)
    let request = Self.request(["top-failures", "--model", ""])
    #expect(
      try sandbox.run(request, environment: ["SAP_SHELL": "bash"]).lines
        == Self.good.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "there is no bash"),
    arguments: [
      (["--model", "App.L"], ["App.Listing"]), (["--model", "App."], good.dropLast(2)),
      (["--release", "4."], ["4.2.0"]), (["--kind", "un"], ["unknownNovelValue"]),
      (["--path", "kin"], ["kind"]), (["--model", "$"], []), (["--model", "`"], []),
    ])
  func `bash completes them and runs nothing`(words: [String], replies: [String]) throws {
    let digests = (Self.good + Self.bad).map { name in
      var digest = Digest(model: name)
      digest.release = name == "App.Home" ? "4.2.0" : name
      return digest
    }
    let sandbox = try Sandbox(importing: digests.ndjson)
    let before = try sandbox.files()
    let script = """
      source <("$0" --generate-completion-script bash)
      COMP_WORDS=("$0" top-failures "$@")
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      COMP_LINE="${COMP_WORDS[*]}"
      COMP_POINT=${#COMP_LINE}
      _digest-query "$0" "${@: -1}" "${@: -2:1}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let outcome = try sandbox.run(
      URL(fileURLWithPath: "/bin/bash"), ["-c", script, try Tool.url().path] + words,
      environment: ["PATH": "/usr/bin:/bin"])
    #expect(outcome.stderr == "")
    #expect(outcome.lines == replies)
    #expect(try sandbox.files() == before)
  }
}
