#if PostgreSQL && ClickHouse
  import DigestStore
  import Foundation
  import Testing

  @testable import DigestFleet
  @testable import DigestStoreProcessTests
  @testable import DigestStoreTests

  /// What a push and a report do when something fails in the middle.
  @Suite(
    .enabled(if: !Server.running.isEmpty, "the environment names no server"), .serialized)
  struct FleetFaultTests {
    private struct Stop: Error {}

    @Test(arguments: Server.current)
    func `a push that is interrupted is completed by the next`(server: Server) throws {
      let fleet = try TestFleet(server)
      let store = try fleet.record(400, of: "a")
      var calls = 0
      #expect(throws: Stop.self) {
        try fleet.push(store) { _ in
          calls += 1
          if calls > 1 { throw Stop() }
        }
      }
      // ClickHouse has no transactions, so that a part of the rows may be there.
      if server.hasTransactions {
        #expect(try fleet.connect().reader().totals().occurrences == 0)
      }
      try fleet.pushToBoth(store)
      try fleet.expectEqualCounts()
    }

    @Test(arguments: Server.current)
    func `a push over a network that is cut is completed by the next`(server: Server) throws {
      let fleet = try TestFleet(server)
      // Each of them cuts another request off.
      var cuts = 0
      for (index, bytes) in stride(
        from: 2_000, through: 62_000, by: server.hasTransactions ? 3_000 : 6_000
      ).enumerated() {
        let name = "store \(index)"
        for round in 0..<2 {
          let store = try fleet.record(30, of: "a", from: 30 * round, in: name)
          if round == 0 || index.isMultiple(of: 2) {
            if try fleet.pushUntilCut(store, after: bytes) { cuts += 1 }
          }
          try fleet.pushToBoth(store)
        }
      }
      #expect(cuts > 2)
      try fleet.expectEqualCounts()
      let (reader, file) = try (fleet.connect().reader(), DigestReader(path: fleet.file))
      #expect(try reader.countsOfSources() == file.countsOfSources())
      #expect(try reader.digests().count == file.digests().count)
    }

    @Test(.enabled(if: Server.postgreSQL.url != nil), arguments: [1, 2, 3])
    func `a push to a server that ends is completed by the next`(call: Int) throws {
      let fleet = try TestFleet(.postgreSQL)
      let store = try fleet.record(400, of: "a")
      let admin = try PostgreSQLEngine(fleet.url)
      var calls = 0
      expectError(.inputOutput) {
        try fleet.push(store) { _ in
          calls += 1
          guard calls == call else { return }
          // As a server that restarts does.
          _ = try admin.integer(
            """
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """)
        }
      }
      #expect(try fleet.connect().reader().totals().occurrences == 0)
      try fleet.pushToBoth(store)
      try fleet.expectEqualCounts()
    }

    @Test(.enabled(if: ClickHouseServer.python != nil), arguments: [1, 2, 3])
    func `a push to a server that is killed is completed by the next`(call: Int) throws {
      let server = try ClickHouseServer()
      try server.start()
      let fleet = try TestFleet(.clickHouse, at: server.url)
      let store = try fleet.record(400, of: "a")
      var calls = 0
      expectError(.inputOutput) {
        try fleet.push(store) { _ in
          calls += 1
          if calls == call { server.kill() }
        }
      }
      try server.start()
      try fleet.pushToBoth(store)
      try fleet.expectEqualCounts()
    }

    @Test(.enabled(if: Server.postgreSQL.url != nil && SmallDisk.isAvailable))
    func `a push to PostgreSQL on a full disk is completed by the next`() throws {
      let disk = try SmallDisk(megabytes: 10, owner: "postgres")
      let space = "full_\(UUID().uuidString.lowercased().replacing("-", with: ""))"
      let url = try #require(Server.postgreSQL.url)
      let admin = try PostgreSQLEngine("\(url)/postgres?sslmode=disable")
      try admin.runScript("CREATE TABLESPACE \(space) LOCATION '\(disk.folder.url.path)'")
      defer { try? admin.runScript("DROP TABLESPACE \(space)") }
      try expectCompletion(TestFleet(.postgreSQL, options: "TABLESPACE \(space)"), on: disk)
    }

    @Test(
      .enabled(if: ClickHouseServer.python != nil && SmallDisk.isAvailable))
    func `a push to ClickHouse on a full disk is completed by the next`() throws {
      let disk = try SmallDisk(megabytes: 6)
      let server = try ClickHouseServer(in: disk.folder.url)
      try server.start()
      try expectCompletion(TestFleet(.clickHouse, at: server.url), on: disk)
    }

    private func expectCompletion(_ fleet: TestFleet, on disk: SmallDisk) throws {
      let store = try fleet.record(20_000, of: "a")
      let error = #expect(throws: DigestStoreError.self) { try fleet.push(store) }
      #expect(error?.code == .diskFull, "\(error?.description ?? "")")
      try disk.grow(toMegabytes: 500)
      try fleet.pushToBoth(store)
      try fleet.expectEqualCounts()
    }

    @Test(.enabled(if: ClickHouseServer.python != nil))
    func `an answer without a shard is an error`() throws {
      let server = try ClickHouseServer()
      try server.start()
      let fleet = try TestFleet(.clickHouse, at: server.url)
      try fleet.push(try fleet.record(100, of: "a"))
      let engine = try ClickHouseEngine(fleet.url)
      try engine.run("RENAME TABLE total_rows TO total_part")
      try engine.run(
        """
        CREATE TABLE total_rows AS total_part
        ENGINE = Distributed('incomplete', currentDatabase(), 'total_part')
        """)
      expectError(.inputOutput, "check that all servers run") {
        try fleet.connect().reader().novelValues()
      }
    }
  }
#endif
