import Foundation
import Testing

struct TimeTests {
  /// Two digests, one at a moment and one a millisecond before it.
  private static func sandbox(around moment: String, before: String) throws -> Sandbox {
    try Sandbox(
      importing: [
        Digest("before", recordedAt: before), Digest("at", recordedAt: moment),
      ].ndjson
    )
  }

  @Test(arguments: [
    "2026-11-20T10:00:00Z", "2026-11-20T10:00:00.000Z", "2026-11-20T10:00:00+00:00",
    "2026-11-20T11:00:00+01:00", "2026-11-20T11:00:00.000+01:00", "2026-11-20T15:30:00+0530",
    "2026-11-20T02:00:00-08:00", "2026-11-19T22:00:00-12:00", "2026-11-20T10:00:00.0Z",
    "2026-11-20T10:00:00.000000Z",
  ])
  func `since includes its moment, until does not`(time: String) throws {
    let sandbox = try Self.sandbox(
      around: "2026-11-20T10:00:00.000Z",
      before: "2026-11-20T09:59:59.999Z"
    )
    #expect(try sandbox.selection(["--since", time]).digests == ["at"])
    #expect(try sandbox.selection(["--until", time]).digests == ["before"])
    #expect(try sandbox.selection(["--since", time, "--until", time]) == .nothing)
  }

  @Test(arguments: [
    "2026-11-20T10:00:00.123Z", "2026-11-20T11:00:00.123+01:00", "2026-11-20T10:00:00.1230Z",
    "2026-11-20T10:00:00.123000Z",
  ])
  func `times are exact to the millisecond`(time: String) throws {
    let sandbox = try Self.sandbox(
      around: "2026-11-20T10:00:00.123Z",
      before: "2026-11-20T10:00:00.122Z"
    )
    let novelValues = [["--since", time], ["--until", time]].map {
      try? sandbox.run(["top-novel-values", "--format", "csv"] + $0).lines.last
    }
    #expect(
      novelValues == [
        "App.Listing,kind,villa,String,1,1,2026-11-20T10:00:00.122Z,2026-11-20T10:00:00.123Z,",
        "App.Listing,kind,villa,String,1,1,2026-11-20T10:00:00.122Z,2026-11-20T10:00:00.123Z,",
      ]
    )
  }

  @Test func `a date is its first moment in UTC`() throws {
    let sandbox = try Self.sandbox(
      around: "2026-11-20T00:00:00.000Z",
      before: "2026-11-19T23:59:59.999Z"
    )
    #expect(try sandbox.selection(["--since", "2026-11-20"]).digests == ["at"])
    #expect(try sandbox.selection(["--until", "2026-11-20"]).digests == ["before"])
  }

  @Test(arguments: ["2024-02-29", "2024-02-29T00:00:00Z"])
  func `a leap day is a day`(time: String) throws {
    let sandbox = try Self.sandbox(
      around: "2024-02-29T00:00:00.000Z",
      before: "2024-02-28T23:59:59.999Z"
    )
    #expect(try sandbox.selection(["--since", time]).digests == ["at"])
  }

  @Test(arguments: [
    ("90s", ["60 s", "0 s"]), ("30m", ["29 min", "60 s", "0 s"]),
    ("31h", ["30 h", "31 min", "29 min", "60 s", "0 s"]),
    ("24h", ["31 min", "29 min", "60 s", "0 s"]),
    ("7d", ["6 d", "30 h", "31 min", "29 min", "60 s", "0 s"]),
    ("2w", ["8 d", "6 d", "30 h", "31 min", "29 min", "60 s", "0 s"]), ("0s", []),
    ("1mo", ["29 d", "8 d", "6 d", "30 h", "31 min", "29 min", "60 s", "0 s"]),
    ("1y", ["364 d", "31 d", "29 d", "8 d", "6 d", "30 h", "31 min", "29 min", "60 s", "0 s"]),
  ])
  func `a relative time is so long ago`(time: String, digests: [String]) throws {
    let ages: [(String, Double)] = [
      ("366 d", 366 * 86_400), ("364 d", 364 * 86_400), ("31 d", 31 * 86_400),
      ("29 d", 29 * 86_400),
      ("8 d", 8 * 86_400), ("6 d", 6 * 86_400), ("30 h", 30 * 3_600), ("31 min", 31 * 60),
      ("29 min", 29 * 60), ("60 s", 60), ("0 s", 0),
    ]
    let now = Date()
    let sandbox = try Sandbox(
      importing: ages.map { name, age in
        Digest(name, recordedAt: now.addingTimeInterval(-age).ISO8601Format())
      }.ndjson
    )
    // The youngest is at the beginning of the second that it was made in.
    let all = ages.map(\.0)
    #expect(try sandbox.selection(["--since", time]).digests == digests)
    #expect(
      try sandbox.selection(["--until", time]).digests == all.filter { !digests.contains($0) }
    )
  }

  @Test func `equal relative times are the same moment`() throws {
    let now = Date().addingTimeInterval(-3_600)
    let sandbox = try Sandbox(
      importing: (-50..<50).map {
        let date = now.addingTimeInterval(Double($0) / 10)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return Digest(recordedAt: date.formatted(style))
      }.ndjson
    )
    #expect(try sandbox.selection(["--since", "1h", "--until", "1h"]) == .nothing)
  }

  @Test(
    arguments: ["--since", "--until"],
    [
      " ", "yesterday", "m", "h", "5", "-5", "1.5h", "-5m", "5 m", "5M", "5Y", "5 mo", "mo",
      "5months", "24hours",
      "99999999999999999999h", "2026", "2026-11", "2026-11-20x", "2026-11-2xx", "2026-13-01",
      "2026-00-10", "2026-11-31", "2026-02-30", "2025-02-29", "2026-11-20T10:00:00",
      "2026-11-20T10:00:00Zjunk", "2026-11-20T10:00:00.123Z and more", "2026-11-20T10:00:00+01:00x",
      "2026-11-20T25:00:00Z", "2026-11-20T10:60:00Z", "2026-11-20T10:00:61Z",
      "2026-02-30T10:00:00Z",
      "x2026-11-20T10:00:00Z", "2026-11-20T10:00:00.Z", "2026-11-20T", "20261120",
    ])
  func `a text that isn't a time is refused`(option: String, time: String) throws {
    #expect(
      try Sandbox().run("top-novel-values", "\(option)=\(time)")
        == .failure(
          64,
          "The value '\(time)' is invalid for '\(option) <time>': write 30m, 24h, 7d, 2w, "
            + "2026-11-20 or 2026-11-20T10:00:00Z; see digest-query top-novel-values --help"
        )
    )
  }
}
