import Foundation
import Testing

/// What keeps a fleet from answering is told in one line, with what to do about it.
struct ConnectionTests {
  private func sources(_ url: String, _ environment: [String: String] = [:]) throws -> Tool.Result {
    try Tool.run(["sources", "--store", url], environment: environment)
  }

  private func expect(
    _ result: Tool.Result, _ status: Int32, _ message: String,
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(
      result == Tool.Result(status: status, output: "", error: "digest-query: \(message)\n"),
      sourceLocation: location)
  }

  @Test func `a wrong password`() throws {
    let database = try Database()
    expect(
      try sources(database.url(), ["PGPASSWORD": "wrong"]), 74,
      "\(database.display): password authentication failed for user \"admin\"; give the password in "
        + "~/.pgpass or $PGPASSWORD")
  }

  @Test func `no password is ever shown`() throws {
    let database = try Database()
    let result = try sources(
      "postgresql://admin:very:se@cret@127.0.0.1:\(Server.port)/\(database.name)")
    expect(
      result, 64,
      "the URL has more than one @: write one in a password as %40, or leave the password to "
        + "~/.pgpass or $PGPASSWORD")
    let encoded = try sources(
      "postgresql://admin:very:se%40cret@127.0.0.1:\(Server.port)/\(database.name)")
    #expect(encoded.status == 74)
    #expect(!encoded.error.contains("cret"))
    let parameter = try sources(database.url("password=secret&sslmode=require"), ["PGPASSWORD": ""])
    #expect(parameter.status == 74)
    #expect(!parameter.error.contains("secret"))
  }

  @Test func `no server`() throws {
    expect(
      try sources("postgresql://admin@127.0.0.1:1/none"), 74,
      "postgresql://admin@127.0.0.1:1/none: Connection refused; check the URL, and whether the server "
        + "runs")
  }

  @Test func `a server with the right certificate, and one with another`() throws {
    let database = try Database()
    let directory = Server.value("FLEET_CERTIFICATES")
    let right = try sources(
      database.url("sslmode=verify-full&sslrootcert=\(directory)/server.crt"))
    #expect(right.status == 0, "\(right.error)")

    let other = try sources(
      database.url("sslmode=verify-full&sslrootcert=\(directory)/other.crt"))
    #expect(other.status == 74)
    #expect(other.error.contains("certificate verify failed"))
    #expect(
      other.error.hasSuffix(
        "; check sslmode and sslrootcert in the URL, and the server's certificate\n"))
    #expect(other.error.split(separator: "\n").count == 1)
  }

  @Test func `no such database`() throws {
    expect(
      try sources("postgresql://admin@127.0.0.1:\(Server.port)/none"), 74,
      "postgresql://admin@127.0.0.1:\(Server.port)/none: database \"none\" does not exist; check the "
        + "role and the database in the URL")
  }

  @Test func `a database without a fleet, and one of another version`() throws {
    let empty = try Database(isEmpty: true)
    expect(
      try sources(empty.url()), 66,
      "\(empty.display) has no tables of a fleet; make them with digest-query init URL")

    let database = try Database()
    try database.run("UPDATE digests.fleet SET schema_version = 99")
    expect(
      try sources(database.url()), 65,
      "\(database.display) has schema 99, and this version knows 2: use a newer version")
  }

  @Test func `a reader may ask and not push, a writer may push`() throws {
    let files = try Files()
    try files.add([.at("2025-10-11T05:20:00Z")], to: "a.sqlite")
    let database = try Database()
    let (reader, writer) = ("reader_\(database.name)", "writer_\(database.name)")
    try database.run(
      """
      CREATE ROLE \(reader) LOGIN PASSWORD '\(Server.value("PGPASSWORD"))';
      CREATE ROLE \(writer) LOGIN PASSWORD '\(Server.value("PGPASSWORD"))';
      """)
    #expect(
      try Tool.run("init", database.url(), "--writer", writer, "--reader", reader)
        == Tool.Result(
          status: 0, output: "\(database.display): the tables are there already\n", error: ""))

    let url = database.url(user: reader)
    let refused = try Tool.run("push", url, "--store", files.path("a.sqlite"))
    #expect(refused.status == 74)
    #expect(
      refused.error.hasSuffix(
        ": permission denied for table source; have digest-query init grant it, with --writer or "
          + "--reader\n"))
    #expect(
      try Tool.run("push", database.url(user: writer), "--store", files.path("a.sqlite")).status
        == 0)
    #expect(try Tool.run("top-novel-values", "--store", url).output.contains("villa"))
  }

  @Test func `a role that is not there`() throws {
    let database = try Database()
    expect(
      try Tool.run("init", database.url(), "--writer", "no \"one\""), 74,
      "\(database.display) has no role no \"one\"; make it with CREATE ROLE \"no \"\"one\"\"\" LOGIN"
    )
  }

  @Test func `what is no URL`() throws {
    expect(
      try Tool.run("push", "db.example"), 64,
      "a fleet is named by a URL such as postgresql://user@host/database; see digest-query --help")
  }
}
