import Foundation
import Testing

/// A server whose disk is full counts nothing by half, and the next push makes up for it.
@Suite(.enabled(if: FullDisk.isPossible && Server.isPostgreSQL))
struct FullDiskTests {
  private static let reports = [
    ["top-failures", "--format", "csv"], ["models", "--format", "csv"],
    ["trend", "--by", "hour", "--group", "release", "--format", "csv"],
  ]

  private func answers(_ store: String) throws -> [Tool.Result] {
    try Self.reports.map { try Tool.run($0 + ["--store", store]) }
  }

  private func push(_ store: String, to database: Database, leaving growths: Int? = nil) throws
    -> Tool.Result
  {
    let push = ["push", database.url(), "--store", store, "--name", "web-1"]
    guard let growths else { return try Tool.run(push) }
    return try FullDisk.run(leaving: growths) { try Tool.run(push) }
  }

  /// Expects that the server has said that its disk is full, and what is to be done.
  private func expectFull(_ result: Tool.Result, _ database: Database) {
    let said = "digest-query: \(database.display): could not extend file \""
    #expect(result.status == 74)
    #expect(result.output == "")
    #expect(result.error.hasPrefix(said))
    #expect(
      result.error.dropFirst(said.count).wholeMatch(
        of: /[^\n]*: No space left on device; free some space on the server's disk\n/) != nil,
      "\(result.error)")
  }

  @Test func `a push counts all or nothing, whenever the disk is full`() throws {
    let files = try Files()
    let database = try Database()
    let store = files.path("a.sqlite")
    var random = SeededGenerator(31)
    try files.add((0..<60).map { .random($0, of: 0, using: &random) }, to: "a.sqlite")
    #expect(try push(store, to: database).status == 0)
    let before = try answers(database.url())
    try files.add((60..<200).map { .random($0, of: 0, using: &random) }, to: "a.sqlite")

    var growths = 0
    var result = try push(store, to: database, leaving: growths)
    while result.status != 0, growths < 1_000 {
      expectFull(result, database)
      #expect(try answers(database.url()) == before)
      growths += 1
      result = try push(store, to: database, leaving: growths)
    }

    #expect(growths > 5)
    #expect(result.status == 0)
    #expect(try answers(database.url()) == answers(store))
  }

  @Test func `counts sent in part before the disk was full are counted once`() throws {
    let files = try Files()
    let database = try Database()
    let store = files.path("a.sqlite")
    var random = SeededGenerator(37)
    let digests = (0..<8_000).map {
      Digest.random($0, of: 0, release: "1.0.\($0 % 500)", using: &random)
    }
    try files.add(digests, to: "a.sqlite")
    let nothing = try answers(database.url())

    var parts = 0
    var growths = 20
    var result = try push(store, to: database, leaving: growths)
    while result.status != 0, growths < 10_000 {
      expectFull(result, database)
      if try answers(database.url()) != nothing { parts += 1 }
      growths += growths / 4
      result = try push(store, to: database, leaving: growths)
    }

    #expect(parts > 0)
    #expect(result.status == 0)
    #expect(try answers(database.url()) == answers(store))
  }

  @Test func `what init cannot make for want of space, it makes later`() throws {
    let database = try Database(isEmpty: true)
    expectFull(try FullDisk.run(leaving: 3) { try Tool.run("init", database.url()) }, database)
    #expect(
      try Tool.run("init", database.url())
        == Tool.Result(status: 0, output: "\(database.display): made the tables\n", error: ""))
  }
}
