import Foundation
import Testing

struct PushTests {
  /// A question about the counts in ClickHouse.
  private static func counts(_ values: String, _ condition: String) -> String {
    "SELECT \(values) FROM digests.counts FINAL WHERE digests > 0 AND \(condition) ORDER BY 1"
  }

  private func push(_ store: String, to database: Database, name: String = "web-1") throws
    -> Tool.Result
  {
    try Tool.run("push", database.url(), "--store", store, "--name", name)
  }

  @Test func `a push reports what it sent, and the next one sends only new counts`() throws {
    let files = try Files()
    let database = try Database()
    try files.add([.at("2025-10-11T05:20:00Z"), .at("2025-10-11T05:30:00Z")], to: "a.sqlite")

    // The failure and its model, in the hour, in the day and in all.
    #expect(
      try push(files.path("a.sqlite"), to: database).output
        == "web-1: pushed 6 counts and 1 failure that were new; the fleet has 2 errors of 2 digests\n"
    )
    #expect(
      try push(files.path("a.sqlite"), to: database).output
        == "web-1: pushed 0 counts and 0 failures that were new; the fleet has 2 errors of 2 digests\n"
    )
    try files.add([.at("2025-10-12T05:20:00Z", value: "yurt")], to: "a.sqlite")
    #expect(
      try push(files.path("a.sqlite"), to: database).output
        == "web-1: pushed 6 counts and 1 failure that were new; the fleet has 3 errors of 3 digests\n"
    )
    #expect(
      try Tool.run("top-novel-values", "--store", database.url(), "--format", "csv").output
        == Tool.run(
          "top-novel-values", "--store", files.path("a.sqlite"), "--format", "csv"
        ).output)
  }

  @Test func `stores that are pushed at the same time are counted once each`() throws {
    let files = try Files()
    let database = try Database()
    var random = SeededGenerator(11)
    var pushes: [Tool.Running] = []
    var digests = 0
    for machine in 0..<8 {
      let new = (0..<200).map { Digest.random($0, of: machine, using: &random) }
      digests += new.count
      try files.add(new, to: "\(machine).sqlite")
    }
    // Each by three processes, or in ClickHouse, where a push is many requests, by one or two.
    for machine in (0..<(Server.isPostgreSQL ? 24 : 12)).map({ $0 % 8 }) {
      pushes.append(
        try Tool.start(
          Tool.path,
          [
            "push", database.url(), "--name", "\(machine)", "--store",
            files.path("\(machine).sqlite"),
          ]))
    }
    for push in pushes {
      let result = try Tool.finish(push)
      #expect(result.status == 0, "\(result.error)")
    }

    #expect(
      try database.run(
        "SELECT sum(digests) FROM digests.source",
        clickHouse: Self.counts("sum(digests)", "counted = 1 AND span = 24"))
        == "\(digests)")
    #expect(
      try database.run(
        "SELECT sum(digests) FROM digests.model_tally WHERE span = 0",
        clickHouse: Self.counts("sum(digests)", "counted = 1 AND span = 0")) == "\(digests)")
    try expectSumsEqualPacks(in: database)
  }

  @Test func `a push that is killed, or whose server is, is made up for by the next`() throws {
    let files = try Files()
    let database = try Database()
    var random = SeededGenerator(UInt64.random(in: 0 ... .max))
    var bytes = 0
    for round in 0..<Server.rounds {
      let digests = (0..<60).map { Digest.random($0, of: round, using: &random) }
      try files.add(digests, to: "a.sqlite")
      try files.add(digests, to: "all.sqlite")
      guard round % 3 > 0 else {
        // Undisturbed, so that it is known how long one is.
        bytes = try database.push(files.path("a.sqlite"), interruptedAfter: .max) { _ in }
        continue
      }
      try database.push(
        files.path("a.sqlite"), interruptedAfter: .random(in: 0..<bytes, using: &random)
      ) { process in
        if round % 4 == 3 {
          #expect(throws: Never.self) { try Server.restart() }
        } else {
          kill(process, SIGKILL)
        }
      }
    }
    #expect(try push(files.path("a.sqlite"), to: database).status == 0)
    // A server that was killed is left out for some time.
    if !Server.isPostgreSQL { try database.synchronize(1) }

    for report in [["top-failures"], ["models"], ["trend", "--by", "hour", "--group", "release"]] {
      #expect(
        try Tool.run(report + ["--store", database.url(), "--format", "csv"]).output
          == Tool.run(report + ["--store", files.path("all.sqlite"), "--format", "csv"]).output)
    }
    try expectSumsEqualPacks(in: database)
  }

  @Test func `digests that a store evicts stay counted in the fleet`() throws {
    let files = try Files()
    let database = try Database()
    var random = SeededGenerator(13)
    try files.add((0..<900).map { .random($0, of: 0, using: &random) }, to: "a.sqlite")
    try files.add((0..<900).map { .random($0, of: 1, using: &random) }, to: "b.sqlite")
    #expect(try push(files.path("a.sqlite"), to: database).status == 0)
    #expect(
      try Tool.run("prune", "--max-age", "1d", "--store", files.path("a.sqlite")).status == 0)
    #expect(try push(files.path("a.sqlite"), to: database).status == 0)
    try files.add((900..<950).map { .random($0, of: 0, using: &random) }, to: "a.sqlite")
    #expect(try push(files.path("a.sqlite"), to: database).status == 0)

    #expect(
      try Tool.run("top-failures", "--store", database.url(), "--format", "csv").output
        == Tool.run("top-failures", "--store", files.path("a.sqlite"), "--format", "csv").output)
    #expect(
      try database.run(
        "SELECT sum(digests) FROM digests.loss WHERE reason = 'evicted'") != "0")
  }

  @Test func `releases that a store merges, and days that it drops, stay in the fleet`() throws {
    let files = try Files()
    let database = try Database()
    var random = SeededGenerator(19)
    func add(_ numbers: Range<Int>) throws {
      let digests = numbers.map {
        Digest.random($0, of: 0, release: "1.0.\($0 % 1_500)", using: &random)
      }
      try files.add(digests, to: "a.sqlite")
    }
    func expectEqualCounts() throws {
      #expect(try push(files.path("a.sqlite"), to: database).status == 0)
      for report in ["top-failures", "models"] {
        #expect(
          try Tool.run(report, "--store", database.url(), "--format", "csv").output
            == Tool.run(report, "--store", files.path("a.sqlite"), "--format", "csv").output)
      }
    }
    let prune = ["prune", "--max-bytes", "1048576", "--store", files.path("a.sqlite")]

    try add(0..<10_000)
    try expectEqualCounts()
    #expect(try Tool.run(prune).error.contains("only the sum of all time is left"))
    try expectEqualCounts()
    // Of releases that were merged, and of days that are gone.
    try add(10_000..<15_000)
    try expectEqualCounts()
    #expect(try Tool.run(prune).status == 0)
    try add(15_000..<15_500)
    try expectEqualCounts()
    #expect(
      try database.run(
        "SELECT count(DISTINCT release_id) FROM digests.growth WHERE span = 0",
        clickHouse: Self.counts("uniqExact(release)", "counted = 0 AND span = 0")) == "1500")
  }

  @Test func `hours dropped before they are sent are reported, and days are complete`() throws {
    let files = try Files()
    let database = try Database()
    var random = SeededGenerator(23)
    let digests = (0..<10_000).map {
      Digest.random($0, of: 0, release: "1.0.\($0 % 750)", using: &random)
    }
    try files.add(digests, to: "all.sqlite")
    try files.add(digests, to: "a.sqlite")
    // Until the first hours go; the days go later.
    var bytes = 3_000_000
    var coarse = ""
    while bytes > 1_048_576, coarse.isEmpty || coarse == "none" {
      _ = try Tool.run(
        "prune", "--max-bytes", "\(bytes)", "--store", files.path("a.sqlite"))
      coarse = try Tool.shell(
        "'\(Tool.path)' doctor --format csv --store '\(files.path("a.sqlite"))' "
          + "| sed -n 's/^coarse_before,\\([^,]*\\),.*/\\1/p'"
      ).output.trimmingCharacters(in: .whitespacesAndNewlines)
      bytes -= 100_000
    }
    try #require(!coarse.isEmpty && coarse != "none")
    #expect(try push(files.path("a.sqlite"), to: database).status == 0)

    let hours = ["--since", "2025-10-09T14:00:00Z", "--until", "2025-10-09T20:00:00Z"]
    let report = ["top-failures", "--format", "csv"]
    let fleet = try Tool.run(report + hours + ["--store", database.url()])
    #expect(fleet == (try Tool.run(report + hours + ["--store", files.path("a.sqlite")])))
    #expect(fleet.error.contains("window widened"))
    let day = ["--since", "2025-10-10", "--until", "2025-10-11"]
    #expect(
      try Tool.run(report + day + ["--store", database.url()]).output
        == Tool.run(report + day + ["--store", files.path("all.sqlite")]).output)
  }

  @Test func `a restored file is refused, and nothing of it is counted`() throws {
    let files = try Files()
    let database = try Database()
    try files.add([.at("2025-10-11T05:20:00Z")], to: "a.sqlite")
    try FileManager.default.copyItem(
      atPath: files.path("a.sqlite"), toPath: files.path("backup.sqlite"))
    try files.add([.at("2025-10-11T06:20:00Z")], to: "a.sqlite")
    #expect(try push(files.path("a.sqlite"), to: database).status == 0)
    let before = try database.run(
      "SELECT * FROM digests.failure_tally ORDER BY 1", clickHouse: Self.counts("*", "1"))

    let older = try push(files.path("backup.sqlite"), to: database)
    try files.add([.at("2025-10-11T07:20:00Z")], to: "backup.sqlite")
    let other = try push(files.path("backup.sqlite"), to: database)

    for (refused, reason) in [
      (older, "it ends before digest 2, which was pushed"),
      (other, "its digest 2 is another one than was pushed"),
    ] {
      #expect(
        refused
          == Tool.Result(
            status: 65, output: "",
            error:
              "digest-query: the store is a copy, or an older state, of the one that "
              + "\(database.display) knows: \(reason); nothing of it is counted: stop the app, move the "
              + "file to \(files.path("backup.sqlite")).restored, with its -wal and -shm, push "
              + "once with --take-name afterwards, which counts again what the fleet has of it, and run: "
              + "digest-query export --store \(files.path("backup.sqlite")).restored | digest-query "
              + "import - --store \(files.path("backup.sqlite"))\n"))
    }
    #expect(
      try database.run(
        "SELECT * FROM digests.failure_tally ORDER BY 1", clickHouse: Self.counts("*", "1"))
        == before)
  }

  @Test func `sources lists the stores, and the counts of each`() throws {
    let files = try Files()
    let database = try Database()
    try files.add([.at("2025-10-11T05:20:00Z")], to: "a.sqlite")
    try files.add([.at("2025-10-11T05:20:00Z"), .at("2025-10-11T05:21:00Z")], to: "b.sqlite")
    #expect(try push(files.path("a.sqlite"), to: database, name: "web-1").status == 0)
    #expect(try push(files.path("b.sqlite"), to: database, name: "web,2").status == 0)

    let rows = try Tool.run("sources", "--store", database.url(), "--format", "csv").output
      .split(separator: "\n")
    #expect(
      rows.first == "source,identity,occurrences,digests,last_recorded,last_pushed,lag,role")
    #expect(rows.dropFirst().first?.hasPrefix("web-1,") == true)
    #expect(rows.last?.hasPrefix("\"web,2\",") == true)
    #expect(rows.last?.contains(",2,2,2025-10-11T05:21:00.000Z,") == true)
    let some = try Tool.run(
      "sources", "--store", database.url(), "--source", "*1", "--format", "csv")
    #expect(some.output.split(separator: "\n").count == 2)
  }

  /// The sums of all stores are what the stores' own counts come to.
  private func expectSumsEqualPacks(in database: Database) throws {
    let occurrences = try database.run(
      "SELECT sum(occurrences) FROM digests.source",
      clickHouse: "SELECT sum(occurrences) FROM digests.source FINAL WHERE revision > 0")
    #expect(
      try database.run(
        "SELECT sum(occurrences) FROM digests.failure_tally",
        clickHouse: Self.counts("sum(occurrences)", "counted = 0 AND span = 0")) == occurrences)
    if !Server.isPostgreSQL {
      try expectSums(4, of: "id, source", where: "span = 0", in: database)
      try expectSums(3, of: "model, kind, span, start, release, source", in: database)
    }
    for span in [0, 1, 24] {
      #expect(
        try database.run(
          "SELECT sum(occurrences) FROM digests.model_tally WHERE span = \(span)",
          clickHouse: Self.counts("sum(occurrences)", "counted = 1 AND span = \(span)"))
          == occurrences)
    }
    for unit in ["hour", "day"] {
      let trend = try Tool.run(
        "trend", "--by", unit, "--format", "csv", "--store", database.url())
      let counts = trend.output.split(separator: "\n").dropFirst().compactMap { line in
        Int(line.split(separator: ",")[1])
      }
      #expect("\(counts.reduce(0, +))" == occurrences)
    }
  }

  /// Checks that the rows that count several failures or releases together are their sums.
  private func expectSums(
    _ counted: Int, of columns: String, where condition: String = "1", in database: Database
  ) throws {
    let values = ["occurrences", "digests", "shared_digests"]
    let sums = values.flatMap { value in
      [0, counted].map { "sumIf(\(value), counted = \($0)) AS \(value)_\($0)" }
    }
    let moments = [0, counted].map {
      "minIf(first_seen, counted = \($0)) AS first_\($0), maxIf(last_seen, counted = \($0)) AS last_\($0)"
    }
    let isEqual = (values + ["first", "last"]).map { "\($0)_0 = \($0)_\(counted)" }
    #expect(
      try database.run(
        """
        SELECT countIf(NOT (\(isEqual.joined(separator: " AND ")))), count() > 0 FROM (
          SELECT \((sums + moments).joined(separator: ", ")) FROM digests.counts FINAL
          WHERE digests > 0 AND counted IN (0, \(counted)) AND \(condition) GROUP BY \(columns))
        """) == "0\t1")
  }
}
