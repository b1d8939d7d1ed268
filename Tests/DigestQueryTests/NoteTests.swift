import Testing

/// What is said on stderr, to people and to programs.
struct NoteTests {
  private static let noStore = "no such store: nix; name one with --store PATH or in $DIGEST_STORE"
  private static let noOption = "Unknown option '--nope'; see digest-query top-failures --help"

  @Test(arguments: [
    ("top-failures --store nix --format json", noStore, 66),
    ("top-failures --store nix --format=ndjson", noStore, 66),
    ("export --store nix --format ndjson", noStore, 66),
    ("top-failures --store nix --format csv --format json", noStore, 66),
    ("top-failures --format json --nope", noOption, 64),
    ("top-failures --nope --format=json", noOption, 64),
    ("top-novel --format json", "unknown command 'top-novel'; did you mean top-novel-values?", 64),
    ("verify --format json", "Unknown option '--format'; see digest-query verify --help", 64),
    (
      "top-failures --format json --store \"\u{9B}\n",
      #"no such store: \"\u009b\n; name one with --store PATH or in $DIGEST_STORE"#, 66
    ),
    (
      "export --format json",
      "The value 'json' is invalid for '--format <format>'. Please provide one of 'ndjson', 'csv' or "
        + "'tsv'; see digest-query export --help", 64
    ),
  ])
  func `with JSON, an error is an object`(line: String, message: String, status: Int32) throws {
    #expect(
      try Sandbox().run(line)
        == Outcome(
          status: status, stderr: #"{"error": "\#(message)", "status": \#(status)}"# + "\n"))
  }

  @Test(arguments: [
    "top-failures --store nix", "export --store nix", "top-failures --store nix --format csv",
    "top-failures --store nix --format json --format csv",
  ])
  func `it is a line for all others`(line: String) throws {
    #expect(try Sandbox().run(line) == .noStore("nix"))
  }

  @Test func `each note is an object on a line of its own`() throws {
    let sandbox = try Sandbox(importing: Drift.old)
    try sandbox.evictAll()
    #expect(
      try sandbox.run("digests --format ndjson").stderr == """
        {"note": "nothing found that matches"}
        {"note": "counted, but no longer in detail: 5 digests of 10 occurrences (evicted, recorded \
        since 2016-11-20T10:00:00.000Z)"}

        """)
  }
}
