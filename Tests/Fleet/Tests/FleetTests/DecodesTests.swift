import Foundation
import Testing

/// A fleet counts the decodes of all stores as one file does that has them all.
struct DecodesTests {
  private static let reports: [[String]] =
    ReportTests.reports + [
      ["models"], ["models", "--format", "csv"], ["models", "--no-release", "--format", "csv"],
      ["models", "--release", "4.1.0", "--release", "9", "--format", "json"],
      ["models", "--since", "2025-10-11T05:00:00Z", "--until", "2025-10-11T09:00:00Z"],
      ["models", "--since", "2025-10-10T05:00:00Z", "--until", "2025-10-14T09:00:00Z"],
      ["models", "--model", "App.Clean", "--format", "json"],
      ["trend", "--rate", "--by", "hour", "--format", "csv"],
      ["trend", "--rate", "--by", "day", "--format", "csv"],
      ["trend", "--rate", "--by", "day", "--group", "release", "--format", "csv"],
      ["trend", "--rate", "--by", "week", "--group", "model", "--format", "csv"],
      [
        "trend", "--rate", "--by", "hour", "--since", "2025-10-10T05:00:00Z", "--until",
        "2025-10-12T07:00:00Z", "--format", "csv",
      ],
      ["diff", "4.1.0", "4.10.0", "--format", "json"],
      ["check", "--max-rate", "0.1%"], ["check", "--max-rate", "100%", "--release", "4.2.0"],
    ]

  /// The counts of clean decodes of one store: lines that a later call may raise.
  private static func lines(of machine: Int, round: Int = 1) -> [String] {
    (0..<60).map { number in
      let hour = 1_759_968_000 + (number * 37 % 240) * 3_600
      let moment = Date(timeIntervalSince1970: TimeInterval(hour)).formatted(.iso8601)
      let model = ["App.Listing", "App.Account", "App.Clean"][number % 3]
      let release = ["\"4.1.0\"", "\"4.2.0\"", "\"4.10.0\"", "null"][number / 3 % 4]
      return """
        {"id":"\(String(format: "%016x", machine * 100 + number + 1))","hour":"\(moment)",\
        "model":"\(model)","release":\(release),"decodes":\((number % 7 + 1) * 10 * round)}
        """
    }
  }

  private func add(_ lines: [String], _ digests: [Digest], to store: String) throws {
    let lines = (lines + digests.map(\.line)).map { $0 + "\n" }.joined()
    let result = try Tool.run("import", "-", "--store", store, input: lines)
    try #require(result.status == 0, "\(result.error)")
  }

  private func push(_ store: String, as name: String, to database: Database) throws {
    let result = try Tool.run("push", database.url(), "--name", name, "--store", store)
    try #require(result.status == 0, "\(result.error)")
  }

  private func expectEqual(
    _ database: Database, _ store: String, source: String? = nil, _ when: String
  ) throws {
    for report in Self.reports {
      var file = try Tool.run(report + ["--store", store])
      var fleet = try Tool.run(
        report + ["--store", database.url()] + (source.map { ["--source", $0] } ?? []))
      for result in [\Tool.Result.output, \.error] {
        fleet[keyPath: result] = fleet[keyPath: result]
          .replacing(database.display, with: store).replacing(/<p>Made .*<\/p>/, with: "")
        file[keyPath: result] = file[keyPath: result].replacing(/<p>Made .*<\/p>/, with: "")
      }
      #expect(fleet == file, "\(when): \(report)")
    }
  }

  @Test func `rates of a fleet are those of one store with the decodes of all`() throws {
    let files = try Files()
    let database = try Database()
    var random = SeededGenerator(11)
    let all = files.path("all.sqlite")
    for round in 1...3 {
      for machine in 0..<3 {
        let digests = (0..<60).map {
          Digest.random($0 + round * 1_000, of: machine, using: &random)
        }
        let own = files.path("\(machine).sqlite")
        try add(Self.lines(of: machine, round: round), digests, to: own)
        try add(Self.lines(of: machine, round: round), digests, to: all)
        try push(own, as: "\(machine)", to: database)
        // Nothing twice.
        if round == 2 { try push(own, as: "\(machine)", to: database) }
      }
      try expectEqual(database, all, "round \(round)")
      try expectEqual(
        database, files.path("1.sqlite"), source: "1", "one store in round \(round)")
      let pruned = try Tool.run("prune", "--max-age", "9000w", "--store", database.url())
      #expect(pruned.status == 0)
      try expectEqual(database, all, "pruned in round \(round)")
    }
    let count = try database.run(
      "SELECT sum(decodes) FROM digests.decodes WHERE model = 'App.Clean'",
      clickHouse:
        "SELECT sum(digests) FROM digests.counts FINAL WHERE counted IN (1, 2) AND span = 1 AND model GLOBAL IN "
        + "(SELECT id FROM digests.model WHERE name = 'App.Clean')")
    let file = try Tool.run(
      "check", "--max-rate", "0%", "--model", "App.Clean", "--store", all)
    #expect(file.output == "ok: errors in 0% of \(count) decodes (at most 0%)\n")
  }

  @Test func `hours that a prune deletes leave the rates of days`() throws {
    let files = try Files()
    let database = try Database()
    let store = files.path("a.sqlite")
    var random = SeededGenerator(12)
    try add(
      Self.lines(of: 0), (0..<90).map { Digest.random($0, of: 0, using: &random) }, to: store)
    try push(store, as: "a", to: database)
    #expect(try Tool.run("prune", "--max-age", "1d", "--store", database.url()).status == 0)
    for report in [
      ["models", "--format", "csv"], ["trend", "--rate", "--by", "day", "--format", "csv"],
      ["models", "--since", "2025-10-10", "--until", "2025-10-12", "--format", "csv"],
      ["check", "--max-rate", "0.1%", "--since", "2025-10-12"],
    ] {
      let file = try Tool.run(report + ["--store", store])
      let fleet = try Tool.run(report + ["--store", database.url()])
      #expect(fleet.output == file.output, "\(report) \(fleet.error)")
      let source = try Tool.run(report + ["--store", database.url(), "--source", "a"])
      #expect(source.output == file.output, "\(report) \(source.error)")
    }
    // A later push brings no hours back, and counts nothing twice.
    try add(Self.lines(of: 0, round: 2), [], to: store)
    try push(store, as: "a", to: database)
    for source in [[], ["--source", "a"]] {
      let fleet = try Tool.run(["models", "--format", "csv", "--store", database.url()] + source)
      #expect(fleet.output == (try Tool.run("models", "--format", "csv", "--store", store).output))
    }
  }

  @Test func `a restored file with fewer decodes is refused`() throws {
    let files = try Files()
    let database = try Database()
    let store = files.path("a.sqlite")
    try add(Self.lines(of: 0), [.at("2025-10-11T05:20:00Z")], to: store)
    let copy = files.path("copy.sqlite")
    try FileManager.default.copyItem(atPath: store, toPath: copy)
    try add(Self.lines(of: 0, round: 2), [], to: store)
    try push(store, as: "a", to: database)

    let result = try Tool.run("push", database.url(), "--name", "a", "--store", copy)
    #expect(result.status == 65)
    #expect(result.error.contains("it has counted less than was pushed"))
    let fleet = try Tool.run("models", "--format", "csv", "--store", database.url())
    #expect(fleet.output == (try Tool.run("models", "--format", "csv", "--store", store).output))
  }

  @Test func `an export from a fleet says that it leaves out decodes`() throws {
    let files = try Files()
    let database = try Database()
    let store = files.path("a.sqlite")
    try add(Self.lines(of: 0), [.at("2025-10-11T05:20:00Z")], to: store)
    let pushed = try Tool.run("push", database.url(), "--digests", "--store", store)
    #expect(pushed.status == 0)
    let result = try Tool.run("export", "--store", database.url())
    #expect(result.status == 0)
    #expect(
      result.error
        == "digest-query: decodes without errors are not exported: a fleet has only their sums\n")
  }
}
