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

  private static let commands: [@Sendable (String) -> [String]] = [
    { [$0] }, { ["--store", $0] }, { ["help", $0] }, { ["--\($0)"] },
    { ["top-failures", "--store", $0] }, { ["top-failures", "--store=\($0)"] },
    { ["top-failures", $0] }, { ["top-failures", "-o", $0] }, { ["top-failures", "--stor", $0] },
    { ["top-failures", "--since", $0] }, { ["top-failures", "--limit", $0] },
    { ["top-failures", "--format", $0] }, { ["top-failures", "--format", "json", "--store", $0] },
    { ["top-failures", "--model", $0] }, { ["top-failures", "--release", $0] },
    { ["top-novel-values", "--store", $0] }, { ["summary", "--store", $0] },
    { ["models", "--store", $0] }, { ["trend", "--store", $0] },
    { ["new", "--since", "1d", "--store", $0] }, { ["diff", $0, "1d.."] },
    { ["diff", "1", "2", "--store", $0] }, { ["renames", "--store", $0] },
    { ["adoption", "--store", $0] }, { ["digests", $0] }, { ["digests", "--store", $0] },
    { ["check", "--max-occurrences", $0] }, { ["check", "--max-occurrences", "1", "--store", $0] },
    { ["spec", $0] }, { ["spec", "openapi.json", "--store", $0] },
    { ["spec", "openapi.json", "--map", $0] }, { ["spec", "openapi.json", "--map", "M=\($0)"] },
    { ["spec", "openapi.json", "--map-file", $0] },
    { ["triage", "list", "--store", $0] }, { ["triage", "list", "--triage", $0] },
    { ["metrics", "--store", $0] }, { ["watch", "--store", $0] },
    { ["report", "-o", $0] }, { ["report", "--store", $0] },
    { ["export", "-o", $0] }, { ["export", "--store", $0] },
    { ["check", "--max-new-novel-values", "0", "--new", "x", "--store", $0] }, { ["import", $0] },
    { ["import", "-", "--store", $0] },
    { ["push", $0] }, { ["push", "a", $0] }, { ["push", "a", "digests.sqlite", $0] },
    { ["push", "a", "--store", $0] }, { ["fleet", "init", $0] }, { ["fleet", "init", "a", $0] },
    { ["fleet", "init", $0, "--reader", "r"] }, { ["fleet", "sources", $0] },
    { ["fleet", "sources", "--store", $0] }, { ["fleet", "forget", $0] },
    { ["fleet", "forget", "x", "--store", $0] }, { ["prune", "--store", $0] },
    { ["verify", "--store", $0] }, { ["doctor", "--store", $0] },
    { ["prune", "--max-age", "1w", "--store", $0] }, { ["prune", "--max-age", $0] },
  ]

  /// By scalars, because a combining mark changes the last character.
  private static func isWithoutSecret(_ text: String) -> Bool {
    !text.unicodeScalars.contains("SECRET".unicodeScalars)
  }

  @Test(arguments: commands.indices)
  func `no output has a password of the command line`(command: Int) throws {
    let sandbox = try Sandbox(importing: Digest("d-1").line)
    try sandbox.write(
      #"{"openapi": "3.1.0", "components": {"schemas": {"A": {}}}}"#, to: "openapi.json")
    for url in Self.urls {
      let outcome = try sandbox.run(Self.commands[command](url))
      #expect(Self.isWithoutSecret(outcome.stdout))
      #expect(Self.isWithoutSecret(outcome.stderr))
    }
  }

  @Test(arguments: urls)
  func `no output has a password of the environment`(url: String) throws {
    for variable in ["DIGEST_STORE", "DIGEST_TRIAGE"] {
      let sandbox = try Sandbox(importing: Digest("d-1").line)
      let outcome = try sandbox.run(["top-failures"], environment: [variable: url])
      #expect(outcome.status != 0)
      #expect(Self.isWithoutSecret(outcome.stderr))
    }
  }

  @Test func `the rest of a URL is shown`() throws {
    let sandbox = try Sandbox()
    let error =
      "postgresql://u@h:5432/d: No such file or directory; name an NDJSON file, or - for stdin"
    #expect(
      try sandbox.run("import", "postgresql://u:SECRET@h:5432/d?sslmode=disable")
        == .failure(66, error))
    #expect(
      try sandbox.run("import", "http://h:8080/d").stderr.hasPrefix(
        "digest-query: http://h:8080/d:"))
  }
}
