import Foundation
import Testing

struct TimeTests {
  /// The novel values that a window has, in alphabetical order.
  private func values(_ sandbox: Sandbox, _ window: String) throws -> [String] {
    try sandbox.run("top-novel-values --format csv --columns novel_value \(window)").lines
      .dropFirst().sorted()
  }

  private static let (hour, day) = ("2026-11-20T10:00:00.000Z", "2026-11-20T00:00:00.000Z")
  private static let millisecond = "2026-11-20T10:00:00.123Z"
  private static let leapDay = "2024-02-29T00:00:00.000Z"

  /// How a moment can be written.
  private static let times = [
    hour: [
      "2026-11-20T10:00:00Z", "2026-11-20T10:00:00.000Z", "2026-11-20T10:00:00+00:00",
      "2026-11-20T11:00:00+01:00", "2026-11-20T11:00:00.000+01:00", "2026-11-20T15:30:00+0530",
      "2026-11-20T02:00:00-08:00", "2026-11-19T22:00:00-12:00", "2026-11-20T10:00:00.0Z",
      "2026-11-20T10:00:00.000000Z",
    ],
    millisecond: [
      "2026-11-20T10:00:00.123Z", "2026-11-20T11:00:00.123+01:00", "2026-11-20T10:00:00.1230Z",
      "2026-11-20T10:00:00.123000Z",
    ],
    day: ["2026-11-20"], leapDay: ["2024-02-29", "2024-02-29T00:00:00Z"],
  ]

  @Test(arguments: times.keys.sorted())
  func `since includes its moment to the millisecond, until does not`(moment: String) throws {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let before = try style.parse(moment).addingTimeInterval(-0.001).formatted(style)
    let sandbox = try Sandbox(
      importing: [
        Digest(novelValue: "before", recordedAt: before),
        Digest(novelValue: "at", recordedAt: moment),
      ])
    for time in try #require(Self.times[moment]) {
      #expect(try values(sandbox, "--since \(time)") == ["at"])
      #expect(try values(sandbox, "--until \(time)") == ["before"])
      #expect(try values(sandbox, "--since \(time) --until \(time)") == [])
    }
  }

  @Test(arguments: [
    ("90s", 2), ("30m", 3), ("24h", 4), ("31h", 5), ("7d", 6), ("2w", 7), ("0s", 0), ("1mo", 8),
    ("1y", 10),
  ])
  func `a relative time is so long ago`(time: String, count: Int) throws {
    let day = 86_400.0
    let ages: [Double] = [
      0, 60, 29 * 60, 31 * 60, 30 * 3_600, 6 * day, 8 * day, 29 * day, 31 * day, 364 * day,
      366 * day,
    ]
    let sandbox = try Sandbox(
      importing: ages.enumerated().map {
        Digest(novelValue: "\($0 + 10)", recordedAt: Digest.time(ago: $1))
      })
    let all = (10..<21).map { "\($0)" }
    #expect(try values(sandbox, "--since \(time)") == Array(all.prefix(count)))
    #expect(try values(sandbox, "--until \(time)") == Array(all.dropFirst(count)))
  }

  @Test func `equal relative times are the same moment`() throws {
    let sandbox = try Sandbox(
      importing: (-50..<50).map { Digest(recordedAt: Digest.time(ago: 3_600 + Double($0) / 10)) })
    #expect(try values(sandbox, "--since 1h --until 1h") == [])
  }

  @Test(arguments: [
    ("24H", "write 24h"), ("2W", "write 2w"), ("Yesterday", "write yesterday"),
    ("2026-11-20T10:00:00", "add Z for UTC: 2026-11-20T10:00:00Z"),
    ("2026-11-31", "2026-11 has 30 days"), ("2025-02-29", "2025-02 has 28 days"),
    ("2024-02-30T10:00:00Z", "2024-02 has 29 days"), ("2026-01-32", "2026-01 has 31 days"),
  ])
  func `a text that is almost a time is refused with what is wrong`(
    time: String, remedy: String
  ) throws {
    #expect(
      try Sandbox().run(["models", "--since", time])
        == .usage("models", "The value '\(time)' is invalid for '--since <time>': \(remedy)"))
  }

  @Test(arguments: [("today", 0.0), ("yesterday", 1)])
  func `a day begins at midnight in UTC`(name: String, daysAgo: Double) throws {
    let today = (Date().timeIntervalSince1970 / 86_400).rounded(.down)
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let begin = Date(timeIntervalSince1970: (today - daysAgo) * 86_400)
    let sandbox = try Sandbox(
      importing: [("before", -0.001), ("at", 0)].map {
        Digest(novelValue: $0, recordedAt: (begin + $1).formatted(style))
      })
    #expect(try values(sandbox, "--since \(name)") == ["at"])
    #expect(try values(sandbox, "--until \(name)") == ["before"])
  }

  @Test(
    arguments: ["--since", "--until"],
    [
      " ", "m", "5", "-5", "1.5h", "-5m", "5 m", "5M", "5 mo", "mo", "5months",
      "99999999999999999999h", "2026", "2026-11", "2026-11-20x", "2026-11-2xx", "2026-13-01",
      "2026-00-10",
      "2026-11-20T10:00:00Zjunk", "2026-11-20T10:00:00.123Z and more", "2026-11-20T10:00:00+01:00x",
      "2026-11-20T25:00:00Z", "2026-11-20T10:60:00Z", "2026-11-20T10:00:61Z",
      "x2026-11-20T10:00:00Z", "2026-11-20T10:00:00.Z", "2026-11-20T",
      "20261120",
    ])
  func `a text that isn't a time is refused`(option: String, time: String) throws {
    #expect(
      try Sandbox().run(["models", "\(option)=\(time)"])
        == .usage(
          "models",
          "The value '\(time)' is invalid for '\(option) <time>': write 30m, 24h, 7d, 2w, yesterday, "
            + "2026-11-20 or 2026-11-20T10:00:00Z"))
  }
}
