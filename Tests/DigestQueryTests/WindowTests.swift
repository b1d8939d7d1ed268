import Testing

/// Reports on windows of time, compared with a recount of the lines.
struct WindowTests {
  /// A digest of every 17 minutes and some milliseconds of five days, and of the moments around the
  /// beginnings of hours and days.
  private static let ndjson: String = {
    let spread = (0..<400).map { $0 * 1_053_217 + 4_321 }
    let hours = (0..<5).flatMap { day in [0, 1, 12, 23].map { day * 24 + $0 } }
    let edges = hours.flatMap { hour in [-1, 0, 1].map { hour * 3_600_000 + $0 } }
    let times = (spread + edges).filter { $0 >= 0 }
    // They come in no order: an app that was offline sends late.
    let order = times.indices.sorted { $0 * 7_919 % 1_009 < $1 * 7_919 % 1_009 }
    return order.map { line($0, at: times[$0]) }.joined()
  }()

  private static func line(_ number: Int, at time: Int) -> String {
    let kinds = ["unknownNovelValue", "dataCorrupted"]
    let values = ["villa", "castle", "tower"]
    let failures = (0...(number % 3)).map { index in
      let value = #""novelValue":"\#(values[(number + index) % 3])","novelValueType":"String""#
      let found = [
        "", #","foundType":"number","foundValue":"\#(number)""#, #","foundType":"null""#,
        #","foundType":"string","foundValue":"\#(values[(number + index) % 3])""#,
      ][(number * 31 + index) % 4]
      return #"{"path":"items[\#(index)].kind","kind":"\#(kinds[index % 2])",\#(value)\#(found)}"#
    }
    let counted =
      number % 5 == 0
      ? #",{"path":"items[].price","kind":"typeMismatch","count":\#(number % 7 + 1)}"# : ""
    return
      #"{"id":"d-\#(number + 1)","recordedAt":"\#(iso8601(time))","model":"App.M\#(number % 2)","#
      + #""errors":[\#(failures.joined(separator: ","))\#(counted)]}"# + "\n"
  }

  /// The time so many milliseconds after the beginning of 2026-11-18.
  private static func iso8601(_ milliseconds: Int) -> String {
    func padded(_ number: Int, to length: Int = 2) -> String {
      String(repeating: "0", count: length - "\(number)".count) + "\(number)"
    }
    let seconds = milliseconds / 1_000
    return "2026-11-\(18 + seconds / 86_400)T\(padded(seconds / 3_600 % 24)):"
      + "\(padded(seconds / 60 % 60)):\(padded(seconds % 60)).\(padded(milliseconds % 1_000, to: 3))Z"
  }

  @Test(arguments: [
    (nil, nil),
    ("2026-11-20T00:00:00.000Z", nil),
    (nil, "2026-11-20T00:00:00.000Z"),
    ("2026-11-19T00:00:00.000Z", "2026-11-20T00:00:00.000Z"),
    ("2026-11-18T00:00:00.001Z", "2026-11-21T23:59:59.999Z"),
    ("2026-11-18T23:00:00.000Z", "2026-11-19T01:00:00.000Z"),
    ("2026-11-18T23:00:00.001Z", "2026-11-19T01:00:00.001Z"),
    ("2026-11-18T22:59:59.999Z", "2026-11-19T00:59:59.999Z"),
    ("2026-11-18T23:59:59.999Z", "2026-11-19T00:00:00.001Z"),
    ("2026-11-19T00:00:00.000Z", "2026-11-19T00:00:00.001Z"),
    ("2026-11-19T12:00:00.000Z", "2026-11-19T13:00:00.000Z"),
    ("2026-11-19T12:00:00.001Z", "2026-11-19T12:59:59.999Z"),
    ("2026-11-19T12:10:00.000Z", "2026-11-19T12:50:00.000Z"),
    ("2026-11-19T11:30:00.000Z", "2026-11-19T12:30:00.000Z"),
    ("2026-11-18T13:37:11.421Z", "2026-11-22T03:04:05.678Z"),
    ("2026-11-18T13:37:11.421Z", "2026-11-19T03:04:05.678Z"),
    ("2026-11-20T10:00:00.000Z", "2026-11-20T10:00:00.000Z"),
    ("2026-11-21T00:00:00.000Z", "2026-11-19T00:00:00.000Z"),
    ("2026-11-20T12:30:00.000Z", "2026-11-20T12:10:00.000Z"),
    ("1970-01-01T00:00:00.000Z", "2026-11-18T00:00:00.001Z"),
    ("2026-11-22T00:00:00.001Z", "9999-12-31T23:59:59.999Z"),
    ("2199-01-01T00:00:00.000Z", nil),
    (nil, "2026-01-01T00:00:00.000Z"),
    (nil, "1969-07-20T20:17:40.000Z"),
    ("1969-07-20T20:17:40.000Z", nil),
  ])
  func `a window is exact`(since: String?, until: String?) throws {
    let sandbox = try Sandbox(importing: Self.ndjson)
    let recount = try Recount(Self.ndjson, since: since, until: until)
    let filter =
      (since.map { ["--since", $0] } ?? []) + (until.map { ["--until", $0] } ?? [])
    let isReversed = since.flatMap { since in until.map { since > $0 } } ?? false
    let isTooEarly =
      !isReversed && since != until && until.map { $0 <= "2026-11-18T00:00:00.000Z" } == true
    let note =
      (recount.lines.isEmpty ? "digest-query: nothing found that matches\n" : "")
      + (isReversed
        ? "digest-query: --until is before --since: there is no time between them\n" : "")
      + (since != nil && since == until
        ? "digest-query: --until equals --since: there is no time between them\n" : "")
      + (isTooEarly ? "digest-query: the window ends before the first error in the store\n" : "")
      + (since?.hasPrefix("2199") == true ? "digest-query: the window begins in the future\n" : "")
    #expect(
      try sandbox.run(["top-novel-values", "--format", "csv"] + filter)
        == Outcome(stdout: recount.novelValues, stderr: note)
    )
    #expect(
      try sandbox.run(["top-failures", "--format", "csv"] + filter)
        == Outcome(stdout: recount.failures, stderr: note)
    )
    #expect(
      try jsonStrings("id", in: sandbox.run(["export"] + filter).stdout)
        == jsonStrings("id", in: recount.export)
    )
  }

  @Test func `windows that follow each other add up`() throws {
    let sandbox = try Sandbox(importing: Self.ndjson)
    let ends = (0...24).map { Self.iso8601($0 * 5 * 3_600_000 + $0 * 12_345) }
    let counts = try zip(ends, ends.dropFirst()).map { since, until in
      try sandbox.run("export", "--format", "csv", "--since", since, "--until", until).lines.count
        - 1
    }
    let all = try sandbox.run("export", "--format", "csv", "--until", #require(ends.last))
    #expect(counts.reduce(0, +) == all.lines.count - 1)
  }
}
