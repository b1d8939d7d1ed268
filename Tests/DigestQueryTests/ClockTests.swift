import Foundation
import Testing

/// Digests of a device whose clock is wrong.
struct ClockTests {
  private static func time(_ seconds: TimeInterval) -> String {
    Date(timeIntervalSinceNow: seconds).formatted(
      Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  /// A store with an error of ten minutes ago, and one of another time.
  private func sandbox(_ other: String) throws -> Sandbox {
    try Sandbox(
      importing: [
        Digest(novelValue: "villa", recordedAt: Self.time(-600)),
        Digest(novelValue: "castle", recordedAt: other),
      ].ndjson)
  }

  private static let ahead = [
    time(7_200), time(86_400), "2099-01-01T00:00:00.000Z", "9999-12-31T00:00:00.000Z",
  ]
  private static let past = [time(-1), "1970-01-01T00:00:00.000Z", "2001-09-09T01:46:40.000Z"]

  @Test(
    arguments: [
      ["top-novel-values"], ["top-failures"], ["new"], ["models"], ["digests"],
      ["trend", "--by", "day"],
      ["export", "--format", "csv"], ["diff", "2h..1h", "1h.."],
    ], ahead)
  func `a window ends now, and a note says what that leaves out`(
    command: [String], time: String
  ) throws {
    let sandbox = try sandbox(time)
    let window = command[0] == "diff" ? [] : ["--since", "24h"]
    let format = command[0] == "export" ? [] : ["--format", "csv"]
    let outcome = try sandbox.run(command + window + format)
    #expect(outcome.lines.count <= 3)
    #expect(!outcome.stdout.contains("castle"))
    let side = command[0] == "diff" ? "1h..: " : ""
    let note =
      "digest-query: \(side)not counted: 1 occurrence recorded after now, by a clock that was ahead; "
    let counted = try #require(
      outcome.stderr.split(separator: "\n").first { $0.hasPrefix(note + "--until ") })
    guard command[0] != "diff" else { return }
    let until = counted.dropFirst(note.count).split(separator: " ")[1]
    let asked = try sandbox.run(command + window + ["--until", String(until)] + format)
    #expect(!asked.stderr.contains("a clock that was ahead"))
  }

  @Test(arguments: ahead)
  func `nothing that watches the store is misled`(time: String) throws {
    let sandbox = try sandbox(time)
    #expect(
      try sandbox.run("check", "--max-new-novel-values", "1", "--since", "24h") == Outcome())
    #expect(
      try sandbox.run("check", "--max-age-of-data", "5m").stdout
        .hasPrefix("exceeded: newest decode 1"))
    let metrics = try sandbox.run("metrics").lines.last { $0.hasPrefix("resilient_decoding_last") }
    let last = try #require(metrics?.split(separator: " ").last.flatMap { Double($0) })
    #expect(last <= Date().timeIntervalSince1970)
    #expect(last >= Date(timeIntervalSinceNow: -4_300).timeIntervalSince1970)
    let doctor = try sandbox.run("doctor", "--format", "csv")
    #expect(
      doctor.lines.contains {
        $0.hasPrefix("newest_error,\(time),note,\"the clock of a device was ahead")
          || $0.hasPrefix("newest_error,\(time),note,the clock of a device was ahead")
      })
    #expect(try sandbox.run("trend", "--by", "hour").lines.count <= 3)
    #expect(
      try sandbox.run("models").stderr
        == "digest-query: counted: 1 occurrence recorded after now, by a clock "
        + "that was ahead\n")
    let page = try sandbox.run("report")
    #expect(page.stdout.contains("castle"))
    #expect(page.stderr.contains("digest-query: counted: 1 occurrence recorded after now"))
    #expect(page.stdout.contains("Occurrences per minute"))
    #expect(10...12 ~= page.stdout.ranges(of: "class=\"period\"").count)
  }

  @Test(
    arguments: [
      ["trend", "--by", "day"], ["trend", "--by", "day", "--group", "value"],
      ["trend", "--by", "hour"],
    ], ["csv", "json", "table"])
  func `a trend skips what a clock dates before Swift, and a note counts it`(
    command: [String], format: String
  ) throws {
    let sandbox = try sandbox("1970-01-01T00:10:00.000Z")
    let outcome = try sandbox.run(command + ["--format", format])
    #expect(outcome.status == 0)
    #expect(!outcome.stdout.contains("1970"))
    #expect(outcome.lines.count <= 10)
    let notes = outcome.stderr.split(separator: "\n")
    #expect(notes.count == 1)
    #expect(notes.allSatisfy { $0.contains("the trend begins 20") })
    #expect(
      notes.allSatisfy {
        $0.contains(
          ", without 1 occurrence recorded before Swift existed, by a clock that wasn't set; "
            + "digest-query digests --until 2014-06-02 lists them")
      })

    let weeks = ["trend", "--by", "week", "--format", "csv", "--since", "1970-01-01"]
    let all = try sandbox.run(weeks)
    #expect(all.stdout.contains("1970-01-01") || all.stdout.contains("1969-12-29"))
    #expect(all.stderr == "")
  }

  @Test(arguments: ["csv", "json", "table"])
  func `a trend of more than 5,000 periods asks for its beginning`(format: String) throws {
    let sandbox = try sandbox("2016-11-20T10:00:00.000Z")
    let outcome = try sandbox.run("trend", "--by", "hour", "--format", format)
    #expect(outcome.status == 64)
    #expect(outcome.stdout == "")
    #expect(outcome.stderr.contains("a trend of all time has at most 5000 periods"))
    #expect(outcome.stderr.contains("--since"))
  }

  @Test(arguments: [
    ["check", "--max-rate", "4%", "--verbose"], ["models", "--format", "csv"],
    ["report"],
  ])
  func `decodes that are ahead are in no rate of a window`(command: [String]) throws {
    let errors = (1...5).map { _ in Digest(recordedAt: Self.time(-7_200)) }
    let decodes = [(-7_200.0, 95), (86_400, 10_000)].map { time, count in
      let hour = ((Date().timeIntervalSince1970 + time) / 3_600).rounded(.down) * 3_600
      let date = Date(timeIntervalSince1970: hour).formatted(.iso8601)
      return
        #"{"id":"\#(Drift.store)","hour":"\#(date)","model":"App.Listing","decodes":\#(count)}"#
        + "\n"
    }
    let sandbox = try Sandbox(importing: errors.ndjson + decodes.joined())
    let outcome = try sandbox.run(command + ["--since", "1d"])
    #expect(outcome.status == (command[0] == "check" ? 1 : 0))
    #expect(outcome.stdout.contains("5%") || outcome.stdout.contains(",0.05"))
    #expect(!outcome.stdout.contains("10100") && !outcome.stdout.contains("10,100"))
    #expect(
      outcome.stderr.contains("not counted: 10000 decodes after now, by a clock that was ahead"))
  }

  @Test(arguments: past)
  func `a time that has passed has no note`(time: String) throws {
    let sandbox = try sandbox(time)
    for command in ["top-novel-values", "models", "trend", "digests"] {
      #expect(try sandbox.run(command, "--since", "24h").stderr == "")
    }
    #expect(
      try sandbox.run("doctor", "--format", "csv").lines
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
    let hour = { (hours: Int) -> String in
      let start = (Date().timeIntervalSince1970 / 3_600).rounded(.down) - Double(hours)
      return Date(timeIntervalSince1970: start * 3_600).formatted(.iso8601)
    }
    let digests = try error.map { [Digest(recordedAt: Self.time(-Double($0)))] }?.ndjson ?? ""
    let decodes = cleanHour.map {
      #"{"id":"00000000000000001","hour":"\#(hour($0))","model":"App.Listing","decodes":5}"# + "\n"
    }
    let sandbox = try Sandbox(importing: digests + (decodes ?? ""))
    let outcome = try sandbox.run("check", "--max-age-of-data", limit)
    #expect(outcome.status == status)
    #expect(outcome.stdout.hasPrefix(status == 0 ? "" : "exceeded: "))
    #expect(outcome.stderr == "")
  }
}
