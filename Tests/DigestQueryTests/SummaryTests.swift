import Foundation
import Testing

/// `summary`, tried with the faults of ``Story``.
struct SummaryTests {
  private static let window = "--since 2026-11-28 --until 2026-11-29"

  private func story() throws -> Sandbox {
    let sandbox = try Sandbox(importing: Story.ndjson)
    try sandbox.write(Story.triage + "\n", to: "digest-triage.ndjson")
    return sandbox
  }

  @Test func `the last day of two weeks in a sentence and a table`() throws {
    #expect(
      try story().run("summary \(Self.window)").stdout == """
        3 new, 1 growing, 1 vanished key, 2 over from 2026-11-28 00:00 to 2026-11-29 00:00; 22.9% of 960 decodes affected (11.3% the day before).

        course    rate         where           coding_path          found            since  id
        NEW
        ______##  12.5% (25%)  GET /feed       items[].price        string 12.50     4.3.0  b72eb45d
        ____####  10%          GET /orders     orders[].status      refunding        4.2.0  ea6ddbe1
        _______#  2.08%, over  GET /orders     (document)           html             4.3.0  h2feee5b
        GROWING
        ::::####  5% to 15%    GET /search +1  items[].amenities[]  ev_charger       4.2.0  q7f7ab6d
        VANISHED
        ____####  100%         GET /me         address.zip          now postal_code  4.3.0  bb69560d
        ONGOING
        ########  5% to 5%     GET /feed       items[].amenities[]  sauna            4.2.0  sc624217
        ########  10% to 10%   GET /me         badge                gold             4.3.0  j89be75c
        OVER
        ##______  5% to 0%     GET /orders     orders[].total       (null)           4.2.0  e2c65d93

        not listed: 240 unknown keys (--kind unknownKey)
        not listed: 1 ignored failure (24 occurrences) of digest-triage.ndjson (--all)
        Next: digest-query show b72eb45d

        """)
  }

  /// What a failure of the story is, and its counts, made from the lines themselves.
  @Test func `sections and numbers equal a recount`() throws {
    let sections = [
      "items[].price": "new", "refunding": "new", "": "new", "ev_charger": "growing",
      "address.zip": "vanished", "sauna": "ongoing", "gold": "ongoing", "orders[].total": "over",
    ]
    let json = try story().run("summary \(Self.window) --format json").stdout
    let rows = try JSONDecoder.ofRows.decode([Row].self, from: Data(json.utf8))
    #expect(rows.count == sections.count)
    let (now, before) = (try Recount(day: 28), try Recount(day: 27))
    for row in rows {
      let name = row.novelValue ?? row.codingPath
      #expect(sections[name] == row.section, "\(name)")
      // The bodies of HTML came in one hour.
      #expect(row.isOver == (row.section == "over" || name.isEmpty), "\(name)")
      let (model, count) = (row.model, now.digests[name] ?? 0)
      #expect(row.occurrences == count && row.digests == count, "\(name)")
      #expect(row.occurrencesBefore == before.digests[name] ?? 0, "\(name)")
      #expect(abs(row.rate - now.share(of: name, model)) < 1e-6, "\(name)")
      #expect(abs(row.rateBefore - before.share(of: name, model)) < 1e-6, "\(name)")
    }
    #expect(rows.compactMap(\.renamedTo) == ["address.postal_code"])
  }

  private struct Row: Decodable {
    let model, codingPath, section: String
    let novelValue, renamedTo: String?
    let occurrences, digests, occurrencesBefore: Int
    let rate, rateBefore: Double
    let isOver: Bool
  }

  /// The digests of a day with each failure, and the decodes of each model.
  private struct Recount {
    var digests: [String: Int] = [:]
    var decodes: [String: Int] = [:]

    init(day: Int) throws {
      for line in Story.ndjson.split(separator: "\n") {
        let line = try JSONDecoder().decode(Line.self, from: Data(line.utf8))
        guard (line.recordedAt ?? line.hour)?.hasPrefix("2026-11-\(day)") == true else { continue }
        decodes[line.model, default: 0] += line.decodes ?? 1
        let names = (line.errors ?? []).map { error in
          error.novelValue ?? error.path.replacing(/\[[0-9]+\]/, with: "[]")
        }
        for name in Set(names) { digests[name, default: 0] += 1 }
      }
    }

    func share(of name: String, _ model: String) -> Double {
      Double(digests[name] ?? 0) / Double(decodes[model] ?? 0)
    }

    private struct Line: Decodable {
      let model: String
      let recordedAt, hour: String?
      let decodes: Int?
      let errors: [Entry]?
    }
    private struct Entry: Decodable {
      let path: String
      let novelValue: String?
    }
  }

  @Test func `a resolved failure that occurs again has regressed`() throws {
    let sandbox = try Sandbox(importing: Story.ndjson)
    try sandbox.write(
      #"{"value": "sauna", "state": "resolved", "reason": "added", "at": "2026-11-20T00:00:00Z"}"#
        + "\n", to: "digest-triage.ndjson")
    let outcome = try sandbox.run(
      "summary \(Self.window) --format csv --columns section,novel_value")
    #expect(outcome.lines.contains("regressed,sauna"))
    #expect(
      try sandbox.run("summary \(Self.window)").stdout.hasPrefix("3 new, 1 regressed, 1 growing, "))
  }

  /// The first sentence of other stores.
  @Test(arguments: [
    // No decodes were counted.
    (
      Drift.ndjson, "--since 2026-11-21 --until 2026-11-23",
      "2 new from 2026-11-21 00:00 to 2026-11-23 00:00; there are no rates, because decodes were not counted. "
        + "The first record is from 2026-11-20 10:00, so the window before is incomplete."
    ),
    // The first day of a store.
    (
      Digest("d-1").line + Digest.decodes(3), "--since 2026-11-20 --until 2026-11-21",
      "1 new from 2026-11-20 00:00 to 2026-11-21 00:00; 25% of 4 decodes affected. Nothing is older "
        + "than this window, so all failures are new."
    ),
    // One release.
    (
      Story.ndjson, "\(window) --release 4.2.0",
      "2 new, 1 vanished key, 1 over from 2026-11-28 00:00 to 2026-11-29 00:00; 20.2% of 480 "
        + "decodes affected (17.5% the day before)."
    ),
    // Decodes without errors.
    (
      Digest.decodes(1_500), "--since 2026-11-20 --until 2026-11-21",
      "No errors in 1,500 decodes from 2026-11-20 00:00 to 2026-11-21 00:00."
    ),
    // A window after everything.
    (
      Story.ndjson, "--since 2026-12-05 --until 2026-12-06",
      "Nothing was decoded from 2026-12-05 00:00 to 2026-12-06 00:00; the last decode was at 2026-11-29 00:00."
    ),
    (
      "", "--since 2026-12-05 --until 2026-12-06",
      "Nothing was ever decoded: is this the right store?"
    ),
    // Only noise.
    (
      Story.ndjson, "--since 2026-11-20 --until 2026-11-21",
      "Nothing new or growing from 2026-11-20 00:00 to 2026-11-21 00:00; 10% of 960 decodes affected "
        + "(10% the day before)."
    ),
    (
      Story.ndjson, "--since 2026-11-22 --until 2026-11-29 --value gold",
      "1 new from 2026-11-22 00:00 to 2026-11-29 00:00; 1.43% of 6,720 decodes affected (0% the week "
        + "before)."
    ),
    // Windows of other lengths.
    (
      Story.ndjson, "--since 2026-11-28T06:00:00Z --until 2026-11-29T07:00:00Z --value gold",
      "Nothing new or growing from 2026-11-28 06:00 to 2026-11-29 07:00; 2.5% of 720 decodes "
        + "affected (2.5% in the 25 hours before)."
    ),
    // Ten minutes without errors, in an hour that has some.
    (
      Digest("d-1").line + Digest.decodes(3),
      "--since 2026-11-20T10:30:00Z --until 2026-11-20T10:40:00Z",
      "No errors from 2026-11-20 10:30 to 2026-11-20 10:40."
    ),
    // A release without decodes, and a window before everything.
    (
      Story.ndjson, "\(window) --release 9.9",
      "Nothing that matches was decoded from 2026-11-28 00:00 to 2026-11-29 00:00."
    ),
    (
      Story.ndjson, "--since 2026-10-01 --until 2026-10-02",
      "Nothing was decoded from 2026-10-01 00:00 to 2026-10-02 00:00."
    ),
  ])
  func `the sentence says what there is`(store: String, arguments: String, sentence: String) throws
  {
    let outcome = try Sandbox(importing: store).run("summary \(arguments)")
    #expect(outcome.lines.first == sentence)
    #expect(outcome.lines.last?.hasPrefix("Next: digest-query ") == true)
  }

  @Test func `a limit is of each section, and a table says what it leaves out`() throws {
    let outcome = try story().run("summary \(Self.window) --limit 1")
    #expect(outcome.lines.contains("Not shown: 2 new, 1 ongoing (--limit shows more)"))
    #expect(outcome.stdout.contains("b72eb45d") && !outcome.stdout.contains("ea6ddbe1"))
    let rows = try story().run("summary \(Self.window) --limit 1 --format csv --columns section")
    #expect(rows.lines == ["section", "new", "growing", "vanished", "ongoing", "over"])
  }

  @Test func `with all failures each has its state`() throws {
    let outcome = try story().run("summary \(Self.window) --all")
    let states = outcome.lines.filter { $0.hasSuffix("  open") || $0.hasSuffix("  ignored") }
    #expect(states.count == 9 && states.count { $0.hasSuffix("  ignored") } == 1)
    #expect(!outcome.stdout.contains("not listed: 1 ignored"))
  }

  @Test func `the sections stay when the digests are evicted`() throws {
    let sandbox = try story()
    let before = try sandbox.run("summary \(Self.window) --format csv --columns section,id,rate")
    try sandbox.evictAll()
    let after = try sandbox.run("summary \(Self.window) --format csv --columns section,id,rate")
    #expect(before.lines == after.lines)
  }

  @Test func `a fleet of three sources has the sum`() throws {
    let sandbox = try story()
    let models = ["Orders", "Feed", "Profile"]
    for model in models {
      let lines = Story.ndjson.split(separator: "\n").filter { $0.contains("\"App.\(model)\"") }
      try sandbox.load(lines.joined(separator: "\n") + "\n", into: "\(model).sqlite")
    }
    _ = try sandbox.run(["push", "fleet.sqlite"] + models.map { "\($0).sqlite" })
    let command = "summary \(Self.window) --format csv --columns section,id,occurrences"
    #expect(
      try sandbox.run("\(command) --store fleet.sqlite").lines == sandbox.run(command).lines)
  }

  @Test(.needs("script"))
  func `it is one screen of 40 lines and 80 columns, whatever there is`() throws {
    var digests: [Digest] = []
    for hour in 0..<48 {
      for index in 0..<30 where hour > 24 || index.isMultiple(of: 2) {
        let day = 27 + hour / 24
        digests.append(
          Digest(
            release: "4.2.0-beta.\(index)",
            recordedAt: String(format: "2026-11-%02dT%02d:%02d:00Z", day, hour % 24, index),
            operation: "GET /a/very/long/operation/\(index)",
            failures: [
              .novel(
                "a value of some length \(index)", at: "some.longer[\(index)].path[\(index)].to"),
              .error("missingKey", at: "keys.\(index)"),
            ]))
      }
    }
    let sandbox = try Sandbox(importing: digests)
    let outcome = try sandbox.runOnTerminal("summary \(Self.window)", columns: 80)
    #expect(outcome.lines.count <= 40)
    // The last line is a note, which any table has.
    #expect(outcome.lines.dropLast().allSatisfy { $0.count <= 80 }, "\(outcome)")
    #expect(outcome.lines.contains { $0.hasPrefix("Not shown: ") })
  }

  @Test(arguments: [
    (
      "--since 2026-11-22 --until 2026-11-21",
      "--until is not after --since: give a later --until, or an earlier --since"
    ), ("--since 2099-01-01", "--since is now or later: give an earlier time"),
  ])
  func `a window without time in it is refused`(options: String, message: String) throws {
    #expect(
      try Sandbox(importing: Drift.ndjson).run("summary \(options)") == .failure(64, message))
  }
}
