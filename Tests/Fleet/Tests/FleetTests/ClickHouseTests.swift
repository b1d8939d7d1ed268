import Foundation
import Testing

/// Faults of a ClickHouse server, of its cluster, and of the rights of its users.
@Suite(.enabled(if: Server.engine == .clickHouse))
struct ClickHouseTests {
  private let files: Files

  init() throws {
    files = try Files()
    try files.add([.at("2025-10-11T05:20:00Z"), .at("2025-10-11T06:20:00Z")], to: "a.sqlite")
  }

  private func push(to database: Database, user: String = "admin") throws -> Tool.Result {
    try Tool.run(
      "push", database.url(user: user), "--name", "web-1", "--store", files.path("a.sqlite"))
  }

  private func error(_ text: String, status: Int32) -> Tool.Result {
    Tool.Result(status: status, output: "", error: "digest-query: \(text)\n")
  }

  @Test func `tables are made once, on one server or a cluster`() throws {
    for options in [[], ["--cluster", "shards"], ["--cluster", "fleet", "--replicated"]] {
      let database = try Database(isEmpty: true)
      #expect(
        try Tool.run("models", "--store", database.url())
          == error(
            "\(database.display) has no tables of a fleet; make them with digest-query init URL",
            status: 66))
      let made = try Tool.run(["init", database.url()] + options)
      #expect(made.output == "\(database.display): made the tables\n", "\(made)")
      #expect(
        try Tool.run("init", database.url()).output
          == "\(database.display): the tables are there already\n")
      #expect(try push(to: database).status == 0)
      for report in ["top-novel-values", "models"] {
        #expect(
          try Tool.run(report, "--store", database.url())
            == Tool.run(report, "--store", files.path("a.sqlite")))
      }
    }
  }

  @Test func `what init cannot do is said in a line`() throws {
    let database = try Database(isEmpty: true)
    let name = database.display
    for (options, message, status) in [
      (["--replicated"], "\(name): --replicated needs --cluster NAME", 65),
      (
        ["--reader", "oncall"],
        "\(name): omit --writer and --reader, and give the users their rights in ClickHouse: SELECT "
          + "on the database to query, and INSERT to push", 65
      ),
      (
        ["--cluster", "nowhere"],
        "\(name) has no cluster nowhere; SELECT * FROM system.clusters lists those that it has", 66
      ),
      (
        ["--cluster", "fleet"],
        "\(name): the shards of the cluster fleet have several servers: add --replicated", 65
      ),
    ] as [([String], String, Int32)] {
      #expect(try Tool.run(["init", database.url()] + options) == error(message, status: status))
    }
    try #require(Tool.run("init", database.url()).status == 0)
    #expect(
      try Tool.run("init", database.url(), "--cluster", "fleet")
        == error(
          "\(name) has tables that were made for one server; use another database",
          status: 65))
  }

  @Test func `tables of others are left alone`() throws {
    for columns in ["(a UInt8)", "(id UInt64, name String, version UInt64)"] {
      let database = try Database(isEmpty: true)
      try database.run("CREATE DATABASE \(database.name)")
      try database.run("CREATE TABLE \(database.name).release \(columns) ENGINE = Log")
      #expect(
        try Tool.run("init", database.url())
          == error(
            "\(database.display) has a table release that is no fleet's; use another database",
            status: 65))
      #expect(
        try database.run("SELECT name FROM system.tables WHERE database = '\(database.name)'")
          == "release")
    }
  }

  @Test func `rights that are missing are named`() throws {
    let database = try Database()
    try #require(push(to: database).status == 0)
    try files.add([.at("2025-10-11T05:20:00Z")], to: "b.sqlite")
    let reader = try Tool.run(
      "push", database.url(user: "oncall"), "--name", "web-2", "--store", files.path("b.sqlite"))
    #expect(reader.status == 64, "\(reader)")
    #expect(reader.error.hasSuffix("; give the user SELECT and INSERT on the database\n"))
    for user in ["oncall", "strict"] {
      #expect(
        try Tool.run("top-failures", "--limit", "1", "--store", database.url(user: user))
          == Tool.run("top-failures", "--limit", "1", "--store", files.path("a.sqlite")), "\(user)")
    }
    let stranger = try Tool.run("models", "--store", database.url(user: "stranger"))
    #expect(stranger.status == 64, "\(stranger)")
    #expect(stranger.error.hasSuffix("; give the user SELECT on the database\n"))
    let other = try push(to: database, user: "web-1")
    #expect(
      other
        == error(
          "\(database.display.replacing("admin", with: "web-1")): another role than web-1 has pushed this "
            + "store (admin): push it as that one", status: 64))
  }

  @Test func `the password is in the environment, a file or the URL, and is never shown`() throws {
    let database = try Database()
    let password = Server.value("CLICKHOUSE_PASSWORD")
    let file = files.path("password")
    try "\(password)\n".write(toFile: file, atomically: true, encoding: .utf8)
    let none = ["CLICKHOUSE_PASSWORD": ""]
    let inURL = database.url(user: "admin:\(password)")
    #expect(
      try Tool.run("sources", "--store", inURL, environment: none).status == 0)
    for (environment, isRight) in [
      (["CLICKHOUSE_PASSWORD_FILE": file], true), (["CLICKHOUSE_PASSWORD_FILE": ""], false),
    ] {
      let result = try Tool.start(
        "/usr/bin/env",
        ["-u", "CLICKHOUSE_PASSWORD", Tool.path, "sources", "--store", database.url()], environment)
      #expect(try (Tool.finish(result).status == 0) == isRight)
    }
    let wrong = try Tool.run(
      "sources", "--store", database.url(user: "admin:secret"), environment: none)
    #expect(
      wrong
        == error(
          "\(database.display): the server rejected the user or the password; give the password in "
            + "$CLICKHOUSE_PASSWORD, or its file in $CLICKHOUSE_PASSWORD_FILE", status: 64))
  }

  @Test func `no proxy reads a password, and no answer is one in part`() throws {
    let database = try Database()
    #expect(
      try Tool.run(
        "sources", "--store", database.url(),
        environment: ["http_proxy": "http://127.0.0.1:9", "all_proxy": "http://127.0.0.1:9"]
      ).status == 0)
    #expect(
      try Tool.run("models", "--store", database.url(user: "hasty"))
        == error(
          "\(database.display.replacing("admin", with: "hasty")): the user's settings allow answers in part "
            + "(skip_unavailable_shards); set them to their defaults in the user's profile",
          status: 65))
  }

  /// A writer may put anything into the tables.
  @Test func `rows that no push has written stop no one`() throws {
    let database = try Database()
    try #require(push(to: database).status == 0)
    let most = UInt64.max
    try database.run(
      """
      INSERT INTO digests.counts (counted, span, start, id, pair, occurrences, digests, first_seen,
        last_seen) VALUES (0, 0, 0, 'x', 1, \(most), \(most), -9223372036854775808, 9223372036854775807),
        (1, 24, 4294967295, 'x', 1, \(most), \(most), 0, 0), (9, 9, 9, '', 1, 1, 1, 1, 1),
        (3, 0, 0, 'x', 1, \(most), \(most), -9223372036854775808, 9223372036854775807),
        (4, 0, 0, 'x', 1, \(most), \(most), -9223372036854775808, 9223372036854775807)
      """)
    try database.run(
      """
      INSERT INTO digests.failure (id, coding_path, kind, version)
      VALUES ('x', 'items[].kind', 'unknownNovelValue', \(most)), ('', '', '', 0)
      """)
    try database.run("INSERT INTO digests.model (id, name) VALUES ('x', 'App.Listing'), ('y', 'a')")
    try database.run("INSERT INTO digests.release (id, name) VALUES (1, '4.1.0'), (2, '4.1.0')")
    try database.run(
      """
      INSERT INTO digests.source (id, identity, name, revision, last_digest, pushed_at)
      VALUES (\(most), '', '', \(most), -9223372036854775808, 9223372036854775807)
      """)
    try database.run(
      "INSERT INTO digests.pack (source, counted, span, start, cells) VALUES (1, 255, -128, 7, 'x')"
    )
    for report in [
      ["top-failures"], ["top-failures", "--since", "2025-10-01T00:00:00Z"], ["models"],
      ["trend", "--by", "day"], ["trend", "--by", "day", "--group", "kind"], ["metrics"],
    ] {
      #expect(
        try Tool.run(report + ["--store", database.url()]).output
          == Tool.run(report + ["--store", files.path("a.sqlite")]).output, "\(report)")
    }
    for command in [
      ["sources"], ["digests"], ["report"], ["prune", "--max-age", "1d"], ["forget", "web-1"],
    ] {
      let result = try Tool.run(command + ["--store", database.url()])
      #expect(result.status == 0, "\(command) \(result)")
    }
  }

  @Test(arguments: [
    "clickhouse://admin:se@cret@127.0.0.1:1/drift", "clickhouse:///drift", "clickhouse://",
    "clickhouse://admin:secret@127.0.0.1:1/drift#x", "clickhouse://admin:se cret@127.0.0.1/drift",
    "clickhouse://admin:secret@127.0.0.1:1/a`b", "clickhouse://admin:secret@127.0.0.1:1/a/b",
    "clickhouse://admin:secret@127.0.0.1:1", "clickhouse://admin:secret@127.0.0.1:99999999/drift",
    "clickhouse://admin:secret%0Dx@127.0.0.1:1/drift",
    "clickhouse://admin:secret@127.0.0.1:1/drift?password=secret",
    "clickhouse://admin:secret@127.0.0.1:1/drift",
  ])
  func `a URL that cannot be used is not shown with its password`(url: String) throws {
    let result = try Tool.run("models", "--store", url)
    #expect([64, 74].contains(result.status), "\(result)")
    #expect(result.output.isEmpty && result.error.split(separator: "\n").count == 1, "\(result)")
    #expect(!result.error.contains("cret"))
  }

  @Test func `the certificate of a server is verified`() throws {
    let database = try Database()
    let port = (Int(Server.port) ?? 0) + 3
    let url = "clickhouse://admin@127.0.0.1:\(port)/\(database.name)?tls=on"
    let refused = try Tool.run("sources", "--store", url)
    #expect(refused.status == 74 && refused.error.contains("certificate"), "\(refused)")
    // Trusted as the system's own, for this process alone; only root may arrange for that.
    guard getuid() == 0 else { return }
    let trust = "mount --bind '\(Server.value("FLEET_CERTIFICATES"))/server.crt'"
    let trusted = try Tool.shell(
      "unshare -m sh -c \"\(trust) /etc/ssl/certs/ca-certificates.crt && "
        + "'\(Tool.path)' sources --store '\(url)'\"")
    #expect(trusted.status == 0, "\(trusted)")
  }

  @Test func `answers go on without a replica, and are whole`() throws {
    let database = try Database()
    try #require(push(to: database).status == 0)
    for number in [0, 3] { try database.synchronize(number) }
    try Server.stop(1, 2)
    defer { for number in [1, 2] { try? Server.start(number) } }
    try files.add([.at("2025-10-14T05:20:00Z", value: "yurt")], to: "a.sqlite")
    let pushed = try push(to: database)
    #expect(pushed.status == 0, "\(pushed)")
    for report in ["top-failures", "models"] {
      #expect(
        try Tool.run(report, "--store", database.url())
          == Tool.run(report, "--store", files.path("a.sqlite")))
    }
  }

  @Test func `reports are refused while only a server that is down has rows`() throws {
    let database = try Database()
    try #require(push(to: database).status == 0)
    try files.add([.at("2025-10-14T05:20:00Z", value: "yurt")], to: "a.sqlite")
    var running: Set = [2, 3]
    defer { for number in [2, 3] where !running.contains(number) { try? Server.start(number) } }
    func stop(_ number: Int) throws {
      try Server.stop(number)
      running.remove(number)
    }
    func start(_ number: Int) throws {
      try Server.start(number)
      running.insert(number)
    }
    try stop(3)
    try #require(push(to: database).status == 0)
    try stop(2)
    try start(3)

    // The server notices within seconds.
    let end = Date() + 60
    var result = try Tool.run("models", "--store", database.url())
    while result.status == 0, Date() < end {
      result = try Tool.run("models", "--store", database.url())
    }
    #expect(result.status == 74 && result.output.isEmpty, "\(result)")
    #expect(
      result.error.hasSuffix(
        "; rows that were pushed are on a server that does not answer: start it, and run it again\n"
      ))
    try start(2)
    try expectEqualSoon("models", database)
  }

  /// Checks that a report is that on the store, once the servers that were started are up to date.
  private func expectEqualSoon(_ report: String, _ database: Database) throws {
    let end = Date() + 60
    var result = try Tool.run(report, "--store", database.url())
    while result.status == 74, Date() < end {
      result = try Tool.run(report, "--store", database.url())
    }
    #expect(try result == Tool.run(report, "--store", files.path("a.sqlite")))
  }

  @Test(.enabled(if: FullDisk.isPossible))
  func `a push to a full disk says so, and the next makes up for it`() throws {
    let database = try Database()
    try #require(push(to: database).status == 0)
    var random = SeededGenerator(31)
    try files.add((0..<60).map { .random($0, of: 0, using: &random) }, to: "a.sqlite")
    for growths in [0, 1, 3, 10, 30] {
      let full = try FullDisk.run(leaving: growths) { try push(to: database) }
      #expect(
        full
          == error(
            "\(database.display): No space left on device; free some space on the server's disk",
            status: 74), "\(growths)")
    }
    #expect(try push(to: database).status == 0)
    for report in [["top-failures"], ["models"], ["trend", "--by", "day"]] {
      #expect(
        try Tool.run(report + ["--store", database.url()])
          == Tool.run(report + ["--store", files.path("a.sqlite")]))
    }
  }

  @Test func `reports and pushes fail as a whole without a shard`() throws {
    let database = try Database()
    try #require(push(to: database).status == 0)
    try files.add([.at("2025-10-14T05:20:00Z", value: "yurt")], to: "a.sqlite")
    try Server.stop(2, 3)
    var isDown = true
    defer { if isDown { for number in [2, 3] { try? Server.start(number) } } }
    for report in [
      ["top-failures"], ["models"], ["trend"], ["sources"], ["check", "--max-occurrences", "9"],
    ] {
      let result = try Tool.run(report + ["--store", database.url()])
      #expect(result.status == 74 && result.output.isEmpty, "\(report) \(result)")
      #expect(
        result.error.hasSuffix(
          "; a server does not answer: check that all of them run, and run it again\n"),
        "\(report) \(result)")
    }
    #expect(try push(to: database).status == 74)
    for number in [2, 3] { try Server.start(number) }
    isDown = false
    #expect(try push(to: database).status == 0)
    try expectEqualSoon("top-failures", database)
  }
}
