import Foundation
import Testing

/// A password in a URL is in no output, whatever the URL was meant to be.
struct SecretsTests {
  private static let urls = [
    "postgresql://u:SECRET@127.0.0.1:1/d", "postgres:/u:SECRET@127.0.0.1:1/d",
    "postgrsql://u:SECRET@127.0.0.1:1/d", "clickhouse://u:SECRET@127.0.0.1:1/d",
    "clickhouse://u:SECRET@127.0.0.1:1/d/e", "http://u:SECRET@127.0.0.1:1/",
    "https://127.0.0.1:1/x?password=SECRET", "file:///nowhere/x?key=SECRET",
    "https://u:SE/C?R#@SECRET@127.0.0.1:1/x", "postgresql://u:SECRET/d",
    "https://u:SECRET\u{301}@127.0.0.1:1/x#SECRET", "s3://u:p'SECRET\n@127.0.0.1:1/",
    "mysql://h/db?password=SECRET/x/y", "a://b:SECRET@c://d:SECRET@e",
  ]

  /// Command lines with a URL for each %.
  private static let commands = [
    "%", "--store %", "help %", "--%", "top-failures --store %", "top-failures --store=%",
    "top-failures %", "top-failures -o %", "top-failures --stor %", "top-failures --since %",
    "top-failures --limit %", "top-failures --format %", "top-failures --format json --store %",
    "top-failures --model %", "top-failures --release %", "top-novel-values --store %",
    "summary --store %", "models --store %", "trend --store %", "new --since 1d --store %",
    "diff % 1d..", "diff 1 2 --store %", "renames --store %", "summary --store %", "show %",
    "show a --store %",
    "digests --store %", "check --max-occurrences %", "check --max-occurrences 1 --store %",
    "spec %", "spec openapi.json --store %", "spec openapi.json --map %",
    "spec openapi.json --map M=%", "spec openapi.json --map-file %", "triage list --store %",
    "triage list --triage %", "metrics --store %", "report -o %",
    "report --store %", "export -o %", "export --store %",
    "check --max-new 0 --since-last x --store %", "import %", "import - --store %", "push %",
    "push a %", "push a digests.sqlite %", "push a --store %", "fleet init %", "fleet init a %",
    "fleet init % --reader r", "fleet sources %", "fleet sources --store %", "fleet forget %",
    "fleet forget x --store %", "prune --store %", "verify --store %", "doctor --store %",
    "prune --max-age 1w --store %", "prune --max-age %",
  ]

  /// By scalars, because a combining mark changes the last character.
  private static func isWithoutSecret(_ text: String) -> Bool {
    !text.unicodeScalars.contains("SECRET".unicodeScalars)
  }

  @Test(arguments: commands)
  func `no output has a password of the command line`(command: String) throws {
    let sandbox = try Sandbox(importing: [Digest()])
    try sandbox.write(
      #"{"openapi": "3.1.0", "components": {"schemas": {"A": {}}}}"#, to: "openapi.json")
    for url in Self.urls {
      let outcome = try sandbox.run(command.words.map { $0.replacing("%", with: url) })
      #expect(Self.isWithoutSecret(outcome.stdout))
      #expect(Self.isWithoutSecret(outcome.stderr))
    }
  }

  @Test(arguments: urls)
  func `no output has a password of the environment`(url: String) throws {
    for variable in ["DIGEST_STORE", "DIGEST_TRIAGE"] {
      let sandbox = try Sandbox(importing: [Digest()])
      let outcome = try sandbox.run(["top-failures"], environment: [variable: url])
      #expect(outcome.status != 0)
      #expect(Self.isWithoutSecret(outcome.stderr))
    }
  }

  @Test func `the rest of a URL is shown`() throws {
    let sandbox = try Sandbox()
    #expect(
      try sandbox.run("import postgresql://u:SECRET@h:5432/d?sslmode=disable")
        == .failure(
          66,
          "postgresql://u@h:5432/d: No such file or directory; name an NDJSON file, or - for stdin")
    )
    #expect(
      try sandbox.run("import http://h:8080/d").stderr.hasPrefix("digest-query: http://h:8080/d:"))
  }
}
