import Testing

struct DiffTests {
  @Test func `a release whose totals were deleted cannot be compared or shown`() throws {
    let sandbox = try Sandbox(
      importing: [Digest("d-1", release: "4.1.0"), Digest("d-2", release: "4.2.0")])
    _ = try sandbox.run("prune --max-age 0s")
    try sandbox.alter(
      """
      DELETE FROM total WHERE context = (SELECT id FROM context WHERE release = '4.1.0');
      INSERT INTO loss (reason, hour, digests, occurrences, note)
        VALUES ('unattributed', 490000, 1, 1, '4.1.0')
      """)
    let deleted = "the totals of release 4.1.0 were deleted to save space"
    for command in ["diff 4.1.0 4.2.0", "diff 4.2.0 4.1.0"] {
      #expect(
        try sandbox.run(command)
          == .failure(66, "nothing was compared: \(deleted); name a later one"))
    }
    #expect(
      try sandbox.run("show villa --release 4.1.0")
        == .failure(66, "\(deleted); leave --release out"))
    #expect(try sandbox.run("diff 4.2.0 4.2.0").status == 0)
  }

  /// The drift, and two more castles in its newest release.
  private func sandbox() throws -> Sandbox {
    let castles = Digest(
      "d-6", release: "4.3.0", recordedAt: "2026-11-22T10:00:00.000Z",
      failures: (0..<2).map { .novel("castle", at: "items[\($0)].kind", expected: "App.Kind") })
    return try Sandbox(importing: Drift.ndjson + castles.line)
  }

  /// Each change of a novel value as its kind, value and counts.
  private func changes(_ arguments: String) throws -> [String] {
    let outcome = try sandbox().run(
      "diff --format csv --columns change,novel_value,before,after \(arguments)")
    try #require(outcome.status == 0, "\(outcome)")
    return outcome.lines.dropFirst().filter { !$0.contains(",,") }
      .map { $0.replacing(",", with: " ") }
  }

  @Test(arguments: [
    ("4.3.0 4.2.0", ["gone tower 2 0", "shrunk castle 3 1", "new villa 0 2"]),
    // A side is a release or a period, whose ends are open.
    (
      "2026-11-20..2026-11-20T11:00:00Z 2026-11-20T11:00:00.001Z..",
      ["new tower 0 2", "grown castle 1 3", "gone villa 2 0"]
    ),
    ("4.2.0 2026-11-20T11:00:00.001Z..", ["new tower 0 2", "grown castle 1 3", "gone villa 2 0"]),
    ("..2026-11-21 2026-11-21.. --path attrs.*", ["gone 7 1 0"]),
    ("..2026-11-22 .. --model App.Listing", ["grown castle 1 4"]),
    ("..2026-11-20T11:00:00Z 2026-11-20T11:00:00Z.. --no-release", ["new 7 0 1"]),
    (".. ..", []), ("4.2.0 4.2.0", []),
    // Filters hold for both sides.
    ("4.2.0 4.3.0 --model *Home", ["new tower 0 2"]),
    (
      "4.2.0 4.3.0 --since 2026-11-20T10:30:00Z --until 2026-11-22",
      ["new tower 0 2", "gone castle 1 0"]
    ),
    ("2026-11-20..2026-11-21 2026-11-22..2026-11-23 --release 4.3.0", ["new castle 0 3"]),
    ("4.2.0 4.3.0 --value v*", ["gone villa 2 0"]), ("4.2.0 4.3.0 --kind dataCorrupted", []),
  ])
  func `a side is a release or a period, and filters hold for both`(
    arguments: String, expected: [String]
  ) throws {
    #expect(try changes(arguments) == expected)
  }

  @Test func `relative times of both sides are of one moment`() throws {
    #expect(
      try Sandbox(importing: Drift.ndjson).run("diff 2w..1w 1w..0s --kind other").notes
        == ["nothing found on either side"])
  }

  private static let lengths =
    "the periods are not of the same length; counts are compared as they are"

  @Test(arguments: [
    ("2026-11-20..2026-11-21 2026-11-22..2026-11-23", []), ("4.2.0 2026-11-03..2026-11-05", []),
    (
      "2026-11-18..2026-11-20 2026-11-20..2026-11-21",
      ["the second period is 0.5 times as long as the first; counts are compared as they are"]
    ),
    ("2026-11-18..2026-11-20 2026-11-20..2026-11-22T00:00:00.001Z", [lengths]),
    (
      "2026-11-21..2026-11-22 2026-11-20..2026-11-21",
      ["the second period is earlier than the first; swap them"]
    ),
    ("..2026-11-20 2026-11-20..2026-11-22", [lengths]), ("..2026-11-20 ..2026-11-22", [lengths]),
    (
      "2026-11-20..2026-11-21 2026-11-21..2026-11-22 --kind other", ["nothing found on either side"]
    ),
  ])
  func `notes say what the answer leaves out`(arguments: String, notes: [String]) throws {
    let outcome = try sandbox().run("diff \(arguments)")
    #expect(outcome.status == 0)
    #expect(outcome.notes == notes)
  }

  @Test(arguments: [
    ("4.2.0 4.2", "the store has no release 4.2; did you mean 4.2.0?"),
    ("2026-11-20.. v4.3.0", "the store has no release v4.3.0; did you mean 4.3.0?"),
    (
      "4.2.0 2026-11-20",
      "the store has no release 2026-11-20; a period is written 2026-11-20.. or ..2026-11-20"
    ),
    ("4.2.0 9998-01-01..9999-01-01", "9998-01-01..9999-01-01 begins in the future"),
    ("9998-01-01.. 4.2.0 --format csv", "9998-01-01.. begins in the future"),
    (
      "4.2.0 4.3.0 --model App.Home --model No*",
      "nothing was compared: the store has no model that matches No*"
    ),
    (
      "4.2.0 4.3.0 --value castle --value keep",
      "nothing was compared: the store has no novel value keep"
    ),
  ])
  func `a side or a filter that the store knows nothing of is an error, also in part`(
    arguments: String, message: String
  ) throws {
    #expect(try sandbox().run("diff \(arguments)") == .failure(66, message))
  }

  @Test func `a period without counts is refused, and one with counts in part has a note`() throws {
    let sandbox = try sandbox()
    try sandbox.lose(5, in: 0, "undated", at: "2026-11-20T00:00:00Z")
    try sandbox.lose(7, in: 0, "undated", at: "2026-11-19T00:00:00Z")
    let part = "2026-11-20..2026-11-22"
    #expect(
      try sandbox.run("diff \(part) 2026-11-22..2026-11-24").notes == [
        "\(part): not counted here: 5 occurrences for which only the all-time sum is left (undated, "
          + "recorded since 2026-11-20T00:00:00.000Z)"
      ])
    #expect(
      try sandbox.run("diff 2026-11-19..2026-11-20 2026-11-22.. --kind other")
        == .failure(
          66,
          "nothing was compared: the daily counts of 2026-11-19..2026-11-20 were dropped; give a later "
            + "period"))
  }

  @Test(arguments: [
    ("4.2.0 4.3.0", ""),
    ("2026-11-20..2026-11-21 2026-11-21..2026-11-22", "2026-11-20..2026-11-21: "),
    ("2026-11-19..2026-11-20 2026-11-20..2026-11-21", "2026-11-20..2026-11-21: "),
    ("2026-11-21..2026-11-22 2026-11-22..2026-11-23", nil),
  ])
  func `a loss of both sides is reported once, and a loss of one side with its name`(
    sides: String, side: String?
  ) throws {
    let sandbox = try sandbox()
    try sandbox.lose(5)
    let loss =
      "not counted: 1 digest of 5 occurrences (failed write, since 2026-11-20T10:00:00.000Z)"
    #expect(try sandbox.run("diff \(sides)").notes == (side.map { ["\($0)\(loss)"] } ?? []))
  }
}

/// Rates: the number of decodes is imported with the digests.
struct DiffRateTests {
  private static let rows = [
    "shrunk,App.Listing,kind,unknownNovelValue,,villa,String,,8,8,1,0.08,0.04,0.5,j9c2c65c",
    "shrunk,App.Listing,kind,unknownNovelValue,,castle,String,,2,2,1,0.02,0.01,0.5,a93bccb3",
  ]

  @Test(arguments: ["", "--kind unknownNovelValue"])
  func `a release that halves the rate at twice the traffic has shrunk`(filter: String) throws {
    let outcome = try Sandbox(importing: Drift.halvedRate).run(
      "diff 4.1.0 4.2.0 --format csv \(filter)")
    #expect(outcome.stderr == "")
    #expect(Array(outcome.lines.dropFirst()) == Self.rows)
  }

  @Test func `a table has rates in percent`() throws {
    #expect(
      try Sandbox(importing: Drift.halvedRate).run("diff 4.1.0 4.2.0").stdout == """
        change  model        coding_path  found   before  after  factor  id
        shrunk  App.Listing  kind         villa       8%     4%     0.5  j9c2c65c
        shrunk  App.Listing  kind         castle      2%     1%     0.5  a93bccb3

        """)
  }

  @Test(arguments: ["", Digest.decodes(90, release: "1") + Digest.decodes(90, release: "2")])
  func `equal counts without decodes, and equal rates, are no difference`(decodes: String) throws {
    let digests = (1...10).flatMap { _ in [Digest(release: "1"), Digest(release: "2")] }
    #expect(
      try Sandbox(importing: digests.ndjson + decodes).run("diff 1 2").notes
        == ["no difference found"])
  }

  @Test func `a side before the first counted decode has no rate, and a note says so`() throws {
    let early = Digest(release: "4.0.0", recordedAt: "2026-11-19T10:00:00.000Z")
    let sandbox = try Sandbox(importing: Drift.halvedRate + early.line)
    let outcome = try sandbox.run("diff 4.0.0 4.2.0 --format csv")
    #expect(
      outcome.notes == [
        "counts are compared, not rates: no decodes without errors were counted for 4.0.0"
      ])
    #expect(
      outcome.lines[1]
        == "grown,App.Listing,kind,unknownNovelValue,,villa,String,,1,8,8,,0.04,,j9c2c65c")
  }

  @Test func `models have decodes and a rate`() throws {
    let sandbox = try Sandbox(importing: Drift.halvedRate)
    let time = "2026-11-20T10:00:00.000Z"
    #expect(
      try sandbox.run("models --format csv").lines.last
        == "App.Listing,20,20,1,2,2,\(time),\(time),300,0.066667")
    #expect(
      try sandbox.run("models").lines.map { $0.suffix(15) }
        == [" decodes   rate", "     300  6.67%"])
  }

  @Test(arguments: [(10, 11, "1.1"), (100, 110, "1.1"), (10, 30, "3"), (1, 7, "7"), (3, 1, "3")])
  func `a factor of just the limit is a change`(old: Int, new: Int, factor: String) throws {
    let digests = [Digest(release: "1", count: old), Digest(release: "2", count: new)]
    let decodes = ["1", "2"].map { Digest.decodes(99, release: $0) }
    for (decodes, rows) in [("", 2), (decodes.joined(), 1)] {
      let outcome = try Sandbox(importing: digests.ndjson + decodes)
        .run("diff 1 2 --min-factor \(factor) --format csv")
      #expect(outcome.lines.count == rows)
      #expect(!outcome.stdout.contains("same,"))
    }
  }

  @Test(arguments: [
    ("", ["grown,a", "shrunk,b", "grown,d", "same,c"]),
    ("--min-factor 1", ["grown,a", "shrunk,b", "grown,c", "grown,d"]),
    ("--min-factor 1.5", ["grown,a", "grown,d", "same,b", "same,c"]),
    ("--min-factor 2 --limit 2", ["grown,a", "grown,d"]),
  ])
  func `a small factor is the same, and comes last`(options: String, rows: [String]) throws {
    let counts = [
      ("a", 50_000, 100_000), ("b", 40_000, 30_000), ("c", 90_000, 90_010), ("d", 2, 4),
    ]
    let sandbox = try Sandbox(
      importing: counts.flatMap { value, before, after in
        [
          Digest(novelValue: value, release: "1", count: before),
          Digest(novelValue: value, release: "2", count: after),
        ]
      })
    #expect(
      try sandbox.run("diff 1 2 --format csv --columns change,novel_value \(options)").lines
        .dropFirst() == rows[...])
  }
}

struct TrendRateTests {
  private func sandbox() throws -> Sandbox {
    let digests = (0..<6).map { index in
      Digest(
        model: index < 4 ? "App.Listing" : "App.Home",
        recordedAt: "2026-11-\(20 + index % 2)T10:00:00.000Z")
    }
    return try Sandbox(
      importing: digests.ndjson + Digest.decodes(8)
        + Digest.decodes(18, at: "2026-11-21T10:00:00Z")
        + Digest.decodes(39, of: "App.User", at: "2026-11-21T10:00:00Z"))
  }

  @Test func `a trend has the rate of each period`() throws {
    let sandbox = try sandbox()
    #expect(
      try sandbox.run("trend --rate --by day --format csv")
        == Outcome(
          stdout: """
            start,occurrences,digests,decodes,rate,partial
            2026-11-20T00:00:00.000Z,3,3,11,0.272727,false
            2026-11-21T00:00:00.000Z,3,3,60,0.05,false

            """))
    #expect(
      try sandbox.run("trend --rate --by day").lines.map { $0.prefix(48) } == [
        "start       occurrences  digests  decodes   rate",
        "2026-11-20            3        3       11  27.3%",
        "2026-11-21            3        3       60   5%  ",
      ])
  }

  @Test func `each model has its own decodes`() throws {
    #expect(
      try sandbox().run("trend --rate --by day --group model --format csv").lines.dropFirst() == [
        "2026-11-20T00:00:00.000Z,App.Listing,2,2,10,0.2,false",
        "2026-11-21T00:00:00.000Z,App.Listing,2,2,20,0.1,false",
        "2026-11-20T00:00:00.000Z,App.Home,1,1,1,1,false",
        "2026-11-21T00:00:00.000Z,App.Home,1,1,1,1,false",
      ])
  }

  @Test(arguments: [
    ("--group kind", "group by model, path, value or a part of the context"),
    ("--by minute", "decodes are counted by the hour; take hours"),
    ("--path kind", "several failures of a model match; choose one, or group by value"),
    ("--group path", "several failures of a model match; choose one, or group by value"),
  ])
  func `a trend that can have no rates says what to do`(arguments: String, message: String) throws {
    let sandbox = try sandbox()
    try sandbox.load(
      ["App.Listing", "App.Home"].map { Digest(novelValue: "yurt", model: $0) }.ndjson)
    #expect(
      try sandbox.run("trend --rate \(arguments)")
        == .failure(64, "such a trend has no rates: \(message)"))
  }

  @Test(arguments: ["--value villa", "--kind unknownNovelValue", "--group value", "--group path"])
  func `a trend of one failure of each model has its rate among their decodes`(
    arguments: String
  ) throws {
    let outcome = try sandbox().run(
      "trend --rate --by day --model App.Listing --format csv --columns digests,decodes,rate "
        + arguments)
    #expect(outcome == Outcome(lines: ["digests,decodes,rate", "2,10,0.2", "2,20,0.1"]))
    #expect(
      try sandbox().run(
        "trend --rate --by day --value villa --format csv --columns digests,decodes"
      )
      .lines == ["digests,decodes", "3,11", "3,21"])
  }

  @Test func `where several failures match the rate is empty, and a note says so`() throws {
    let sandbox = try sandbox()
    try sandbox.load(Digest(novelValue: "yurt", model: "App.Home").line)
    #expect(
      try sandbox.run(
        "trend --rate --by day --kind unknownNovelValue --group model --format csv "
          + "--columns model,digests,decodes,rate")
        == Outcome(
          lines: [
            "model,digests,decodes,rate", "App.Listing,2,10,0.2", "App.Listing,2,20,0.1",
            "App.Home,,2,", "App.Home,,1,",
          ],
          notes: [
            "rates are unknown where several failures of a model match; choose one, or group by value"
          ]))
  }

  @Test(arguments: ["trend --rate", "check --max-rate 1%", "check --max-rate 1% --allow-empty"])
  func `a rate that nobody knows is refused`(command: String) throws {
    #expect(
      try Sandbox(importing: Drift.ndjson).run(command)
        == .failure(
          66,
          "no decodes without errors were counted, so there are no rates: apps count them that decode "
            + "with decode(_:from:recordingTo:), recordErrors(of:) or a PersistentErrorReporter"))
  }
}
