import Foundation
import Testing

/// What a store drops, and what becomes of copies of it.
struct DescentTests {
  private func push(
    _ store: String, to database: Database, name: String = "web-1"
  ) throws -> Tool.Result {
    try Tool.run("push", database.url(), "--store", store, "--name", name)
  }

  /// All that a database has of a fleet, but when something was pushed.
  private func contents(_ database: Database) throws -> String {
    try database.run(
      """
      SELECT identity, name, revision, last_digest, last_recorded_at, last_moment, occurrences
      FROM digests.source ORDER BY id;
      SELECT * FROM digests.failure ORDER BY id;
      SELECT * FROM digests.source_numbers ORDER BY 1, 2, 3;
      SELECT * FROM digests.growth ORDER BY 1, 2, 3, 4;
      SELECT * FROM digests.pack ORDER BY 1, 2, 3, 4, 5;
      SELECT * FROM digests.failure_tally ORDER BY 1, 2;
      SELECT * FROM digests.model_tally ORDER BY 1, 2, 3, 4, 5;
      SELECT * FROM digests.loss ORDER BY 1, 2, 3;
      """,
      clickHouse: """
        SELECT name, revision, last_digest, toString(last_recorded_at) FROM digests.source FINAL
        WHERE revision > 0 UNION ALL
        SELECT toString(pair), digests, first_seen, toString(span) FROM digests.counts
        UNION ALL SELECT cells, revision, mark, release FROM digests.pack
        UNION ALL SELECT reason, digests, hour, toString(occurrences) FROM digests.loss
        """
    ).split(separator: "\n").sorted().joined(separator: "\n")
  }

  /// Digests of many releases a day: a store that drops some of a day's releases need not drop all.
  private static func digests(of days: Range<Int>, releases: Range<Int>) -> [Digest] {
    days.flatMap { day in
      releases.map { release in
        Digest([
          "id": "\(day)-\(release)-\(releases.count)", "model": "App.Listing",
          "recordedAt": String(
            format: "2025-10-%02dT%02d:20:%02dZ", day, release % 24, release % 60),
          "release": "1.0.\(release)",
          "failures": (0..<60).map {
            [
              "path": "kind", "kind": "unknownNovelValue", "novelValue": "v\($0)",
              "novelValueType": "String",
            ]
          },
        ])
      }
    }
  }

  @Test func `days that a store has dropped some of are counted once`() throws {
    let files = try Files()
    let database = try Database()
    let store = files.path("a.sqlite")
    func add(_ days: Range<Int>, releases: Range<Int>) throws {
      for store in ["a.sqlite", "all.sqlite"] {
        try files.add(Self.digests(of: days, releases: releases), to: store)
      }
    }
    func expectEqualDays() throws {
      for report in [["trend", "--by", "day"], ["models"], ["trend", "--group", "value"]] {
        let fleet = try Tool.run(report + ["--store", database.url(), "--format", "csv"])
        #expect(
          try fleet.output
            == Tool.run(report + ["--store", files.path("all.sqlite"), "--format", "csv"]).output,
          "\(report)")
        // It has what the store has not.
        #expect(!fleet.error.contains("undated"), "\(fleet.error)")
      }
    }

    try add(9..<19, releases: 0..<300)
    #expect(try push(store, to: database).status == 0)
    try expectEqualDays()
    for round in 0..<4 {
      // At first all digests and hours go, and some days; then some more days.
      let size = try Data(contentsOf: URL(fileURLWithPath: store)).count
      let bytes = round == 0 ? 1_215_000 : size / 100 * 95
      let pruned = try Tool.run("prune", "--max-bytes", "\(bytes)", "--store", store)
      #expect(pruned.error.contains("only the sum of all time is left"), "\(pruned)")
      #expect(try push(store, to: database).status == 0)
      try expectEqualDays()
      #expect(try push(store, to: database).output.contains("pushed 0 counts"))
      guard round == 1 else { continue }
      // Of a day that is gone, of one that is gone in part, and of one that is there.
      try add(9..<20, releases: 0..<3)
      #expect(try push(store, to: database).status == 0)
      try expectEqualDays()
    }
  }

  @Test func `a period has no count where a store dropped counts before it pushed them`() throws {
    let files = try Files()
    let database = try Database()
    let store = files.path("a.sqlite")
    try files.add(Self.digests(of: 9..<19, releases: 0..<300), to: "a.sqlite")
    try #require(Tool.run("prune", "--max-bytes", "1215000", "--store", store).status == 0)
    #expect(try push(store, to: database).status == 0)

    let trend = try Tool.run("trend", "--by", "day", "--format", "csv", "--store", store)
    let counts = trend.output.split(separator: "\n").dropFirst()
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).last }
    #expect(counts.contains("") && counts.contains { $0 != "" }, "\(trend)")
    #expect(!counts.contains("0"), "\(trend)")
    for report in [
      ["trend", "--by", "day"], ["trend", "--by", "day", "--format", "csv"],
      ["trend", "--by", "day", "--format", "json"],
      ["trend", "--by", "week", "--format", "ndjson"],
      ["trend", "--by", "day", "--format", "markdown", "--since", "2025-10-08"],
      ["trend", "--by", "day", "--group", "value", "--limit", "3"],
      ["trend", "--by", "day", "--group", "release", "--format", "csv"], ["report"],
    ] {
      func output(_ arguments: String...) throws -> String {
        let result = try Tool.run(report + arguments)
        #expect(result.status == 0, "\(result)")
        // Only the page names its store, and what its digests could tell.
        return report == ["report"]
          ? result.output.replacing(/<p>.*<\/p>/, with: "")
            .replacing(database.display, with: store) : result.output
      }
      let file = try output("--store", store)
      #expect(try output("--store", database.url()) == file, "\(report)")
      #expect(try output("--store", database.url(), "--source", "web-1") == file, "\(report)")
    }
    // Nor where another store of the fleet has all of its days.
    try files.add([.at("2025-10-09T05:20:00Z")], to: "b.sqlite")
    #expect(try push(files.path("b.sqlite"), to: database, name: "web-2").status == 0)
    #expect(
      try Tool.run("trend", "--by", "day", "--until", "2025-10-10", "--store", database.url())
        .output.hasSuffix(" -\n"))
  }

  @Test func `of a copy that is refused nothing is left, and the original goes on`() throws {
    let files = try Files()
    let database = try Database()
    let (store, copy) = (files.path("a.sqlite"), files.path("copy.sqlite"))
    try files.add((0..<20).map { _ in .at("2025-10-11T05:20:00Z") }, to: "a.sqlite")
    #expect(try push(store, to: database).status == 0)
    try FileManager.default.copyItem(atPath: store, toPath: copy)
    try files.add((0..<10).map { .at("2025-10-12T05:20:00Z", value: "a\($0)") }, to: "a.sqlite")
    #expect(try push(store, to: database).status == 0)
    let before = try contents(database)

    // So that the digest that was pushed last is gone there.
    try files.add((0..<40).map { .at("2025-10-13T05:20:00Z", value: "b\($0)") }, to: "copy.sqlite")
    #expect(try Tool.run("prune", "--max-age", "1h", "--store", copy).status == 0)
    let refused = try push(copy, to: database)
    #expect(refused.status == 65, "\(refused)")
    #expect(refused.error.contains("it has counted less than was pushed"))
    #expect(try contents(database) == before)

    try files.add([.at("2025-10-14T05:20:00Z", value: "yurt")], to: "a.sqlite")
    #expect(try push(store, to: database).status == 0)
    #expect(
      try Tool.run("top-failures", "--store", database.url(), "--format", "csv").output
        == Tool.run("top-failures", "--store", store, "--format", "csv").output)
  }

  @Test func `the remedy for a restored file holds when its digests are gone`() throws {
    let files = try Files()
    let database = try Database()
    let (store, backup) = (files.path("a.sqlite"), files.path("backup.sqlite"))
    try files.add((0..<5).map { _ in .at("2025-10-11T05:20:00Z") }, to: "a.sqlite")
    try FileManager.default.copyItem(atPath: store, toPath: backup)
    try files.add((0..<5).map { _ in .at("2025-10-12T05:20:00Z") }, to: "a.sqlite")
    #expect(try Tool.run("prune", "--max-age", "1h", "--store", store).status == 0)
    #expect(try push(store, to: database).status == 0)
    // No digest is left by which to know how much of the file is counted.
    #expect(
      try push(backup, to: database).error.hasSuffix(
        " and run: digest-query export --store \(backup).restored | digest-query import - --store "
          + "\(backup)\n"))
    #expect(
      try Tool.run("sources", "--store", database.url()).output.contains("2025-10-12 05:20:00Z"))
  }

  @Test func `releases are compared by their bytes`() throws {
    let files = try Files()
    let database = try Database()
    let releases = ["1.\u{E9}", "1.e\u{301}", "1.e"]
    try files.add(
      (0..<90).map { number in
        Digest([
          "id": "\(number)", "recordedAt": "2025-10-11T05:20:00Z", "model": "App.Listing",
          "release": releases[number % 3],
          "failures": [["path": "kind", "kind": "typeMismatch", "expectedType": "Int"]],
        ])
      }, to: "a.sqlite")
    let result = try push(files.path("a.sqlite"), to: database)
    #expect(result.status == 0, "\(result.error)")
    #expect(
      try push(files.path("a.sqlite"), to: database).output.contains("pushed 0 counts"))
    for release in releases {
      let models = ["models", "--release", release, "--format", "csv", "--store"]
      #expect(
        try Tool.run(models + [database.url()]).output
          == Tool.run(models + [files.path("a.sqlite")]).output)
    }
  }

  @Test func `times that no clock can say are the furthest that one can`() throws {
    let database = try Database()
    for command in [
      ["prune", "--max-age", "9000000000000000000s"], ["digests", "--since", "9000000000000000d"],
      ["export", "--since", "9000000000000000d"],
    ] {
      #expect(try Tool.run(command + ["--store", database.url()]).status == 0, "\(command)")
    }
  }
}
