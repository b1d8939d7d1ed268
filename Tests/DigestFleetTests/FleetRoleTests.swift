#if PostgreSQL && ClickHouse
  import DigestStore
  import Foundation
  import Testing

  @testable import DigestFleet
  @testable import DigestStoreTests

  /// Roles and users may do what their command needs, and nothing else.
  struct FleetRoleTests {
    @Test(.enabled(if: Server.postgreSQL.url != nil))
    func `a role that pushes sees and changes nothing of others`() throws {
      let fleet = try TestFleet(.postgreSQL)
      let roles = ["one", "two", "reader"].map { "\($0)_\(UUID().uuidString.lowercased())" }
      let owner = try PostgreSQLEngine(fleet.url)
      for role in roles {
        try owner.runScript("CREATE ROLE \"\(role)\" LOGIN PASSWORD 'only-for-tests'")
      }
      defer {
        for role in roles {
          try? owner.runScript("DROP OWNED BY \"\(role)\"; DROP ROLE \"\(role)\"")
        }
      }
      try FleetURL.connect(fleet.url).makeTables(
        readers: [roles[2]], writers: Array(roles.prefix(2)))
      func url(_ role: Int) -> String {
        fleet.url.replacing("//admin@", with: "//\(roles[role]):only-for-tests@")
      }
      for (role, source) in "ab".enumerated() {
        let store = try fleet.record(60, of: source)
        _ = try FleetURL.connect(url(role)).push(storesAt: [store], progress: nil)
        _ = try DigestStore.push(storesAt: [store], to: fleet.file)
      }
      let file = try DigestReader(path: fleet.file)
      for url in [url(2), fleet.url] {
        let server = try FleetURL.connect(url).reader()
        #expect(try server.failures() == file.failures())
        #expect(try server.models() == file.models())
        #expect(try server.digests() == file.digests())
      }
      // The store of another role.
      expectError(.notPermitted) {
        try FleetURL.connect(url(1)).push(storesAt: [fleet.path("a.sqlite")], progress: nil)
      }

      let one = try PostgreSQLEngine(url(0))
      #expect(try one.integer("SELECT count(*) FROM source") == 1)
      #expect(try one.integer("SELECT count(*) FROM total WHERE context = 0") == 0)
      for table in ["total", "tally", "decodes", "digest"] {
        let column = table == "digest" ? "source" : "context"
        #expect(try one.integer("SELECT count(DISTINCT \(column)) FROM \(table)") ?? 0 > 0)
        let own =
          "SELECT count(*) FROM \(table) WHERE \(column) NOT IN (SELECT id FROM "
          + "\(column == "source" ? "source" : "context"))"
        #expect(try one.integer(own) == 0)
      }
      let forbidden = [
        "INSERT INTO total VALUES (0, 1, 1, 1, 0, 0)",
        "INSERT INTO tally SELECT span, 0, start, failure, 1, 1 FROM tally LIMIT 1",
        "UPDATE source SET role = 'x'", "UPDATE source SET identity = 'x'",
        "SELECT novel_value FROM failure", "UPDATE failure SET novel_value = 'x'",
        "DELETE FROM failure", "DELETE FROM digest",
        "SELECT * FROM occurrence", "SELECT * FROM fleet",
        "DROP TABLE tally", "CREATE TABLE digests.x (y int)", "SELECT add_up_total()",
        "UPDATE total SET context = 0", "UPDATE tally SET digests = 9",
        "INSERT INTO failure (key, model, coding_path, kind, novel_value) "
          + "SELECT substr(sha256('x'), 1, 16), min(id), 'kind', 'unknownNovelValue', 'x' FROM model",
      ]
      for sql in forbidden {
        #expect(throws: DigestStoreError.self, "\(sql)") { try one.execute(sql) }
      }
      #expect(try one.execute("DELETE FROM total WHERE context = 0") == 0)
      let reader = try PostgreSQLEngine(url(2))
      for sql in ["DELETE FROM total", "INSERT INTO model (name) VALUES ('x')", "DROP TABLE tally"]
      {
        #expect(throws: DigestStoreError.self, "\(sql)") { try reader.execute(sql) }
      }
      #expect(try FleetURL.connect(fleet.url).reader().failures() == file.failures())
    }

    @Test(.enabled(if: Server.postgreSQL.url != nil))
    func `a database without tables, and a wrong password, are errors`() throws {
      let fleet = try TestFleet(.postgreSQL, hasTables: false)
      expectError(.noSuchStore) {
        try FleetURL.connect(fleet.url).reader()
      }
      let url = fleet.url.replacing("//admin@", with: "//admin:wrong@")
      let refused = #expect(throws: DigestStoreError.self) { try FleetURL.connect(url) }
      #expect(refused?.code == .inputOutput)
      #expect(refused?.description.contains("wrong") == false)
    }

    @Test(
      .enabled(if: ProcessInfo.processInfo.environment["FLEET_POSTGRESQL_CERTIFICATE"] != nil),
      arguments: [
        ("127.0.0.1", "require", false, true), ("127.0.0.1", "verify-full", true, true),
        ("127.0.0.1", "verify-full", false, false), ("localhost", "verify-full", true, false),
        ("localhost", "verify-ca", true, true),
      ])
    func `a certificate is verified as the URL says`(
      host: String, mode: String, knowsCertificate: Bool, isTrusted: Bool
    ) throws {
      let certificate = try #require(
        ProcessInfo.processInfo.environment["FLEET_POSTGRESQL_CERTIFICATE"])
      let root = knowsCertificate ? certificate : "/none"
      let url = try #require(Server.postgreSQL.url).replacing("127.0.0.1", with: host)
      let connect = {
        try PostgreSQLEngine("\(url)/postgres?sslmode=\(mode)&sslrootcert=\(root)")
          .integer("SELECT CAST(ssl AS int) FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
      }
      if isTrusted {
        #expect(try connect() == 1)
      } else {
        expectError(.inputOutput) { try connect() }
      }
    }

    /// What the article Fleet grants to a user.
    private static func grants(to user: String) throws -> [String] {
      let article = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(
          path: "Sources/DigestStore/DigestStore.docc/Fleet.md")
      return try String(contentsOf: article, encoding: .utf8).split(separator: "\n")
        .filter { $0.hasPrefix("GRANT") && $0.contains(user) }
        .map { String($0.prefix(upTo: try #require($0.range(of: " TO ")?.lowerBound))) }
    }

    @Test(.enabled(if: ClickHouseServer.python != nil))
    func `a user of ClickHouse gets what the article grants`() throws {
      let server = try ClickHouseServer()
      try server.start()
      let fleet = try TestFleet(.clickHouse, at: server.url)
      try fleet.pushToBoth(try fleet.record(100, of: "a"))
      let admin = try ClickHouseEngine(fleet.url)
      try admin.run("CREATE TABLE default.other (x Int64) ENGINE = Memory")
      func restart(as user: String) throws {
        server.kill()
        let database = try #require(URL(string: fleet.url)?.lastPathComponent)
        // The server of these tests inserts rows by way of a file.
        try server.start(
          grants: try Self.grants(to: user).map { $0.replacing("drift", with: database) }
            + ["GRANT READ ON FILE"])
      }
      let forbidden = [
        "DROP TABLE tally_rows", "TRUNCATE TABLE tally_rows",
        "CREATE TABLE x (x Int64) ENGINE = Memory",
        "ALTER TABLE tally_rows DELETE WHERE 1", "SELECT * FROM default.other",
        "INSERT INTO default.other SELECT 1", "CREATE USER x",
        "SELECT * FROM url('http://127.0.0.1:1/')",
      ]

      try restart(as: "web_1")
      for source in "ab" { try fleet.pushToBoth(try fleet.record(50, of: source, from: 100)) }
      let writer = try ClickHouseEngine(fleet.url)
      for sql in forbidden {
        let error = #expect(throws: DigestStoreError.self, "\(sql)") { try writer.run(sql) }
        #expect(error?.code == .notPermitted)
      }

      try restart(as: "oncall")
      try fleet.expectEqualCounts()
      let reader = try ClickHouseEngine(fleet.url)
      for sql in forbidden + ["INSERT INTO fleet SELECT * FROM fleet"] {
        let error = #expect(throws: DigestStoreError.self, "\(sql)") { try reader.run(sql) }
        #expect(error?.code == .notPermitted)
      }
      let path = try fleet.record(10, of: "c")
      expectError(.notPermitted) { try fleet.push(path) }
    }
  }
#endif
