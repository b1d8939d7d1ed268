import Foundation
import Testing

/// Deleting digests by hand.
struct PruneTests {
  /// Old on every clock.
  private static let ndjson = Drift.ndjson.replacing("\"2026-", with: "\"2016-")

  private static let hint = "see digest-query prune --help"

  @Test func `deleted digests stay counted, and every report says how many there are`()
    throws
  {
    let sandbox = try Sandbox(importing: Self.ndjson + Digest.newest)
    let before = try sandbox.run("top-failures", "--format", "csv")

    let outcome = try sandbox.run("prune", "--max-age", "0s")

    let size = try #require(sandbox.bytes()).count
    let report = "deleted 5 digests of 10 occurrences, which stay counted; gave back "
    #expect(outcome.status == 0)
    #expect(outcome.stderr.isEmpty)
    #expect(outcome.stdout.hasPrefix(report))
    #expect(outcome.stdout.hasSuffix(" bytes, \(size) are left\n"))
    var expected = before
    // What isn't a name goes with the digests.
    for sample in ["string,villa", "string,castle", "string,12.5 EUR", "number,7"] {
      expected.stdout.replace(",\(sample),", with: ",,,")
    }
    expected.stderr = ""
    #expect(try sandbox.run("top-failures", "--format", "csv") == expected)
    #expect(try sandbox.run("verify").status == 0)
    try sandbox.alter("DELETE FROM digest")
    #expect(
      try sandbox.run("export")
        == Outcome(
          stderr: "digest-query: not exported: 5 digests of 10 occurrences (evicted, recorded "
            + "since 2016-11-20T10:00:00.000Z)\n"))
    var again = Outcome.imported(0, known: 5)
    again.stderr =
      "digest-query: 5 of these are taken for deleted, because the store has deleted digests with "
      + "the same or later numbers; import the parts of an export in order\n"
    #expect(try sandbox.run(["import", "-"], stdin: Self.ndjson) == again)
  }

  @Test func `what only digests said that are deleted is not in the file any more`() throws {
    let line =
      #"{"recordedAt":"2016-11-20T10:00:00Z","model":"App.User","errors":["#
      + #"{"path":"age","kind":"typeMismatch","foundType":"string","#
      + #""foundValue":"s3cr3t too"}]}"#
    let sandbox = try Sandbox(importing: line + "\n" + Digest.newest)
    #expect(sandbox.bytes()?.range(of: Data("s3cr3t".utf8)) != nil)

    #expect(try sandbox.run("prune", "--max-age", "1w").status == 0)

    #expect(sandbox.bytes()?.range(of: Data("s3cr3t".utf8)) == nil)
    #expect(
      try sandbox.run("top-failures", "--format", "csv").stdout.contains(
        "App.User,age,typeMismatch"))
  }

  @Test func `a window that ends in evicted time is reported as it is counted`() throws {
    let sandbox = try Sandbox(importing: Self.ndjson)
    _ = try sandbox.run("prune", "--max-age", "0s")

    let outcome = try sandbox.run(
      "top-failures", "--format", "csv", "--since", "2016-11-20T10:30:00Z", "--until",
      "2016-11-20T11:00:00.001Z")

    #expect(
      outcome.stderr == """
        digest-query: window widened: counted since \
        2016-11-20T10:00:00.000Z until 2016-11-20T12:00:00.000Z, because finer counts have been deleted

        """)
    #expect(
      try outcome.stdout
        == sandbox.run(
          "top-failures", "--format", "csv", "--since", "2016-11-20T10:00:00Z", "--until",
          "2016-11-20T12:00:00Z"
        ).stdout)
  }

  @Test(arguments: [("minute", 2, "hour"), ("hour", 6, "day")])
  func `a trend that lacks finer counts is shortened, and names the periods that have them`(
    unit: String, days: Double, longer: String
  ) throws {
    func time(_ age: Double) -> String {
      Date(timeIntervalSinceNow: -age).formatted(
        Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
    let times = [time(days * 86_400), time(600)]
    let sandbox = try Sandbox(importing: times.map { Digest(recordedAt: $0) }.ndjson)
    _ = try sandbox.run("prune", "--max-age", "1d")
    if unit == "hour" {
      let oldest = "WHERE span = 1 AND start = (SELECT min(start) FROM tally WHERE span = 1)"
      for table in ["decodes", "tally"] {
        try sandbox.alter("DELETE FROM \(table) \(oldest)")
      }
    }
    func trend(_ arguments: String...) throws -> (sum: Int, notes: [Substring]) {
      let outcome = try sandbox.run(["trend", "--format", "csv"] + arguments)
      #expect(outcome.status == 0)
      let counts = outcome.lines.dropFirst().compactMap { $0.split(separator: ",").last }
      return (
        counts.compactMap { Int($0) }.reduce(0, +),
        outcome.stderr.split(separator: "\n").filter { $0.contains("window") }
      )
    }

    let short = try trend("--by", unit)

    #expect(short.sum == 1)
    #expect(short.notes.count == 1)
    let note = try #require(short.notes.first)
    #expect(note.hasPrefix("digest-query: window shortened: counted since 20"))
    #expect(
      note.hasSuffix(
        ", because the \(unit)s before it have been deleted; --by \(longer) counts them"))
    #expect(try trend("--by", longer) == (2, []))
  }

  /// Digests of names and found values that leave so little room below a mebibyte that the counts of
  /// their releases have to go together, the oldest first.
  private static var filling: String {
    get throws {
      try (0..<200).map { release in
        var digest = Digest(model: "Long", recordedAt: "2016-11-23T10:00:00.000Z")
        digest.release = "f\(release)"
        digest.failures = (0..<100).map { number in
          var failure = Digest.Failure(
            path: "a\(number)", kind: "other", novelValue: nil, novelValueType: nil)
          if release == 0, number < 40 {
            failure.foundType = "string"
            failure.foundValue = String(repeating: "long ", count: 4_000)
          }
          return failure
        }
        return try digest.line
      }.joined()
    }
  }

  @Test func `releases counted together are reported`() throws {
    let sandbox = try Sandbox(importing: Self.ndjson + Self.filling)
    let prune = try sandbox.run("prune", "--max-bytes", "1048576")
    #expect(prune.status == 0)
    #expect(try #require(sandbox.bytes()).count <= 1_048_576)
    let lost = try #require(
      prune.stderr.wholeMatch(
        of:
          #/
          digest-query:.that.was.not.enough:.of.20010.occurrences.only.the.sum.of.all.time.is.left\n
          digest-query:.that.was.not.enough:.of.([0-9]+).occurrences.of.the.oldest.releases.only.the.
          sum.of.all.releases.is.left\n
          /#)?.output.1)

    for (filter, rows) in [(["--release", "4.2.0"], 0), ([], 7), (["--no-release"], 0)] {
      let outcome = try sandbox.run(
        ["top-failures", "--format", "csv", "--model", "App.*"] + filter)
      #expect(outcome.lines.count == rows + 1)
      #expect(
        outcome.stderr.contains(
          "perhaps not counted here: \(lost) occurrences of old releases (4.2.0, ")
          == !filter.isEmpty)
    }
    #expect(try sandbox.run("verify").status == 0)
  }

  /// Damages neither the first nor the last digests, which are read when the file is opened.
  private func damageTheMidst(of sandbox: Sandbox) throws {
    var bytes = try #require(sandbox.bytes())
    var places: [Int] = []
    while let place = bytes.firstRange(
      of: Data("[[1]]".utf8), in: (places.last ?? -1) + 1..<bytes.count)
    {
      places.append(place.lowerBound)
    }
    let page = places[places.count / 2] / 4_096 * 4_096
    for index in page..<page + 4_096 { bytes[index] = 0xA5 }
    try bytes.write(to: sandbox.url(Sandbox.store))
  }

  @Test func `a store that is damaged in its midst stays where it is, and that isn't a success`()
    throws
  {
    let sandbox = try Sandbox(
      importing: (1...2_000).map { Digest("d-\($0)") }.ndjson + Digest.newest)
    try damageTheMidst(of: sandbox)

    let outcome = try sandbox.run("prune", "--max-age", "0s")

    #expect((outcome.status, outcome.stdout) == (65, ""))
    #expect(outcome.stderr.hasPrefix("digest-query: digests.sqlite: the file is damaged ("))
    #expect(try sandbox.files() == ["digests.sqlite"])
  }

  /// Some two megabytes of digests.
  private static var large: String {
    get throws {
      try (0..<6_000).map { number in
        var digest = Digest("d-\(number + 1)", recordedAt: "2016-11-20T10:00:00.000Z")
        digest.failures[0].foundType = "string"
        digest.failures[0].foundValue = "\(number) " + String(repeating: "is new ", count: 30)
        return try digest.line
      }.joined()
    }
  }

  @Test func `a dry run reports what a prune to a size would delete, and changes nothing`() throws {
    let sandbox = try Sandbox(importing: Self.large)
    _ = try sandbox.run("prune")
    let before = try #require(sandbox.bytes())
    let limit = before.count / 10 * 9
    let temporary = sandbox.url("tmp")
    try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
    let files = try sandbox.files()

    let plan = try sandbox.run(
      ["prune", "--max-bytes", "\(limit)", "--dry-run"], environment: ["TMPDIR": temporary.path])

    #expect(plan.status == 0 && plan.stderr.isEmpty)
    #expect(sandbox.bytes() == before)
    #expect(try sandbox.files() == files)
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
    let done = try sandbox.run("prune", "--max-bytes", "\(limit)")
    let size = try #require(sandbox.bytes()).count
    #expect(size <= limit && size >= limit / 100 * 85)
    #expect(
      plan.stdout
        == done.stdout.replacing("deleted", with: "would delete")
        .replacing("gave back", with: "would give back").replacing(
          "are left", with: "would be left"))
    #expect(done.stdout.hasPrefix("deleted ") && !done.stdout.hasPrefix("deleted 0 "))
    #expect(done.stderr.isEmpty)
  }

  @Test(arguments: [[], ["--dry-run"]])
  func `a size that names and totals exceed is refused, and nothing is deleted`(
    flags: [String]
  ) throws {
    let digests = (0..<10).map { path in
      var digest = Digest(recordedAt: "2016-11-20T10:00:00Z")
      digest.release = "4.2.0"
      digest.failures = (0..<700).map { .init(path: "p\(path)", novelValue: "value \($0)") }
      return digest
    }
    let sandbox = try Sandbox(importing: digests.ndjson)
    let questions = [["export"], ["top-failures", "--release", "4.2.0"], ["verify"]]
    let before = try questions.map { try sandbox.run($0) }

    let outcome = try sandbox.run(["prune", "--max-bytes", "1M"] + flags)

    #expect(outcome.status == 64)
    #expect(outcome.stderr.contains("; nothing was deleted; allow more than that"))
    #expect(try questions.map { try sandbox.run($0) } == before)
  }

  @Test(arguments: [[], ["--dry-run"]])
  func `a size that names alone exceed is refused, and nothing is deleted`(flags: [String]) throws {
    let line =
      #"{"recordedAt":"2016-11-20T10:00:00Z","model":"App.User","errors":[{"path":"a%","#
      + #""kind":"other","expectedType":"\#(String(repeating: "long ", count: 10_000))"}]}"# + "\n"
    let ndjson = (0..<25).map { line.replacing("%", with: "\($0)") }.joined()
    let sandbox = try Sandbox(importing: ndjson)
    let questions = [
      ["export"], ["trend", "--by", "hour", "--since", "2016-11-20", "--until", "2016-11-21"],
    ]
    let before = try questions.map { try sandbox.run($0) }

    let outcome = try sandbox.run(["prune", "--max-bytes", "1048576"] + flags)

    #expect(outcome.status == 64)
    #expect(outcome.stdout == "")
    #expect(
      outcome.stderr.hasPrefix(
        "digest-query: digests.sqlite: names and totals are never deleted, and take 1"))
    #expect(
      outcome.stderr.hasSuffix(
        " bytes; nothing was deleted; allow more than that\n"))
    #expect(try questions.map { try sandbox.run($0) } == before)
    #expect(try sandbox.run("prune", "--max-bytes", "2M").status == 0)
  }

  @Test func `a dry run of a damaged store says so, and sets nothing aside`() throws {
    let sandbox = try Sandbox(
      importing: (1...2_000).map { Digest("d-\($0)") }.ndjson + Digest.newest)
    try damageTheMidst(of: sandbox)
    let before = sandbox.bytes()

    let outcome = try sandbox.run("prune", "--max-age", "0s", "--dry-run")

    #expect((outcome.status, outcome.stdout) == (65, ""))
    #expect(outcome.stderr.hasPrefix("digest-query: digests.sqlite: the file is damaged ("))
    #expect(sandbox.bytes() == before)
    #expect(try sandbox.files().allSatisfy { !$0.contains("broken") })
  }

  @Test func `a dry run that has no place for its copy says where to name one`() throws {
    let sandbox = try Sandbox(importing: Self.ndjson)
    let nowhere = sandbox.url("nowhere").path
    #expect(
      try sandbox.run(["prune", "--dry-run"], environment: ["TMPDIR": nowhere])
        == .failure(
          74,
          "\(nowhere): cannot create a directory there (No such file or directory); choose another "
            + "place with TMPDIR"))
  }

  private static let together =
    "counted, but merged: 9 occurrences (too many releases)"

  @Test(arguments: [
    [], ["--max-age", "100000d"], ["--max-age", "9223372036854775807w"],
    ["--max-bytes", "1048576"],
    ["--max-bytes", "9223372036854775807"], ["--max-bytes", "16M"], ["--max-bytes", "16384KiB"],
    ["--max-bytes", "1g"], ["--max-bytes", "8T"], ["--max-age", "9999y"],
  ])
  func `digests within the limits stay`(arguments: [String]) throws {
    let sandbox = try Sandbox(importing: Self.ndjson)
    let before = try sandbox.run("export")
    let outcome = try sandbox.run(["prune"] + arguments)
    #expect(outcome.stdout.hasPrefix("deleted 0 digests of 0 occurrences, which stay counted; "))
    #expect(try sandbox.run("export") == before)
  }

  private static func notBytes(_ text: String) -> String {
    "The value '\(text)' is invalid for '--max-bytes <bytes>': write a number of bytes such as "
      + "16777216, 16M or 16MiB: "
      + "K, M and G are powers of 1024"
  }

  @Test(arguments: [
    (["--max-age", "2026-11-20"], "--max-age is a length of time: write 30m, 24h or 7d"),
    (["--max-bytes", "1000"], "--max-bytes 1000 is too small: give it 1M (1048576) or more"),
    (["--max-bytes", "1023k"], "--max-bytes 1047552 is too small: give it 1M (1048576) or more"),
    (["--max-bytes", "16MB"], notBytes("16MB")), (["--max-bytes", "M"], notBytes("M")),
    (["--max-bytes", "1.5M"], notBytes("1.5M")), (["--max-bytes=-1M"], notBytes("-1M")),
    (["--max-bytes", "16 M"], notBytes("16 M")),
    (["--max-bytes", "8388608T"], notBytes("8388608T")),
  ])
  func `limits that make no sense are refused`(arguments: [String], message: String) throws {
    let sandbox = try Sandbox(importing: Self.ndjson)
    let before = sandbox.bytes()
    #expect(
      try sandbox.run(["prune"] + arguments) == .failure(64, "\(message); \(Self.hint)"))
    #expect(sandbox.bytes() == before)
  }

  @Test func `a store that is not there is not made`() throws {
    let sandbox = try Sandbox()
    #expect(
      try sandbox.run("prune")
        == .failure(
          66, "no such store: digests.sqlite; name one with --store PATH or in $DIGEST_STORE"))
    #expect(try sandbox.files() == [])
  }
}
