import Foundation
import Testing

/// A store on a terminal, live.
@Suite(.needs("script"))
struct WatchTests {
  private static let dumb = ["TERM": "dumb", "LANG": "C.UTF-8"]
  private static let plain = ["TERM": "xterm", "NO_COLOR": "1", "LANG": "C.UTF-8"]

  /// The terminal shows its own contents again, with the cursor.
  private static let restored = "\u{1B}[?25h\u{1B}[?1049l"

  @Test func `the whole store is on one screen`() throws {
    let terminal = try LiveTerminal(
      Sandbox(importing: Drift.ndjson), columns: 130, rows: 30, environment: Self.plain)
    #expect(try terminal.lastFrame(with: "Failures") == Self.screen)
  }

  @Test func `an open failure is shown, however many are ignored, once the file says so`() throws {
    let failures =
      (0..<120).map { Digest.Failure.novel("known\($0)", count: 9) }
      + (0..<120).map { Digest.Failure.novel("villa\($0)", count: 2) }
    let sandbox = try Sandbox(importing: [Digest(failures: failures + [.novel("known")])])
    let terminal = try LiveTerminal(sandbox)
    let before = try terminal.frame(with: "known1")
    try sandbox.write(#"{"value": "known*", "state": "ignored"}"#, to: "digest-triage.ndjson")
    // Each key has it look again.
    try terminal.press("x")
    _ = try terminal.frame(
      with: "121 ignored failures hidden by digest-triage.ndjson; --no-triage shows all")
    let after = try terminal.lastFrame(with: "villa")
    #expect(!before.contains { $0.contains("villa") })
    #expect(!after.contains { $0.contains("known1") })
    #expect(before.contains { $0.contains("Failures: 241") })
    #expect(after.contains { $0.contains("Failures: 120") })
    #expect(after.contains { $0.contains("Novel values: 120") })
  }

  private static let screen = """
    digests.sqlite
    10 occurrences in 5 digests of 2 models, the last at 2026-11-22 23:59:59Z
    ██▂▂▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▅▅▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▂▂
    per hour, 2026-11-20 10:00 to 2026-11-22 23:00; most: 5 (2026-11-20 10:00)

    Novel values: 4
    model        coding_path   novel_value  occurrences  last_seen             trend
    App.Home     items[].kind  tower                  2  2026-11-21 00:00:00Z  ▁▁▁█▁▁▁▁▁▁▁▁▁▁▁▁
    App.Listing  items[].kind  castle                 2  2026-11-22 23:59:59Z  █▁▁▁▁▁▁▁▁▁▁▁▁▁▁█
    App.Listing  items[].kind  villa                  2  2026-11-20 10:00:00Z  █▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
    App.Listing  attrs.*       7                      1  2026-11-20 11:00:00Z  █▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁

    Failures: 7
    model        coding_path   kind               novel_value  occurrences  last_seen             trend
    App.Home     items[].kind  unknownNovelValue  tower                  2  2026-11-21 00:00:00Z  ▁▁▁█▁▁▁▁▁▁▁▁▁▁▁▁
    App.Listing  items[].kind  unknownNovelValue  castle                 2  2026-11-22 23:59:59Z  █▁▁▁▁▁▁▁▁▁▁▁▁▁▁█
    App.Listing  items[].kind  unknownNovelValue  villa                  2  2026-11-20 10:00:00Z  █▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
    App.Home     owner.name    keyNotFound        -                      1  2026-11-21 00:00:00Z  ▁▁▁█▁▁▁▁▁▁▁▁▁▁▁▁
    App.Listing  attrs.*       unknownNovelValue  7                      1  2026-11-20 11:00:00Z  █▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
    App.Listing  items[].kind  dataCorrupted      -                      1  2026-11-20 10:00:00Z  █▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
    App.Listing  price         typeMismatch       -                      1  2026-11-20 10:59:59Z  █▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
    q quits
    """.components(separatedBy: "\n")

  @Test func `new digests appear, and nothing is drawn without a change`() throws {
    let sandbox = try Sandbox(importing: [Digest()])
    let terminal = try LiveTerminal(sandbox)
    _ = try terminal.frame(with: "villa")
    // Each key has it look again.
    try terminal.press("x")
    try sandbox.load(Digest(novelValue: "castle").line)
    let frame = try terminal.lastFrame(with: "castle")
    #expect(frame.contains { $0.hasPrefix("2 occurrences in 2 digests of 1 model") })
    #expect(terminal.frames.count == 2)
  }

  @Test(arguments: ["q", "Q", "\u{3}", "\u{4}"])
  func `a key ends it well, and the terminal is as it was`(key: String) throws {
    let terminal = try LiveTerminal(Sandbox(importing: Drift.ndjson))
    _ = try terminal.frame(with: "villa")
    try terminal.press("x\(key)")
    #expect(terminal.end() == 0)
    #expect(terminal.written.hasSuffix(Self.restored))
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func `a signal ends it as it ends any program, and the terminal is as it was`(signal: Int32)
    throws
  {
    let terminal = try LiveTerminal(Sandbox(importing: Drift.ndjson))
    _ = try terminal.frame(with: "villa")
    try terminal.send(signal)
    #expect(terminal.end() == 128 + signal)
    #expect(terminal.written.contains(Self.restored))
  }

  @Test func `a store that has gone is waited for`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let terminal = try LiveTerminal(sandbox)
    _ = try terminal.frame(with: "villa")
    try FileManager.default.moveItem(at: sandbox.url(Sandbox.store), to: sandbox.url("away"))
    let frame = try terminal.frame(with: "retrying every second")
    #expect(frame.first == "\u{1B}[1mdigests.sqlite\u{1B}[0m")
    try sandbox.load(Digest(novelValue: "houseboat").line)
    _ = try terminal.lastFrame(with: "houseboat")
  }

  @Test(arguments: [(80, 24), (40, 12), (200, 50), (20, 5), (1, 1)])
  func `nothing is wider or higher than the terminal`(columns: Int, rows: Int) throws {
    let long = String(repeating: "x", count: 50)
    let sandbox = try Sandbox(
      importing: (0..<60).map { Digest(novelValue: "日本語-\($0)-\(long)") })
    let frame = try LiveTerminal(
      sandbox, "watch --since 2026-11-01", columns: columns, rows: rows, environment: Self.plain
    ).lastFrame()
    #expect(1...rows ~= frame.count)
    // A wide character counts twice; none of the narrow ones here is more than a scalar.
    let widths = frame.map {
      $0.unicodeScalars.reduce(0) { $0 + (0x3000...0x9FFF ~= $1.value ? 2 : 1) }
    }
    #expect(widths.allSatisfy { $0 <= columns }, "\(frame)")
  }

  @Test func `filters count, and a name that the store has never met is said`() throws {
    let terminal = try LiveTerminal(
      Sandbox(importing: Drift.ndjson), "watch --store digests.sqlite --model App.Listin",
      environment: Self.plain)
    #expect(
      try terminal.lastFrame(with: "q quits") == [
        "digests.sqlite --model App.Listin", "nothing found that matches", "", "Novel values: 0",
        "model  coding_path  novel_value  occurrences  last_seen  trend", "", "Failures: 0",
        "model  coding_path  kind  novel_value  occurrences  last_seen  trend", "",
        "the store has no model App.Listin; did you mean App.Listing?", "q quits",
      ])
  }

  /// With a note below, and without.
  @Test(arguments: [["--release", Hostile.steering], []])
  func `a value does not control the terminal`(options: [String]) throws {
    let sandbox = try Sandbox(
      importing: [Digest(novelValue: Hostile.steering, model: "\u{1B}]0;m\u{7}")])
    let frame = try LiveTerminal(
      sandbox, "watch", options, columns: 200, environment: Self.plain
    ).lastFrame(with: "31m").joined()
    #expect(Hostile.steering(in: frame) == [], "\(frame)")
  }

  @Test func `a window of any length is shown`() throws {
    let frame = try LiveTerminal(
      Sandbox(importing: Drift.ndjson), "watch --since 9223372036854775807w",
      environment: Self.plain
    ).lastFrame(with: "Failures")
    #expect(frame.contains { $0.hasPrefix("10 occurrences in 5 digests of 2 models") })
  }

  @Test func `without a terminal that can be steered it says what to take instead`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let refusal = Outcome.failure(
      64,
      "watch needs a terminal with cursor control; use report or top-novel-values for a pipe, a file "
        + "or a dumb terminal")
    #expect(try sandbox.run("watch") == refusal)
    #expect(
      try sandbox.runOnTerminal("watch", environment: Self.dumb).stdout == refusal.stderr)
  }

  @Test func `without a store it does not touch the terminal`() throws {
    let outcome = try Sandbox().runOnTerminal("watch", environment: Self.plain)
    #expect(outcome == Outcome(status: 66, stdout: Outcome.noStore().stderr))
  }
}
