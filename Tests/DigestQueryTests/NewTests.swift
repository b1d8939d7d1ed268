import Testing

struct NewTests {
  private static let failures = Golden(
    table: """
      model     coding_path   kind               expected_type  novel_value  value_type  occurrences  digests  first_seen            last_seen             found_type  found_value  first_release
      App.Home  items[].kind  unknownNovelValue  App.Kind       tower        String                2        1  2026-11-21 00:00:00Z  2026-11-21 00:00:00Z  -           -            4.3.0
      App.Home  owner.name    keyNotFound        -              -            -                     1        1  2026-11-21 00:00:00Z  2026-11-21 00:00:00Z  -           -            4.3.0

      """,
    csv: """
      model,coding_path,kind,expected_type,novel_value,value_type,occurrences,digests,first_seen,last_seen,found_type,found_value,first_release
      App.Home,items[].kind,unknownNovelValue,App.Kind,tower,String,2,1,2026-11-21T00:00:00.000Z,2026-11-21T00:00:00.000Z,,,4.3.0
      App.Home,owner.name,keyNotFound,,,,1,1,2026-11-21T00:00:00.000Z,2026-11-21T00:00:00.000Z,,,4.3.0

      """)

  @Test(
    arguments: Golden.formats, [["--release", "4.3.0"], ["--since", "2026-11-20T11:00:00.001Z"]])
  func `every format prints the same rows`(format: String, filter: [String]) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let command = ["new", "--format", format] + filter
    #expect(try sandbox.run(command) == Outcome(stdout: Self.failures[format]))
  }

  @Test(arguments: [
    (["--release", "4.10.0"], ["ten"]),
    (["--release", "4.9.0"], ["nine"]),
    (["--release", "4.9.0-beta.2"], ["beta"]),
    (["--since", "2026-11-20T11:00:00Z"], ["beta", "nine"]),
    (["--since", "2026-11-20T11:00:00Z", "--until", "2026-11-20T12:00:00Z"], ["nine"]),
    (["--since", "2026-11-20T11:00:00Z", "--release", "4.10.0"], []),
    (["--since", "2026-11-20T10:00:00Z", "--release", "4.10.0", "--path", "k*"], ["ten"]),
    (["--release", "4.10.0", "--model", "App.Home"], []),
  ])
  func `releases are in the order of versions, and windows in that of the clock`(
    filter: [String],
    values: [String]
  ) throws {
    // The newest release was met first.
    let digests = [
      ("4.10.0", "10:00", ["ten", "every"]), ("4.9.0", "11:00", ["nine", "every"]),
      ("4.9.0-beta.2", "12:00", ["beta", "every", "nightly"]), ("nightly", "09:00", ["nightly"]),
      ("4.8.0", "09:30", ["every"]),
    ].map { release, time, values in
      var digest = Digest("d-\(release)", recordedAt: "2026-11-20T\(time):00.000Z")
      digest.release = release
      digest.failures = values.map { .init(novelValue: $0) }
      return digest
    }
    let sandbox = try Sandbox(importing: digests.ndjson)
    let outcome = try sandbox.run(["new", "--format", "ndjson"] + filter)
    #expect(outcome.status == 0)
    #expect(try jsonStrings("novel_value", in: outcome.stdout) == values)
  }

  @Test(arguments: [[], ["--until", "2026-11-20"], ["--value", "*", "--model", "App.*"]])
  func `without a time or a release nothing can be new`(arguments: [String]) throws {
    #expect(
      try Sandbox().run(["new"] + arguments)
        == .failure(
          64,
          "give --since, such as 24h, or --release, such as 4.2.0; see digest-query new --help")
    )
  }

  @Test(arguments: [["new"], ["top-novel-values"], ["top-failures"]])
  func `an unknown release is reported`(command: [String]) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let nothing = "digest-query: nothing found that matches\n"
    #expect(
      try sandbox.run(command + ["--release", "4.5"]).stderr
        == nothing + "digest-query: the store has no release 4.5; the newest is 4.3.0\n")
    #expect(
      try sandbox.run(command + ["--release", "4.2.0", "--until", "2026-11-01"]).stderr
        == nothing + "digest-query: the window ends before the first error in the store\n")
  }
}
