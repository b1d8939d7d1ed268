import Foundation
import Testing

@testable import digest_query

struct CheckTests {
  @Test func `a release whose totals were deleted cannot be checked`() throws {
    let sandbox = try Sandbox(
      importing: [Digest("d-1", release: "4.1.0"), Digest("d-2", release: "4.2.0")])
    // Counts every digest in the totals.
    _ = try sandbox.run("prune --max-age 0s")
    try sandbox.alter(
      """
      DELETE FROM total WHERE context = (SELECT id FROM context WHERE release = '4.1.0');
      INSERT INTO loss (reason, hour, digests, occurrences, note)
        VALUES ('unattributed', 490000, 1, 1, '4.1.0')
      """)
    let outcome = try sandbox.run("check --max-new 0 --release 4.1.0")
    #expect(outcome.status == 66)
    #expect(
      outcome.notes == [
        "nothing was checked: the totals of release 4.1.0 were deleted to save space; to count 0, add "
          + "--allow-empty"
      ])
    #expect(try sandbox.run("check --max-new 0 --release 4.1.0 --allow-empty").status == 0)
  }

  @Test(arguments: [
    ("--max-occurrences 10", "ok: 10 occurrences (at most 10)"),
    ("--max-occurrences 1 --path price", "ok: 1 occurrence (at most 1)"),
    ("--max-occurrences 0 --model No* --allow-empty", "ok: 0 occurrences (at most 0)"),
    ("--max-occurrences 0 --model App.H* --value castle", "ok: 0 occurrences (at most 0)"),
    ("--max-new 2 --release 4.3.0", "ok: 2 new failures (at most 2)"),
    ("--max-new 0 --since 2026-11-22", "ok: 0 new failures (at most 0)"),
    (
      "--max-occurrences 4 --max-new 2 --since 2026-11-21",
      "ok: 2 new failures (at most 2)\nok: 4 occurrences (at most 4)"
    ),
    // Nothing happened before the first error.
    ("--max-occurrences 0 --until 2026-11-20", "ok: 0 occurrences (at most 0)"),
    (
      "--max-occurrences 0 --since 2016-01-01 --until 2026-11-20T10:00:00.123Z",
      "ok: 0 occurrences (at most 0)"
    ),
  ])
  func `counts within the limits print nothing, or ok with --verbose`(
    arguments: String, line: String
  ) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(try sandbox.run("check \(arguments)") == Outcome())
    #expect(try sandbox.run("check --verbose \(arguments)") == Outcome(stdout: line + "\n"))
  }

  @Test(arguments: [
    ("--max-occurrences 9", ["exceeded: 10 occurrences (at most 9)"]),
    (
      "--max-new 0 --release 4.3.0",
      [
        "exceeded: 2 new failures (at most 0): "
          + #"App.Home items[].kind "tower" 2, App.Home owner.name keyNotFound 1"#
      ]
    ),
    (
      "--max-occurrences 0 --max-new 1 --release 4.2.0",
      [
        "exceeded: 4 new failures (at most 1): "
          + #"App.Listing items[].kind "villa" 2, App.Listing items[].kind dataCorrupted 1, "#
          + #"App.Listing items[].kind "castle" 1, App.Listing price typeMismatch 1"#,
        "exceeded: 5 occurrences (at most 0)",
      ]
    ),
    (
      "--max-new 0 --since 2026-11-20T10:30:00Z --until 2026-11-21",
      [
        "exceeded: 3 new failures (at most 0): "
          + #"App.Listing attrs.* "7" 1, App.Listing items[].kind "castle" 1, "#
          + "App.Listing price typeMismatch 1"
      ]
    ),
    // Programs get the names, too.
    (
      "--max-new 0 --value v* --format ndjson",
      [
        #"{"limit": "new", "allowed": 0, "found": 1, "exceeded": true, "#
          + #""details": "App.Listing items[].kind \"villa\" 2"}"#
      ]
    ),
  ])
  func `each limit that is exceeded has a line that says by what`(
    arguments: String, lines: [String]
  ) throws {
    #expect(
      try Sandbox(importing: Drift.ndjson).run("check \(arguments)")
        == Outcome(status: 1, lines: lines))
  }

  @Test(arguments: [(10, ""), (11, ", and 1 more")])
  func `ten failures are named`(count: Int, rest: String) throws {
    let sandbox = try Sandbox(importing: (10..<10 + count).map { Digest(novelValue: "v\($0)") })
    let names = (10..<20).map { "App.Listing kind \"v\($0)\" 1" }.joined(separator: ", ")
    #expect(
      try sandbox.run("check --max-new 9").stdout
        == "exceeded: \(count) new failures (at most 9): \(names)\(rest)\n")
  }

  @Test(arguments: Golden.formats, [(0, 1), (10, 0)] as [(Int, Int32)])
  func `a closed pipe does not make it ok`(format: String, limit: (Int, status: Int32)) throws {
    let command = "check --format \(format) --max-occurrences \(limit.0)"
    #expect(
      try Sandbox(importing: Drift.ndjson).start(command.words, stdout: Pipe.closed())
        == Outcome(status: limit.status))
  }

  @Test func `a value steers no terminal and breaks no line`() throws {
    let bad = "\u{1B}[31m\n\u{202E}x"
    #expect(
      try Sandbox(importing: [Digest(novelValue: bad, model: bad)])
        .run("check --max-new 0").stdout
        == "exceeded: 1 new failure (at most 0): "
        + #"\u{1B}[31m\n\u{202E}x kind "\u{1B}[31m\n\u{202E}x" 1"# + "\n")
  }

  @Test(arguments: [
    ("--release v4.2.0", "the store has no release v4.2.0; did you mean 4.2.0? To"),
    ("--release 4.2.0 --release 5", "the store has no release 5; the newest is 4.3.0; to"),
    ("--path prize", "the store has no coding path prize; did you mean price? To"),
    ("--value castle --value *z", "the store has no novel value that matches *z; to"),
    ("--since 2199-01-01", "the window begins in the future; to"),
    (
      "--since 2026-11-22 --until 2026-11-20",
      "--until is before --since: there is no time between them; to"
    ),
    (
      "--since 2026-11-20 --until 2026-11-20",
      "--until equals --since: there is no time between them; to"
    ),
  ])
  func `a question about nothing is an error, and ok where that is allowed`(
    arguments: String, reason: String
  ) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    for limit in ["--max-new", "--max-occurrences"] {
      #expect(
        try sandbox.run("check \(limit) 0 \(arguments)")
          == .failure(66, "nothing was checked: \(reason) count 0, add --allow-empty"))
      let allowed = try sandbox.run("check \(limit) 99 --allow-empty -v \(arguments)")
      #expect(allowed.status == 0)
      #expect(allowed.stdout.hasPrefix("ok: "))
    }
  }

  @Test func `each unknown name has a line of its own, the last with the remedy`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(
      try sandbox.run("check --max-occurrences 0 --model App.Hme --model App.Home --release 5")
        == Outcome(
          status: 66,
          notes: [
            "the store has no model App.Hme; did you mean App.Home?",
            "nothing was checked: the store has no release 5; the newest is 4.3.0; to count 0, add "
              + "--allow-empty",
          ]))
    #expect(
      try sandbox.run("check --max-occurrences 0 --model App.Listng --allow-empty -v")
        == Outcome(
          lines: ["ok: 0 occurrences (at most 0)"],
          notes: ["the store has no model App.Listng; did you mean App.Listing?"]))
  }

  @Test(arguments: ["--since 24h", "--since 48h --until 24h"])
  func `an empty store has exceeded nothing`(window: String) throws {
    #expect(
      try Sandbox(importing: "").run("check --max-occurrences 0 \(window)") == Outcome())
  }

  @Test func `a window whose counts were dropped is a question about nothing`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.lose(7, in: 0, "undated", at: "2026-11-19T00:00:00Z")
    let command = "check --max-occurrences 3 --since 2026-11-19 --until"
    #expect(
      try sandbox.run("\(command) 2026-11-20")
        == .failure(
          66,
          "nothing was checked: the daily counts of the window were dropped; to count 0, add "
            + "--allow-empty"))
    let note =
      "not counted here: 7 occurrences for which only the all-time sum is left (undated, recorded "
      + "since 2026-11-19T00:00:00.000Z)"
    // If a window has other counts, a note says what they miss.
    for window in ["2026-11-20 --allow-empty", "2026-11-20T10:30:00Z"] {
      #expect(try sandbox.run("\(command) \(window)") == Outcome(notes: [note]))
    }
    // It is covered, and nothing happened in it, though all counts before it are gone.
    #expect(
      try sandbox.run(
        "check --max-occurrences 3 --since 2026-11-20 --until 2026-11-20T09:00:00Z") == Outcome())
  }

  @Test func `losses are reported, and exceed no limit`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.lose(5)
    #expect(
      try sandbox.run("check --max-occurrences 10")
        == Outcome(notes: [
          "not counted: 1 digest of 5 occurrences (failed write, since 2026-11-20T10:00:00.000Z)"
        ]))
  }

  @Test func `a loss that the app asked for has no note, unless something is wrong`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    for reason in ["evicted", "redacted"] { try sandbox.lose(5, reason) }
    #expect(try sandbox.run("check --max-occurrences 10") == Outcome())
    for options in ["9", "10 -v"] {
      #expect(try sandbox.run("check --max-occurrences \(options)").notes.count == 1)
    }
  }

  @Test(arguments: ["tally", "loss"], ["0", "100"])
  func `a store that is broken in part is an error and no answer`(
    table: String, limit: String
  ) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.alter("ALTER TABLE \(table) RENAME TO other")
    let outcome = try sandbox.run("check --max-occurrences \(limit)")
    #expect(outcome.status == 65 && outcome.stdout == "")
    #expect(outcome.stderr.contains("in the schema differs from that of a store"))
  }

  /// Limits at which a number of floating point is not what was typed.
  @Test(arguments: 1...999)
  func `a rate that equals its limit is ok`(tenths: Int) throws {
    let limit = try Rate(argument: "\(tenths / 10).\(tenths % 10)%")
    #expect(Double(tenths) / 1_000 <= limit.value)
    #expect(Double(tenths + 1) / 1_000 > limit.value)
  }
}

/// Limits of rates: the number of decodes is imported with the digests.
struct CheckRateTests {
  @Test(arguments: [
    ("10%", 0, "ok: errors in 6.67% of 300 decodes (at most 10%)"),
    ("0.0666", 1, "exceeded: errors in 6.67% of 300 decodes (at most 6.66%)"),
    // A rate of the same three digits as its limit has more of them.
    ("0.06665", 1, "exceeded: errors in 6.667% of 300 decodes (at most 6.665%)"),
    ("0.0667", 0, "ok: errors in 6.667% of 300 decodes (at most 6.67%)"),
    ("5% --release 4.2.0", 0, "ok: errors in 5% of 200 decodes (at most 5%)"),
    ("1% --value castle", 1, "exceeded: errors in 1.33% of 300 decodes (at most 1%)"),
    ("0 --model App.Listing", 1, "exceeded: errors in 6.67% of 300 decodes (at most 0%)"),
  ])
  func `check limits the rate`(limit: String, status: Int32, line: String) throws {
    #expect(
      try Sandbox(importing: Drift.halvedRate).run("check --verbose --max-rate \(limit)")
        == Outcome(status: status, stdout: line + "\n"))
  }

  @Test func `check counts whole hours from the first counted decode on, and says so`() throws {
    let sandbox = try Sandbox(importing: Drift.halvedRate)
    let command = "check --max-rate 10% --since 2026-11-20T10:30:00Z"
    #expect(try sandbox.run(command) == Outcome())
    #expect(
      try sandbox.run("\(command) --verbose").notes == [
        "rates cover whole hours with counted decodes: from 2026-11-20T10:00:00.000Z"
      ])
  }
}
