import Foundation
import Testing

/// How a store goes on that was restored from an older copy of its file.
struct RestoreTests {
  private static let sum = "SELECT sum(occurrences) FROM digests.failure_tally"
  private static let sumOfCounts =
    "SELECT sum(occurrences) FROM digests.counts FINAL WHERE counted = 0 AND span = 0"

  /// A machine: its store, a copy of that, and all digests that it has recorded, for a recount.
  private final class Machine {
    let files: Files
    let database: Database
    let store = "it's a.sqlite"

    init() throws {
      files = try Files()
      database = try Database()
    }

    func record(_ digests: Digest...) throws {
      try files.add(digests, to: store)
      try files.add(digests, to: "all.sqlite")
    }

    func push(_ options: String...) throws -> Tool.Result {
      try Tool.run(
        ["push", database.url(), "--name", "web-1", "--store", files.path(store)] + options)
    }

    func copy() throws {
      try FileManager.default.copyItem(
        atPath: files.path(store), toPath: files.path("copy.sqlite"))
    }

    /// The disk is lost, and the copy takes the place of the store.
    func restore() throws {
      try FileManager.default.removeItem(atPath: files.path(store))
      try FileManager.default.moveItem(
        atPath: files.path("copy.sqlite"), toPath: files.path(store))
    }

    /// Does what a push has said that refused the store.
    ///
    /// - Returns: what comes behind `export` in the command.
    func follow(_ refused: Tool.Result) throws -> String {
      #expect(refused.status == 65)
      let command = try #require(refused.error.components(separatedBy: " and run: ").last)
      let path = "'\(files.path(store).replacing("'", with: #"'\''"#))"
      let export = "digest-query export"
      let rest = " --store \(path).restored' | digest-query import - --store \(path)'\n"
      #expect(command.hasPrefix(export) && command.hasSuffix(rest), "\(command)")
      try FileManager.default.moveItem(
        atPath: files.path(store), toPath: files.path("\(store).restored"))
      let directory = URL(filePath: Tool.path).deletingLastPathComponent().path
      let result = try Tool.shell("PATH='\(directory)':\"$PATH\"; \(command)")
      #expect(result.status == 0 && result.error == "", "\(result)")
      return String(command.dropFirst(export.count).dropLast(rest.count))
    }

    /// Expects that the fleet has counted each digest once.
    func expectFleetEqualsRecount() throws {
      for report in [["top-failures"], ["models"], ["trend", "--by", "hour", "--group", "value"]] {
        let report = report + ["--format", "csv", "--store"]
        #expect(
          try Tool.run(report + [database.url()]) == Tool.run(report + [files.path("all.sqlite")]),
          "\(report)")
      }
    }
  }

  @Test func `a restored store is counted by a recount, also what it recorded under older times`()
    throws
  {
    let machine = try Machine()
    try machine.record(.at("2025-10-11T05:20:00Z"), .at("2025-10-11T06:20:00Z", id: "it's 2"))
    #expect(try machine.push().status == 0)
    try machine.copy()
    try machine.record(.at("2025-10-11T07:20:00Z", value: "lost"), .at("2025-10-11T08:20:00Z"))
    #expect(try machine.push().status == 0)
    try machine.restore()
    // Under the numbers of the digests that are lost, and before all of them.
    try machine.record(
      .at("2025-10-01T05:20:00Z", value: "imported"), .at("2025-10-11T07:20:00Z", value: "own"),
      .at("2025-10-13T05:20:00Z"))
    let counted = try machine.database.run(Self.sum, clickHouse: Self.sumOfCounts)

    let refused = try machine.push()
    #expect(
      try machine.database.run(Self.sum, clickHouse: Self.sumOfCounts) == counted)
    #expect(try machine.follow(refused) == #" --after='it'\''s 2'"#)
    // It has the name of another one.
    #expect(try machine.push().status == 64)
    #expect(
      try machine.push("--take-name").output.hasSuffix("the fleet has 3 errors of 3 digests\n"))

    try machine.expectFleetEqualsRecount()
    // And it goes on.
    try machine.record(.at("2025-10-14T05:20:00Z"))
    #expect(try machine.push().status == 0)
    try machine.expectFleetEqualsRecount()
  }

  @Test func `digests recorded before the copy, and pushed after it, count twice`() throws {
    let machine = try Machine()
    try machine.record(.at("2025-10-11T05:20:00Z", id: "first"))
    #expect(try machine.push().status == 0)
    try machine.record(.at("2025-10-11T06:20:00Z", value: "twice"))
    try machine.copy()
    try machine.record(.at("2025-10-11T07:20:00Z", value: "lost"))
    #expect(try machine.push().status == 0)
    try machine.restore()
    try machine.record(.at("2025-10-01T05:20:00Z", value: "new"))

    #expect(try machine.follow(machine.push()) == " --after=first")
    #expect(try machine.push("--take-name").status == 0)

    #expect(
      try machine.database.run(
        "SELECT novel_value, occurrences FROM digests.novel_values ORDER BY novel_value COLLATE \"C\"",
        clickHouse: """
          SELECT concat(novel_value, '|', toString(sum(occurrences))) FROM digests.counts FINAL
          GLOBAL ANY LEFT JOIN (SELECT id, novel_value FROM digests.failure) USING id
          WHERE counted = 0 AND span = 0 AND digests > 0 GROUP BY novel_value ORDER BY novel_value
          """
      )
        == "lost|1\nnew|1\ntwice|2\nvilla|1")
  }

  @Test func `the commands of the article remedy a refusal`() throws {
    let files = try Files()
    let database = try Database()
    let restore = try #require(try Article("Fleet").named("sh", comment: "#")["restore"])
    let id = try #require(restore.firstMatch(of: /--after=(\S+)/)?.1)
    let directory = URL(filePath: Tool.path).deletingLastPathComponent().path
    func run(_ commands: String) throws -> Tool.Result {
      try Tool.shell(
        """
        set -eu
        cd '\(files.directory.path)'
        PATH='\(directory)':"$PATH"
        DIGEST_FLEET='\(database.url())'
        \(commands)
        """)
    }
    let digests = (1...4).map { Digest.at("2025-10-1\(5 - $0)T05:20:00Z", id: "d\($0)") }
    try files.add(digests, to: "all.sqlite")
    try files.add([digests[0]], to: "digests.sqlite")
    #expect(try run("digest-query push \"$DIGEST_FLEET\"; cp digests.sqlite copy").status == 0)
    try files.add([digests[1]], to: "digests.sqlite")
    #expect(try run("digest-query push \"$DIGEST_FLEET\"; mv copy digests.sqlite").status == 0)
    try files.add(Array(digests[2...]), to: "digests.sqlite")

    let refused = try run("digest-query push \"$DIGEST_FLEET\"")
    let command = restore.split(separator: "\n").first { $0.contains("--after") }?
      .replacing(id, with: "d1")
    #expect(refused.error.hasSuffix(" and run: \(try #require(command))\n"), "\(refused)")
    #expect(try run(restore.replacing(id, with: "d1")).status == 0)
    let report = ["top-failures", "--format", "csv", "--store"]
    #expect(
      try Tool.run(report + [database.url()]) == Tool.run(report + [files.path("all.sqlite")]))
  }

  @Test func `a copy from before the first push is exported as a whole`() throws {
    let machine = try Machine()
    try machine.record(.at("2025-10-11T05:20:00Z"))
    try machine.copy()
    try machine.record(.at("2025-10-11T06:20:00Z"))
    #expect(try machine.push().status == 0)
    try machine.restore()
    #expect(try machine.follow(machine.push()) == "")
  }

  @Test func `digests under reused numbers do not come after equal ones`()
    throws
  {
    let machine = try Machine()
    let digests = (1...4).map { Digest.at("2025-10-11T0\($0):20:00Z", id: "d\($0)") }
    try machine.record(digests[0])
    try machine.copy()
    for digest in digests {
      try machine.record(digest)
      #expect(try machine.push().status == 0)
    }
    try machine.restore()
    // The second is another one, those behind it were lost and are imported again.
    try machine.record(.at("2025-10-11T02:21:00Z", id: "new", value: "new"), digests[2], digests[3])
    #expect(try machine.follow(machine.push()) == " --after=d1")
  }

  @Test func `of the pushes from before a prune of the fleet only the last one stays`() throws {
    let machine = try Machine()
    try machine.record(.at("2025-10-11T05:20:00Z"))
    #expect(try machine.push().status == 0)
    try machine.copy()
    try machine.record(.at("2025-10-11T06:20:00Z"))
    #expect(try machine.push().status == 0)
    let prune = ["prune", "--store", machine.database.url(), "--max-age"]
    #expect(try Tool.run(prune + ["9000w"]).status == 0)
    #expect(
      try machine.database.run("SELECT last_digest FROM digests.push ORDER BY last_digest")
        == "1\n2")
    #expect(try Tool.run(prune + ["1d"]).status == 0)
    #expect(
      try machine.database.run(
        "SELECT last_digest FROM digests.push",
        clickHouse: "SELECT last_digest FROM digests.source FINAL WHERE revision > 0") == "2")
    try machine.restore()
    #expect(try machine.follow(machine.push()) == "")
  }
}
