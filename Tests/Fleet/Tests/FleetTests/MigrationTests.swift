import Foundation
import Testing

/// The tables of an older version, as it has left them, and the digests that it has counted.
struct MigrationTests {
  private func fixture(_ name: String) throws -> String {
    try String(
      contentsOf: #require(Bundle.module.resourceURL).appending(path: "Fixtures/\(name)"),
      encoding: .utf8)
  }

  /// A database with the tables of version 1, and a store with the digests that are counted there.
  private func older(_ files: Files) throws -> Database {
    let database = try Database(isEmpty: true)
    try database.run(fixture("fleet-1.sql"))
    let lines = try fixture("fleet-1.ndjson")
    try #require(
      Tool.run("import", "-", "--store", files.path("a.sqlite"), input: lines).status == 0)
    return database
  }

  @Test func `tables of an older version say how they are brought up to date`() throws {
    let files = try Files()
    let database = try older(files)
    for command in [["sources", "--store", database.url()], ["push", database.url()]] {
      let store = command[0] == "push" ? ["--store", files.path("a.sqlite")] : []
      #expect(
        try Tool.run(command + store)
          == Tool.Result(
            status: 65, output: "",
            error:
              "digest-query: \(database.display) has schema 1, and this version knows 2: bring it up "
              + "to date with digest-query init URL\n"))
    }
  }

  @Test func `what was counted before tables were brought up to date stays, and goes on`() throws {
    let files = try Files()
    let database = try older(files)

    #expect(
      try Tool.run("init", database.url())
        == Tool.Result(
          status: 0,
          output: "\(database.display): brought the tables up to date, from schema 1\n", error: ""))

    func expectEqualReports() throws {
      for report in [
        ["top-failures"], ["top-novel-values"], ["models"],
        ["trend", "--by", "hour", "--group", "value"],
        ["trend", "--by", "day", "--group", "release"],
        ["top-failures", "--since", "2026-01-01T07:00:00Z", "--until", "2026-01-04T09:00:00Z"],
      ] {
        #expect(
          try Tool.run(report + ["--store", database.url(), "--format", "csv"]).output
            == Tool.run(report + ["--store", files.path("a.sqlite"), "--format", "csv"]).output,
          "\(report)")
      }
    }
    try expectEqualReports()
    // As though it were the very file that was pushed.
    let other = try Database()
    try #require(Tool.run("push", other.url(), "--store", files.path("a.sqlite")).status == 0)
    let identity = try other.run("SELECT identity FROM digests.source")
    try database.run("UPDATE digests.source SET identity = '\(identity)'")
    #expect(
      try Tool.run("push", database.url(), "--store", files.path("a.sqlite"), "--name", "web-1")
        .output
        == "web-1: pushed 0 counts and 0 failures that were new; the fleet has 240 errors of 80 "
        + "digests\n")
    try files.add([.at("2026-01-02T05:20:00Z"), .at("2026-01-07T05:20:00Z")], to: "a.sqlite")
    #expect(
      try Tool.run("push", database.url(), "--store", files.path("a.sqlite"), "--name", "web-1")
        .status == 0)
    try expectEqualReports()

    // Another store has the same failures.
    let failures = try database.run("SELECT count(*) FROM digests.failure")
    try #require(
      Tool.run(
        "import", "-", "--store", files.path("b.sqlite"), input: fixture("fleet-1.ndjson")
      ).status == 0)
    #expect(try Tool.run("push", database.url(), "--store", files.path("b.sqlite")).status == 0)
    #expect(try database.run("SELECT count(*) FROM digests.failure") == failures)
  }

  @Test func `who might push or ask before may do so after`() throws {
    let files = try Files()
    let database = try older(files)
    let (reader, writer) = ("reader_\(database.name)", "writer_\(database.name)")
    try database.run(
      """
      CREATE ROLE \(reader) LOGIN PASSWORD '\(Server.value("PGPASSWORD"))';
      CREATE ROLE \(writer) LOGIN PASSWORD '\(Server.value("PGPASSWORD"))';
      GRANT USAGE ON SCHEMA digests TO \(reader), \(writer);
      GRANT SELECT ON ALL TABLES IN SCHEMA digests TO \(reader), \(writer);
      GRANT INSERT, UPDATE ON digests.source TO \(writer);
      """)

    #expect(try Tool.run("init", database.url()).status == 0)

    try files.add([.at("2026-01-02T05:20:00Z")], to: "b.sqlite")
    #expect(
      try Tool.run("push", database.url(user: writer), "--store", files.path("b.sqlite")).status
        == 0)
    let trend = try Tool.run("trend", "--format", "csv", "--store", database.url(user: reader))
    #expect(trend.status == 0, "\(trend.error)")
    #expect(
      try Tool.run("push", database.url(user: reader), "--store", files.path("b.sqlite")).status
        == 74)
  }
}
