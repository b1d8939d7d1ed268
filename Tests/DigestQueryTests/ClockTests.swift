import Foundation
import Testing

/// Digests of a device whose clock is wrong.
struct ClockTests {
  /// A store with an error of ten minutes ago, and one of another time.
  private func sandbox(_ other: String) throws -> Sandbox {
    try Sandbox(
      importing: [
        Digest(recordedAt: Digest.time(ago: 600)), Digest(novelValue: "castle", recordedAt: other),
      ])
  }

  private static let ahead = [
    Digest.time(ago: -7_200), "2099-01-01T00:00:00.000Z", "9999-12-31T00:00:00.000Z",
  ]

  @Test(
    arguments: [
      "top-novel-values --format csv --since 24h", "top-failures --format csv --since 24h",
      "new --format csv --since 24h", "models --format csv --since 24h",
      "digests --format csv --since 24h", "trend --by day --format csv --since 24h",
      "export --format csv --since 24h", "diff 2h..1h 1h.. --format csv",
    ], ahead)
  func `a window ends now, and a note says what that leaves out`(
    command: String, time: String
  ) throws {
    let sandbox = try sandbox(time)
    let outcome = try sandbox.run(command)
    #expect(outcome.lines.count <= 3)
    #expect(!outcome.stdout.contains("castle"))
    let isDiff = command.hasPrefix("diff")
    let note =
      (isDiff ? "1h..: " : "")
      + "not counted: 1 occurrence recorded after now, by a clock that was ahead; --until "
    let counted = try #require(outcome.notes.first { $0.hasPrefix(note) })
    guard !isDiff else { return }
    let until = counted.dropFirst(note.count).prefix { $0 != " " }
    let asked = try sandbox.run("\(command) --until \(until)")
    #expect(!asked.stderr.contains("a clock that was ahead"))
  }

  @Test(arguments: ahead)
  func `no check, metric or page is misled`(time: String) throws {
    let sandbox = try sandbox(time)
    #expect(try sandbox.run("check --max-new 1 --since 24h") == Outcome())
    #expect(
      try sandbox.run("check --max-age-of-data 5m").stdout.hasPrefix("exceeded: newest decode 1"))
    let metrics = try sandbox.run("metrics").lines.last { $0.hasPrefix("resilient_decoding_last") }
    let last = try #require(metrics?.split(separator: " ").last.flatMap { Double($0) })
    #expect(
      Date(timeIntervalSinceNow: -4_300).timeIntervalSince1970...Date().timeIntervalSince1970
        ~= last)
    let doctor = try sandbox.run("doctor --format tsv")
    #expect(
      doctor.lines.contains {
        $0.hasPrefix("newest_error\t\(time)\tnote\tthe clock of a device was ahead")
      })
    #expect(try sandbox.run("trend --by hour").lines.count <= 3)
    let note = "counted: 1 occurrence recorded after now, by a clock that was ahead"
    #expect(try sandbox.run("models").notes == [note])
    let page = try sandbox.run("report")
    #expect(page.stdout.contains("castle"))
    #expect(page.notes.contains { $0.hasPrefix("counted: 1 occurrence recorded after now") })
    #expect(page.stdout.contains("Occurrences per minute"))
    #expect(10...12 ~= page.stdout.ranges(of: "class=\"period\"").count)
  }

  @Test(arguments: ["day", "day --group value", "hour"], ["csv", "json", "table"])
  func `a trend skips what a clock dates before Swift, and a note counts it`(
    unit: String, format: String
  ) throws {
    let sandbox = try sandbox("1970-01-01T00:10:00.000Z")
    let outcome = try sandbox.run("trend --by \(unit) --format \(format)")
    #expect(outcome.status == 0)
    #expect(!outcome.stdout.contains("1970"))
    #expect(outcome.lines.count <= 10)
    #expect(outcome.stderr.split(separator: "\n").count == 1)
    #expect(outcome.stderr.contains("the trend begins 20"))
    #expect(
      outcome.stderr.contains(
        ", without 1 occurrence recorded before Swift existed, by a clock that wasn't set; "
          + "digest-query digests --until 2014-06-02 lists them"))
    let all = try sandbox.run("trend --by week --format csv --since 1970-01-01")
    #expect(all.lines[1].hasPrefix("1970-01-01"))
    #expect(all.stderr == "")
  }

  @Test(arguments: ["check --max-rate 4% --verbose", "models --format csv", "report"])
  func `decodes that are ahead are in no rate of a window`(command: String) throws {
    let errors = (1...5).map { _ in Digest(recordedAt: Digest.time(ago: 7_200)) }
    let decodes = [(2, 95), (-24, 10_000)].map { Digest.decodes($1, at: Self.hour(ago: $0)) }
    let sandbox = try Sandbox(importing: errors.ndjson + decodes.joined())
    let outcome = try sandbox.run("\(command) --since 1d")
    #expect(outcome.status == (command.hasPrefix("check") ? 1 : 0))
    #expect(outcome.stdout.contains("5%") || outcome.stdout.contains(",0.05"))
    #expect(!outcome.stdout.contains("10100") && !outcome.stdout.contains("10,100"))
    #expect(
      outcome.stderr.contains("not counted: 10000 decodes after now, by a clock that was ahead"))
  }

  /// The beginning of an hour so many hours ago.
  private static func hour(ago hours: Int) -> String {
    let hour = (Date().timeIntervalSince1970 / 3_600).rounded(.down) - Double(hours)
    return Date(timeIntervalSince1970: hour * 3_600).formatted(.iso8601)
  }

  @Test(arguments: [Digest.time(ago: 1), "1970-01-01T00:00:00.000Z"])
  func `a time that has passed has no note`(time: String) throws {
    let sandbox = try sandbox(time)
    for command in ["top-novel-values", "models", "trend", "digests"] {
      #expect(try sandbox.run("\(command) --since 24h").stderr == "")
    }
    #expect(
      try sandbox.run("doctor --format csv").lines
        .contains { $0.hasPrefix("newest_error,") && $0.hasSuffix(",ok,") })
  }

  @Test(arguments: [
    // The age of the newest error, the hour of a decode without errors before now, the limit.
    (7_300, nil, "3h", 0), (7_300, nil, "2h", 1), (7_300, 0, "2h", 0), (90_000, nil, "1d", 1),
    (90_000, 30, "1d", 1), (90_000, 1, "2h", 0), (nil, 0, "10m", 0), (nil, 3, "2h", 1),
    (nil, nil, "52w", 1),
  ])
  func `a recorder that has stopped exceeds the age of data`(
    error: Int?, cleanHour: Int?, limit: String, status: Int32
  ) throws {
    let digest = error.map { Digest(recordedAt: Digest.time(ago: Double($0))).line }
    let decodes = cleanHour.map { Digest.decodes(5, at: Self.hour(ago: $0)) }
    let outcome = try Sandbox(importing: (digest ?? "") + (decodes ?? ""))
      .run("check --max-age-of-data \(limit)")
    #expect(outcome.status == status)
    #expect(outcome.stdout.hasPrefix(status == 0 ? "" : "exceeded: "))
    #expect(outcome.stderr == "")
  }
}
