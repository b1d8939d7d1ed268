import Foundation
import Testing

/// A push whose connection is cut says so, and the next one makes up for it.
@Suite(.enabled(if: Server.isPostgreSQL))
struct NetworkTests {
  private func push(_ store: String, _ url: String) throws -> Tool.Result {
    try Tool.run("push", url, "--store", store, "--name", "web-1")
  }

  /// Pushes by way of a proxy, and expects that it succeeds or says what was cut.
  ///
  /// - Returns: whether it succeeded, and what has passed.
  private func push(
    _ store: String, to database: Database, _ cut: CutProxy.Cut, resets: Bool = false,
    _ parameters: String = "sslmode=require"
  ) throws -> (isDone: Bool, traffic: CutProxy.Traffic) {
    let (isDone, traffic) = try CutProxy.run(cut, resets: resets) { proxy in
      let result = try push(store, database.url(through: proxy, parameters))
      if result.status == 0 {
        #expect(result.error == "")
        return true
      }
      #expect(result.status == 74)
      #expect(result.output == "")
      let beginning = "digest-query: \(database.display(through: proxy)): "
      let line = result.error.dropFirst(beginning.count)
      #expect(result.error.hasPrefix(beginning))
      #expect(
        line.wholeMatch(of: /[^\n]*([Cc]onnection|EOF|timeout)[^\n]*; [^\n]*(again|runs)\n/) != nil,
        "\(line)")
      return false
    }
    #expect(isDone || traffic.isCut)
    return (isDone, traffic)
  }

  /// Expects that a fleet answers as a file does.
  private func expectEqual(_ database: Database, _ store: String) throws {
    for report in [["top-failures"], ["models"], ["trend", "--by", "hour", "--group", "release"]] {
      let fleet = try Tool.run(report + ["--store", database.url(), "--format", "csv"])
      #expect(fleet == (try Tool.run(report + ["--store", store, "--format", "csv"])))
    }
  }

  @Test func `a push that is cut after any number of bytes is made up for by the next`() throws {
    let files = try Files()
    let database = try Database()
    var random = SeededGenerator(UInt64.random(in: 0 ... .max))
    let store = files.path("a.sqlite")
    func add(_ round: Int) throws {
      let digests = (0..<60).map { Digest.random($0, of: round, using: &random) }
      try files.add(digests, to: "a.sqlite")
      try files.add(digests, to: "all.sqlite")
    }
    // How many bytes the last push took that was left alone.
    var bytes = 0
    for round in 0..<Server.rounds {
      try add(round)
      if round % 3 == 0 {
        let whole = try push(store, to: database, .never)
        #expect(whole.isDone)
        bytes = whole.traffic.bytes
      } else {
        _ = try push(
          store, to: database, .afterBytes(.random(in: 0...bytes, using: &random)),
          resets: .random(using: &random))
      }
    }

    #expect(try push(store, database.url()).status == 0)
    try expectEqual(database, files.path("all.sqlite"))
  }

  @Test func `a push counts once, whichever of the server's answers is lost`() throws {
    let files = try Files()
    let database = try Database()
    let store = files.path("a.sqlite")
    let report = ["models", "--format", "csv", "--store"]
    var losses = 0
    var commits = 0
    while true {
      try files.add([.at("2025-10-11T05:20:00Z", value: "\(losses)")], to: "a.sqlite")
      let push = try push(
        store, to: database, .insteadOfAnswer(losses + 1), resets: .random())
      // Nothing was left to answer but the farewell.
      if push.isDone { break }
      losses += 1
      // The server has counted it, and could not say so.
      if try Tool.run(report + [database.url()]) == Tool.run(report + [store]) { commits += 1 }
    }

    #expect(losses > 20)
    #expect(commits > 0)
    try expectEqual(database, store)
  }

  @Test(arguments: [
    ["top-novel-values"], ["models"], ["trend", "--by", "hour", "--group", "value"],
  ])
  func `a report whose connection is cut prints an error, and no answer`(report: [String]) throws {
    let files = try Files()
    let database = try Database()
    var random = SeededGenerator(37)
    try files.add((0..<300).map { .random($0, of: 0, using: &random) }, to: "a.sqlite")
    try #require(push(files.path("a.sqlite"), database.url()).status == 0)
    func ask(_ cut: CutProxy.Cut) throws -> (result: Tool.Result, traffic: CutProxy.Traffic) {
      try CutProxy.run(cut, resets: .random(using: &random)) {
        try Tool.run(report + ["--store", database.url(through: $0)])
      }
    }

    let whole = try ask(.never)
    #expect(whole.result.status == 0)
    var errors = 0
    for part in 0..<12 {
      let (result, _) = try ask(.afterBytes(whole.traffic.bytes * part / 12))
      if result == whole.result { continue }
      errors += 1
      #expect(result.status == 74 && result.output.isEmpty, "\(result)")
      #expect(result.error.wholeMatch(of: /digest-query: [^\n]+; [^\n]+\n/) != nil, "\(result)")
    }

    #expect(errors > 8)
  }

  @Test func `a report whose server fails after some rows prints an error, and no answer`() throws {
    let files = try Files()
    let database = try Database()
    var random = SeededGenerator(41)
    try files.add((0..<300).map { .random($0, of: 0, using: &random) }, to: "a.sqlite")
    try #require(push(files.path("a.sqlite"), database.url()).status == 0)
    try database.run(
      """
      ALTER TABLE digests.growth RENAME TO sent;
      CREATE VIEW digests.growth AS SELECT source_id, span, release_id, cells,
        start / (CASE WHEN release_id = (SELECT max(release_id) FROM digests.sent) THEN 0 ELSE 1 END) AS start
      FROM digests.sent ORDER BY release_id
      """)

    for report in [["top-novel-values"], ["top-failures"], ["trend", "--group", "value"]] {
      let result = try Tool.run(report + ["--store", database.url()])
      #expect(result.status == 74 && result.output.isEmpty, "\(result)")
      #expect(result.error.hasPrefix("digest-query: \(database.display): division by zero"))
    }
  }

  @Test(arguments: [0, 20_000])
  func `a push to which nothing answers any more ends`(bytes: Int) throws {
    let files = try Files()
    let database = try Database()
    let store = files.path("a.sqlite")
    var random = SeededGenerator(29)
    try files.add((0..<900).map { .random($0, of: 0, using: &random) }, to: "a.sqlite")

    let silent = try push(
      store, to: database, .silenceWithinRequest(bytes),
      "sslmode=require&connect_timeout=2&tcp_user_timeout=500")

    #expect(silent.traffic.isCut)
    #expect(!silent.isDone)
    #expect(try push(store, database.url()).status == 0)
    try expectEqual(database, store)
  }
}
