import Foundation
import Testing

/// Deleting digests by hand.
struct PruneTests {
  @Test func `deleted digests stay counted, and every report says how many there are`() throws {
    let sandbox = try Sandbox(importing: Drift.old + Digest.newest.line)
    let before = try sandbox.run("top-failures --format csv")

    let outcome = try sandbox.run("prune --max-age 0s")

    let size = try #require(sandbox.bytes()).count
    #expect((outcome.status, outcome.stderr) == (0, ""))
    #expect(
      outcome.stdout.hasPrefix(
        "deleted 5 digests of 10 occurrences, which stay counted; gave back "))
    #expect(outcome.stdout.hasSuffix(" bytes, \(size) are left\n"))
    // What isn't a name goes with the digests.
    let rows = before.stdout.replacing(/,(string|number),[^,]+,/, with: ",,,")
    #expect(try sandbox.run("top-failures --format csv") == Outcome(stdout: rows))
    #expect(try sandbox.run("verify").status == 0)
    try sandbox.alter("DELETE FROM digest")
    #expect(
      try sandbox.run("export")
        == Outcome(notes: [
          "not exported: 5 digests of 10 occurrences (evicted, recorded since "
            + "2016-11-20T10:00:00.000Z)"
        ]))
    #expect(
      try sandbox.run("import -", stdin: Drift.old)
        == Outcome(
          stdout: Outcome.imported(0, known: 5).stdout,
          notes: [
            "5 of these are taken for deleted, because the store has deleted digests with the same or "
              + "later numbers; import the parts of an export in order"
          ]))
  }

  @Test func `what only digests said that are deleted is not in the file any more`() throws {
    let secret = Data("s3cr3t".utf8)
    let digest = Digest(
      recordedAt: "2016-11-20T10:00:00Z",
      failures: [.error("typeMismatch", at: "age", found: ("string", "s3cr3t too"))])
    let sandbox = try Sandbox(importing: [digest, .newest])
    #expect(sandbox.bytes()?.range(of: secret) != nil)

    #expect(try sandbox.run("prune --max-age 1w").status == 0)

    #expect(sandbox.bytes()?.range(of: secret) == nil)
    #expect(try sandbox.run("top-failures").stdout.contains("age"))
  }

  @Test func `a window that ends in evicted time is reported as it is counted`() throws {
    let sandbox = try Sandbox(importing: Drift.old)
    _ = try sandbox.run("prune --max-age 0s")
    let command = "top-failures --format csv"

    let outcome = try sandbox.run(
      "\(command) --since 2016-11-20T10:30:00Z --until 2016-11-20T11:00:00.001Z")

    #expect(
      outcome.notes == [
        "window widened: counted since 2016-11-20T10:00:00.000Z until 2016-11-20T12:00:00.000Z, "
          + "because finer counts have been deleted"
      ])
    #expect(
      try outcome.stdout
        == sandbox.run("\(command) --since 2016-11-20T10:00:00Z --until 2016-11-20T12:00:00Z")
        .stdout)
  }

  @Test(arguments: [("minute", 2, "hour"), ("hour", 6, "day")])
  func `a trend that lacks finer counts is shortened, and names the periods that have them`(
    unit: String, days: Double, longer: String
  ) throws {
    let times = [Digest.time(ago: days * 86_400), Digest.time(ago: 600)]
    let sandbox = try Sandbox(importing: times.map { Digest(recordedAt: $0) })
    _ = try sandbox.run("prune --max-age 1d")
    if unit == "hour" {
      let oldest = "WHERE span = 1 AND start = (SELECT min(start) FROM tally WHERE span = 1)"
      for table in ["decodes", "tally"] { try sandbox.alter("DELETE FROM \(table) \(oldest)") }
    }
    func trend(by unit: String) throws -> (sum: Int, notes: [String]) {
      let outcome = try sandbox.run("trend --format csv --columns occurrences --by \(unit)")
      return (
        outcome.lines.compactMap { Int($0) }.reduce(0, +),
        outcome.notes.filter { $0.contains("window") }
      )
    }

    let short = try trend(by: unit)

    #expect(short.sum == 1)
    #expect(short.notes.count == 1)
    #expect(short.notes[0].hasPrefix("window shortened: counted since 20"))
    #expect(
      short.notes[0].hasSuffix(
        ", because the \(unit)s before it have been deleted; --by \(longer) counts them"))
    #expect(try trend(by: longer) == (2, []))
  }

  /// Digests of names and found values that leave so little room below a mebibyte that the counts of
  /// their releases have to go together, the oldest first.
  private static var filling: String {
    let long = String(repeating: "long ", count: 4_000)
    return (0..<200).map { release in
      Digest(
        model: "Long", release: "f\(release)", recordedAt: "2016-11-23T10:00:00.000Z",
        failures: (0..<100).map { number in
          .error(
            "other", at: "a\(number)",
            found: release == 0 && number < 40 ? ("string", long) : nil)
        })
    }.ndjson
  }

  @Test func `releases counted together are reported`() throws {
    let sandbox = try Sandbox(importing: Drift.old + Self.filling)
    let prune = try sandbox.run("prune --max-bytes 1048576")
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

    for (filter, rows) in [("--release 4.2.0", 0), ("", 7), ("--no-release", 0)] {
      let outcome = try sandbox.run("top-failures --format csv --model App.* \(filter)")
      #expect(outcome.lines.count == rows + 1)
      #expect(
        outcome.stderr.contains(
          "perhaps not counted here: \(lost) occurrences of old releases (4.2.0, ")
          == !filter.isEmpty)
    }
    #expect(try sandbox.run("verify").status == 0)
  }

  @Test(arguments: [false, true])
  func `where digests alone are not enough, the hours kept by day only are reported`(
    isPlan: Bool
  ) throws {
    let failures = (0..<200).map { Digest.Failure.error("typeMismatch", at: "a\($0)") }
    let sandbox = try Sandbox(
      importing: (10..<30).flatMap { day in
        (10..<24).map { Digest(recordedAt: "2026-10-\(day)T\($0):00:00Z", failures: failures) }
      })

    let prune = try sandbox.run("prune --max-bytes 1048576\(isPlan ? " --dry-run" : "")")

    #expect(prune.status == 0)
    #expect(prune.stdout.hasPrefix("\(isPlan ? "would delete" : "deleted") "))
    let note = try #require(
      prune.stderr.wholeMatch(
        of:
          #/digest-query: digests alone are not enough: counts before (\S+) (.+) kept by day only\n/#
      ))
    #expect(note.output.2 == (isPlan ? "would be" : "are"))
    guard !isPlan else { return }
    let hours = try sandbox.run("trend --by hour --since 2026-10-01 --format csv")
    let first = try #require(hours.lines.dropFirst().first)
    #expect(first.prefix(10) >= note.output.1.prefix(10) && first.prefix(10) > "2026-10-10")
    let days = try sandbox.run("trend --by day --since 2026-10-10 --format csv")
    #expect(days.lines.count == 1 + 20)
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

  @Test(arguments: ["", "--dry-run"])
  func `a store that is damaged in its midst stays where it is, and that isn't a success`(
    flag: String
  ) throws {
    let sandbox = try Sandbox(
      importing: (1...2_000).map { Digest("d-\($0)") } + [.newest])
    try damageTheMidst(of: sandbox)
    let before = sandbox.bytes()

    let outcome = try sandbox.run("prune --max-age 0s \(flag)")

    #expect((outcome.status, outcome.stdout) == (65, ""))
    #expect(outcome.stderr.hasPrefix("digest-query: digests.sqlite: the file is damaged ("))
    #expect(flag.isEmpty || sandbox.bytes() == before)
    #expect(try sandbox.files() == ["digests.sqlite"])
  }

  /// Some two megabytes of digests.
  private static var large: String {
    let found = String(repeating: "is new ", count: 30)
    return (0..<6_000).map { number in
      Digest(
        "d-\(number + 1)", recordedAt: "2016-11-20T10:00:00.000Z",
        failures: [.novel(found: ("string", "\(number) \(found)"))])
    }.ndjson
  }

  @Test func `a dry run reports what a prune to a size would delete, and changes nothing`() throws {
    let sandbox = try Sandbox(importing: Self.large)
    _ = try sandbox.run("prune")
    let before = try #require(sandbox.bytes())
    let limit = before.count / 10 * 9
    try sandbox.makeDirectory("tmp")
    let files = try sandbox.files()

    let plan = try sandbox.run(
      "prune --max-bytes \(limit) --dry-run", environment: ["TMPDIR": sandbox.url("tmp").path])

    #expect(plan.status == 0 && plan.stderr.isEmpty)
    #expect(sandbox.bytes() == before)
    #expect(try sandbox.files() == files)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: sandbox.url("tmp").path) == [])
    let done = try sandbox.run("prune --max-bytes \(limit)")
    let size = try #require(sandbox.bytes()).count
    #expect(size <= limit && size >= limit / 100 * 85)
    #expect(
      plan.stdout
        == done.stdout.replacing("deleted", with: "would delete")
        .replacing("gave back", with: "would give back")
        .replacing("are left", with: "would be left"))
    #expect(done.stdout.hasPrefix("deleted ") && !done.stdout.hasPrefix("deleted 0 "))
    #expect(done.stderr.isEmpty)
  }

  @Test func `a size that names and totals exceed is an error with the size that was reached`()
    throws
  {
    let type = String(repeating: "long ", count: 10_000)
    let digests = (0..<25).map {
      Digest(
        recordedAt: "2016-11-20T10:00:00Z",
        failures: [.error("other", at: "a\($0)", expected: type)])
    }
    let sandbox = try Sandbox(importing: digests)
    let before = try sandbox.run("export")

    let trial = try sandbox.run("prune --max-bytes 1048576 --dry-run")
    let unchanged = try sandbox.run("export")
    let outcome = try sandbox.run("prune --max-bytes 1048576")

    #expect(unchanged == before)
    for (outcome, deleted) in [(trial, "would be deleted"), (outcome, "was deleted")] {
      #expect((outcome.status, outcome.stdout) == (64, ""))
      #expect(outcome.stderr.contains("names and totals are never deleted, and take 1"))
      #expect(outcome.stderr.hasSuffix(" bytes; all else \(deleted); use a larger limit\n"))
    }
    #expect(
      try sandbox.run("top-failures --format ndjson").stdout.split(separator: "\n").count == 25)
    #expect(try sandbox.run("verify").status == 0)
    #expect(try sandbox.run("prune --max-bytes 2M").status == 0)
  }

  @Test func `a dry run that has no place for its copy says where to name one`() throws {
    let sandbox = try Sandbox(importing: Drift.old)
    let nowhere = sandbox.url("nowhere").path
    #expect(
      try sandbox.run("prune --dry-run", environment: ["TMPDIR": nowhere])
        == .failure(
          74,
          "\(nowhere): cannot create a directory there (No such file or directory); choose another "
            + "place with TMPDIR"))
  }

  @Test(arguments: [
    "", "--max-age 100000d", "--max-age 9223372036854775807w", "--max-bytes 1048576",
    "--max-bytes 9223372036854775807", "--max-bytes 16M", "--max-bytes 16384KiB",
    "--max-bytes 1g", "--max-bytes 8T", "--max-age 9999y",
  ])
  func `digests within the limits stay`(arguments: String) throws {
    let sandbox = try Sandbox(importing: Drift.old)
    let before = try sandbox.run("export")
    let outcome = try sandbox.run("prune \(arguments)")
    #expect(outcome.stdout.hasPrefix("deleted 0 digests of 0 occurrences, which stay counted; "))
    #expect(try sandbox.run("export") == before)
  }

  @Test func `a store that is not there is not made`() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.run("prune") == .noStore())
    #expect(try sandbox.files() == [])
  }
}
