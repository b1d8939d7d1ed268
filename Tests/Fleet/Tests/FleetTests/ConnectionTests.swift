import Foundation
import Testing

/// What keeps a fleet from answering is told in one line, with what to do about it.
@Suite(.enabled(if: Server.isPostgreSQL))
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

  @Test(arguments: [
    "admin:geheim/xx@127.0.0.1:PORT/NAME", "admin:12/geheim@127.0.0.1:PORT/NAME",
    "admin:gehe?im@127.0.0.1:PORT/NAME", "admin:very:geheim@x@127.0.0.1:PORT/NAME",
    "admin:gehe%im@127.0.0.1:PORT/NAME", "admin:geheim%00x@127.0.0.1:PORT/NAME",
    "admin@127.0.0.1:PORT/NAME?password=ge%heim", "admin@127.0.0.1:PORT/NAME?password=geheim&im",
    "admin@127.0.0.1:PORT/NAME?password=ge@heim", "admin:geheim",
  ])
  func `a URL that cannot be read is not shown, for its password may be anywhere in it`(
    rest: String
  ) throws {
    let url = "postgresql://" + rest.replacing("PORT", with: Server.port)
    for command in [["sources", "--store", url], ["push", url], ["digests", "--store", url]] {
      let result = try Tool.run(command)
      #expect(
        result
          == Tool.Result(
            status: 64, output: "",
            error:
              "digest-query: the URL cannot be read: write @, :, /, ?, #, % and & in a password as "
              + "%40, %3A, %2F, %3F, %23, %25 and %26, or leave the password to ~/.pgpass or "
              + "$PGPASSWORD\n"), "\(command)")
    }
  }

  @Test(arguments: [
    "admin:very%3Age%40heim@127.0.0.1:PORT/NAME", "admin:geheim#1@127.0.0.1:PORT/NAME",
    "admin@127.0.0.1:PORT/NAME?password=geheim", "admin:\u{301}geheim@127.0.0.1:PORT/NAME",
    "admin:geheim@127.0.0.1:PORT/NAME?sslmode=require",
  ])
  func `a wrong password is not shown either`(rest: String) throws {
    let database = try Database()
    let url =
      "postgresql://"
      + rest.replacing("PORT", with: Server.port).replacing("NAME", with: database.name)
    expect(
      try sources(url, ["PGPASSWORD": ""]), 74,
      "\(database.display): password authentication failed for user \"admin\"; give the password in "
        + "~/.pgpass or $PGPASSWORD")
  }

  @Test func `a combining mark behind a separator does not show the password`() throws {
    let url = "postgresql://admin:geheim@\u{301}127.0.0.1:1/none"
    let result = try sources(url + "?hostaddr=127.0.0.1")
    #expect(result.status == 74)
    #expect(result.error.hasPrefix("digest-query: postgresql://admin@\u{301}127.0.0.1:1/none: "))
    #expect(!result.error.contains("geheim"), "\(result.error)")
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

  /// What connects to the suite's server, in every way in which libpq can be told of a host.
  private static let local: [(url: String, environment: [String: String])] = [
    ("admin@127.0.0.1:PORT/NAME", [:]), ("admin@localhost:PORT/NAME", [:]),
    ("admin@127.0.0.1,localhost:PORT/NAME", [:]),
    ("admin@127.255.0.1,[::1],127.0.0.1:PORT/NAME", [:]),
    ("admin@SOCKET:PORT/NAME", [:]), ("admin@:PORT/NAME?host=SOCKET", [:]),
    ("admin@:PORT/NAME?hostaddr=127.0.0.1", [:]),
    ("admin@db.example:PORT/NAME?hostaddr=127.0.0.1", [:]),
    ("admin@:PORT/NAME", ["PGHOST": "127.0.0.1"]),
    ("admin@:PORT/NAME", ["PGHOSTADDR": "127.0.0.1", "PGHOST": "db.example"]),
    ("admin@127.0.0.1:PORT/NAME", ["PGHOST": "127.1"]),
  ]

  /// The same server under a name that is not known to be this machine's.
  private static let remote: [(url: String, environment: [String: String])] = [
    ("admin@127.1:PORT/NAME", [:]), ("admin@127.1,127.0.0.1:PORT/NAME", [:]),
    ("admin@127.0.0.1,127.1:PORT/NAME", [:]), ("admin@:PORT/NAME?host=127.1", [:]),
    ("admin@localhost:PORT/NAME?hostaddr=127.1", [:]),
    ("admin@127.1,127.1:PORT/NAME?hostaddr=,127.0.0.1", [:]),
    ("admin@:PORT/NAME", ["PGHOST": "127.1"]),
    ("admin@localhost:PORT/NAME", ["PGHOSTADDR": "127.1"]),
    ("admin@:PORT/NAME?service=fleet", [:]), ("admin@:PORT/NAME", ["PGSERVICE": "fleet"]),
  ]

  private func sources(
    _ host: (url: String, environment: [String: String]), _ parameters: String = "",
    in database: Database, _ environment: [String: String] = [:]
  ) throws -> Tool.Result {
    let files = try Files()
    try Data("[fleet]\nhost=127.0.0.1\nsslmode=disable\n".utf8).write(
      to: URL(filePath: files.path("services")))
    let socket = Server.value("FLEET_CERTIFICATES").replacing("/", with: "%2F")
    let url =
      "postgresql://"
      + host.url.replacing("PORT", with: Server.port)
      .replacing("NAME", with: database.name).replacing("SOCKET", with: socket)
    return try sources(
      url + (parameters.isEmpty ? "" : (url.contains("?") ? "&" : "?") + parameters),
      // Without certificates of whoever runs this.
      ["HOME": files.directory.path, "PGSERVICEFILE": files.path("services")]
        .merging(host.environment) { $1 }.merging(environment) { $1 })
  }

  @Test(arguments: local)
  func `the certificate of a server on this machine need not be known`(
    host: (url: String, environment: [String: String])
  ) throws {
    let result = try sources(host, in: Database())
    #expect(result.status == 0, "\(result.error)")
    #expect(result.error == "")
  }

  @Test(arguments: remote)
  func `the certificate of any other server is verified unless sslmode says otherwise`(
    host: (url: String, environment: [String: String])
  ) throws {
    let database = try Database()
    let certificates = Server.value("FLEET_CERTIFICATES")

    let unknown = try sources(host, in: database)
    #expect(unknown.status == 74)
    #expect(unknown.output == "")
    #expect(
      unknown.error.contains(
        "/.postgresql/root.crt\" does not exist; add sslrootcert=FILE to the URL, with the root "
          + "certificate, or sslrootcert="), "\(unknown.error)")
    #expect(unknown.error.hasSuffix(" for those that this system trusts\n"))

    let other = try sources(host, "sslrootcert=\(certificates)/other.crt", in: database)
    #expect(other.error.contains("certificate verify failed"), "\(other.error)")
    #expect(other.status == 74)

    // In the URL, and in the environment.
    for result in [
      try sources(host, "sslmode=require", in: database),
      try sources(host, "sslmode=verify-ca&sslrootcert=\(certificates)/server.crt", in: database),
      try sources(host, in: database, ["PGSSLMODE": "prefer"]),
    ] {
      #expect(result.status == 0, "\(result.error)")
    }
  }

  @Test func `a certificate has to have the name of the server`() throws {
    let database = try Database()
    let certificate = "\(Server.value("FLEET_CERTIFICATES"))/server.crt"
    let result = try sources(
      ("admin@db.example:PORT/NAME?hostaddr=127.1", [:]), "sslrootcert=\(certificate)", in: database
    )
    #expect(result.status == 74)
    #expect(
      result.error.hasSuffix(
        " does not match host name \"db.example\"; check sslmode "
          + "and sslrootcert in the URL, and the server's certificate\n"), "\(result.error)")
    // By the host, wherever its address comes from.
    let known = try sources(
      ("admin@127.0.0.1:PORT/NAME?hostaddr=127.1", [:]), "sslrootcert=\(certificate)", in: database)
    #expect(known.status == 0, "\(known.error)")
  }

  @Test func `no such database`() throws {
    expect(
      try sources("postgresql://admin@127.0.0.1:\(Server.port)/none"), 66,
      "postgresql://admin@127.0.0.1:\(Server.port)/none: database \"none\" does not exist; check the "
        + "role and the database in the URL")
  }

  @Test func `a database without a fleet, of a newer version, and of a development build`() throws {
    let empty = try Database(isEmpty: true)
    expect(
      try sources(empty.url()), 66,
      "\(empty.display) has no tables of a fleet; make them with digest-query init URL")

    let database = try Database()
    try database.run("UPDATE digests.fleet SET version = 2")
    for command in [["init", database.url()], ["sources", "--store", database.url()]] {
      expect(
        try Tool.run(command), 65,
        "\(database.display) has schema 2, and this version knows 1: use a newer version")
    }
    #expect(try database.run("SELECT version FROM digests.fleet") == "2")

    try database.run(
      "ALTER TABLE digests.fleet RENAME version TO schema_version; UPDATE digests.fleet SET "
        + "schema_version = 5")
    for command in [["init", database.url()], ["sources", "--store", database.url()]] {
      expect(
        try Tool.run(command), 65,
        "\(database.display) has the tables of a development build: drop the schema digests, run "
          + "digest-query init URL, and push all stores again")
    }
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
    #expect(refused.status == 64)
    #expect(
      refused.error.hasSuffix(
        ": permission denied for table source; have the owner of the tables grant it: digest-query init "
          + "URL --writer ROLE\n"))
    #expect(
      try Tool.run("push", database.url(user: writer), "--store", files.path("a.sqlite")).status
        == 0)
    #expect(try Tool.run("top-novel-values", "--store", url).output.contains("villa"))
  }

  @Test func `only the owner of the tables can grant their use`() throws {
    let database = try Database()
    let (reader, writer) = ("reader_\(database.name)", "writer_\(database.name)")
    try database.run(
      """
      CREATE ROLE \(reader) LOGIN;
      CREATE ROLE \(writer) LOGIN PASSWORD '\(Server.value("PGPASSWORD"))';
      """)
    #expect(try Tool.run("init", database.url(), "--writer", writer).status == 0)
    expect(
      try Tool.run("init", database.url(user: writer), "--reader", reader), 64,
      "postgresql://\(writer)@127.0.0.1:\(Server.port)/\(database.name): the schema digests belongs to "
        + "admin, and only that role may do this: run it as admin")
    expect(
      try Tool.run("prune", "--max-age", "1d", "--store", database.url(user: writer)), 64,
      "postgresql://\(writer)@127.0.0.1:\(Server.port)/\(database.name): the schema digests belongs to "
        + "admin, and only that role may do this: run it as admin")
  }

  @Test func `a server that takes no more connections`() throws {
    let database = try Database()
    try database.run(
      """
      CREATE ROLE many_\(database.name) LOGIN PASSWORD '\(Server.value("PGPASSWORD"))'
      CONNECTION LIMIT 0
      """)
    let result = try sources(database.url(user: "many_\(database.name)"))
    #expect(result.status == 74)
    #expect(
      result.error.hasSuffix(
        ": too many connections for role \"many_\(database.name)\"; run it again later, or let the "
          + "server take more connections\n"))
  }

  @Test func `a database that does not have every character, and one with a schema of that name`()
    throws
  {
    let name = "latin_\(UUID().uuidString.lowercased().replacing("-", with: ""))"
    try Database.run(
      "CREATE DATABASE \(name) TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'", in: "postgres")
    let display = "postgresql://admin@127.0.0.1:\(Server.port)/\(name)"
    expect(
      try Tool.run("init", "\(display)?sslmode=require"), 65,
      "\(display) has the encoding LATIN1, which does not have every character: make a database with "
        + "ENCODING 'UTF8'")

    let database = try Database(isEmpty: true)
    try database.run("CREATE SCHEMA digests")
    expect(
      try Tool.run("init", database.url()), 65,
      "\(database.display) has a schema digests that is no fleet's; take another database")
  }

  @Test func `a role that is not there`() throws {
    let database = try Database()
    expect(
      try Tool.run("init", database.url(), "--writer", "no \"one\""), 66,
      "\(database.display) has no role no \"one\"; make it with CREATE ROLE \"no \"\"one\"\"\" LOGIN"
    )
  }

  @Test func `texts that are no URLs`() throws {
    expect(
      try Tool.run("push", "db.example"), 64,
      "a fleet is named by a URL such as postgresql://user@host/database or "
        + "clickhouse://user@host:8443/database; see digest-query help init")
  }
}
