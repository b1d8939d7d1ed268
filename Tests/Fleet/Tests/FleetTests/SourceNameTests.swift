import Foundation
import Testing

/// The names by which a fleet lists its stores.
struct SourceNameTests {
  private let count = "SELECT count(*) FROM digests.source"
  private let countLatest = "SELECT count() FROM digests.source FINAL WHERE revision > 0"

  private func push(
    _ store: String, to database: Database, as role: String = "admin", _ options: String...
  ) throws -> Tool.Result {
    try Tool.run(["push", database.url(user: role), "--store", store] + options)
  }

  private func names(_ database: Database) throws -> [String] {
    try database.run(
      "SELECT name FROM digests.source ORDER BY id",
      clickHouse: "SELECT name FROM digests.source FINAL WHERE revision > 0 ORDER BY name"
    ).split(separator: "\n")
      .map(String.init)
  }

  @Test func `a store keeps its name, and is renamed when that is asked for`() throws {
    let files = try Files()
    let database = try Database()
    let (store, copy) = (files.path("a.sqlite"), files.path("copy.sqlite"))
    try files.add([.at("2025-10-11T05:20:00Z")], to: "a.sqlite")
    try FileManager.default.copyItem(atPath: store, toPath: copy)
    #expect(try push(store, to: database, "--name", "web-1").status == 0)

    #expect(
      try push(copy, to: database, "--name", "web-2")
        == Tool.Result(
          status: 64, output: "",
          error:
            "digest-query: \(database.display) knows this store as web-1: leave --name out, or add "
            + "--take-name to rename it; a copy of its file is no store of its own\n"))
    #expect(try names(database) == ["web-1"])

    // Without a name it has the one that it had, whatever the machine is called.
    #expect(try push(store, to: database).output.hasPrefix("web-1: pushed 0 counts"))
    #expect(try push(store, to: database, "--take-name").output.hasPrefix("web-1: "))
    #expect(
      try push(store, to: database, "--name", "web-2", "--take-name").output.hasPrefix("web-2: "))
    #expect(try names(database) == ["web-2"])
    #expect(try push(store, to: database).output.hasPrefix("web-2: "))
  }

  @Test func `two stores of a role have two names unless one takes the other's place`() throws {
    let files = try Files()
    let database = try Database()
    for store in ["a", "b"] { try files.add([.at("2025-10-11T05:20:00Z")], to: "\(store).sqlite") }
    #expect(try push(files.path("a.sqlite"), to: database, "--name", "we\u{1B}b").status == 0)
    try database.run(
      "UPDATE digests.source SET last_pushed_at = '2025-10-12 07:00:00.123+02'",
      clickHouse: """
        INSERT INTO digests.source (id, identity, name, role, revision, pushed_at)
        SELECT id, identity, name, role, 9, 1760245200123 FROM digests.source FINAL WHERE revision > 0
        """)
    let identity = try database.run(
      "SELECT identity FROM digests.source",
      clickHouse: "SELECT identity FROM digests.source FINAL WHERE revision > 0")

    #expect(
      try push(files.path("b.sqlite"), to: database, "--name", "we\u{1B}b")
        == Tool.Result(
          status: 64, output: "",
          error:
            "digest-query: \(database.display) has another store of the name we\\u{1B}b (identity "
            + "\(identity), pushed 2025-10-12 05:00:00Z): give this one another with --name, or add "
            + "--take-name if it takes that one's place\n"))
    #expect(try database.run(count, clickHouse: countLatest) == "1")

    #expect(
      try push(files.path("b.sqlite"), to: database, "--name", "we\u{1B}b", "--take-name").status
        == 0)
    #expect(try database.run(count, clickHouse: countLatest) == "2")
    // From then on it is known.
    #expect(try push(files.path("b.sqlite"), to: database, "--name", "we\u{1B}b").status == 0)
    #expect(try push(files.path("b.sqlite"), to: database).status == 0)
  }

  @Test(.enabled(if: Server.isPostgreSQL))
  func `of two first pushes at the same time one gets the name`() throws {
    let files = try Files()
    let database = try Database()
    for fifo in ["ready", "done"] { try #require(mkfifo(files.path(fifo), 0o600) == 0) }
    for store in ["a", "b"] { try files.add([.at("2025-10-11T05:20:00Z")], to: "\(store).sqlite") }
    // Both find the name free before either can enter its store.
    let session = try Tool.start(
      "/bin/sh", ["-c", "psql -XqAt '\(database.url())'"], [:],
      Data(
        """
        BEGIN;
        LOCK TABLE digests.source IN SHARE MODE;
        \\! echo > '\(files.path("ready"))'
        \\! cat '\(files.path("done"))'
        COMMIT;
        """.utf8))
    _ = try Tool.shell("cat '\(files.path("ready"))'")
    let pushes = try ["a", "b"].map { store in
      try Tool.start(
        Tool.path,
        ["push", database.url(), "--name", "web-1", "--store", files.path("\(store).sqlite")])
    }
    let waiting =
      "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = "
      + "'\(database.name)'"
    var isWaiting = false
    for _ in 0..<1_000 where !isWaiting { isWaiting = try database.run(waiting) == "2" }
    #expect(isWaiting)
    _ = try Tool.shell("echo > '\(files.path("done"))'")
    _ = try Tool.finish(session)

    let results = try pushes.map { try Tool.finish($0) }.sorted { $0.status < $1.status }

    let identity = try database.run("SELECT identity FROM digests.source")
    #expect(results.map(\.status) == [0, 64])
    #expect(
      results[1].error.hasPrefix(
        "digest-query: \(database.display) has another store of the name web-1 (identity \(identity), "
          + "pushed "), "\(results[1])")
    #expect(try names(database) == ["web-1"])
  }

  @Test(.enabled(if: Server.isPostgreSQL))
  func `a store of another role may have any name`() throws {
    let files = try Files()
    let database = try Database()
    let writer = "writer_\(database.name)"
    try database.run("CREATE ROLE \(writer) LOGIN PASSWORD '\(Server.value("PGPASSWORD"))'")
    try #require(Tool.run("init", database.url(), "--writer", writer).status == 0)
    for (store, role) in [("a", "admin"), ("b", writer)] {
      try files.add([.at("2025-10-11T05:20:00Z")], to: "\(store).sqlite")
      #expect(
        try push(files.path("\(store).sqlite"), to: database, as: role, "--name", "web-1").status
          == 0)
    }
    #expect(try names(database) == ["web-1", "web-1"])
  }

  @Test func `a store that was begun in the place of a damaged one has its name`() throws {
    let files = try Files()
    let database = try Database()
    let store = files.path("a.sqlite")
    try files.add([.at("2025-10-11T05:20:00Z")], to: "a.sqlite")
    #expect(try push(store, to: database, "--name", "web-1").status == 0)
    let file = try FileHandle(forUpdating: URL(filePath: store))
    try file.seek(toOffset: 4_096)
    try file.write(contentsOf: Data(repeating: 0xff, count: 8_192))
    try file.close()
    try files.add([.at("2025-10-12T05:20:00Z")], to: "a.sqlite")
    try #require(
      FileManager.default.contentsOfDirectory(atPath: files.directory.path)
        .contains { $0.hasPrefix("a.sqlite.broken-") })

    #expect(try push(store, to: database, "--name", "web-1").status == 0)
    #expect(try names(database) == ["web-1", "web-1"])
    // That is no reason to be renamed.
    #expect(try push(store, to: database, "--name", "web-2").status == 64)
  }
}
