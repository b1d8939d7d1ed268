#if PostgreSQL && ClickHouse
  import DigestStore
  import Foundation
  import ResilientDecoding
  import Testing

  @testable import DigestFleet

  /// The kinds of servers that are tested.
  private enum Server: String, CaseIterable, CustomTestStringConvertible {
    case postgreSQL = "FLEET_POSTGRESQL"
    case clickHouse = "FLEET_CLICKHOUSE"
    case olderClickHouse = "FLEET_OLDER_CLICKHOUSE"

    var hasTransactions: Bool { self == .postgreSQL }

    /// The URL without a database; nil if the environment names none.
    var url: String? { ProcessInfo.processInfo.environment[rawValue] }

    static let running = allCases.filter { $0.url != nil }

    /// Without older versions.
    static let current = running.filter { $0 != .olderClickHouse }

    var testDescription: String { "\(self)" }
  }

  private struct Sound: Decodable {}

  /// A fleet on a server and one in a file, to which the same stores are pushed, give the same answers.
  /// Scripts/test-fleet starts the servers.
  @Suite(
    .enabled(if: !Server.running.isEmpty, "the environment names no server"), .serialized)
  struct FleetTests {
    /// A database of its own.
    private final class Fleet {
      let server: Server
      let folder: URL
      let url: String
      private let drop: () -> Void

      init(_ server: Server) throws {
        self.server = server
        let url = try #require(server.url)
        let name = "fleet_" + UUID().uuidString.lowercased().replacing("-", with: "")
        switch server {
        case .postgreSQL:
          let admin = try PostgreSQLEngine("\(url)/postgres?sslmode=disable")
          try admin.runScript("CREATE DATABASE \(name)")
          drop = { try? admin.runScript("DROP DATABASE \(name) WITH (FORCE)") }
          self.url = "\(url)/\(name)?sslmode=disable"
        case .clickHouse, .olderClickHouse:
          let admin = try ClickHouseEngine("\(url)/default")
          try admin.run("CREATE DATABASE \(name)")
          drop = { try? admin.run("DROP DATABASE \(name)") }
          self.url = "\(url)/\(name)"
        }
        folder = FileManager.default.temporaryDirectory.appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      }

      deinit {
        drop()
        try? FileManager.default.removeItem(at: folder)
      }

      func connect() throws -> any DigestFleet.Fleet { try FleetURL.connect(url) }

      /// Pushes a store over a network that is cut after some bytes.
      ///
      /// - Returns: whether that was before the end.
      @discardableResult
      func pushUntilCut(_ path: String, after bytes: Int) throws -> Bool {
        let port = try #require(URL(string: url)?.port.flatMap(UInt16.init))
        let proxy = try CuttingProxy(to: port, after: bytes)
        let fleet = url.replacing(":\(port)/", with: ":\(proxy.port)/")
        do {
          _ = try FleetURL.connect(fleet).push(storeAt: path, progress: nil)
          return false
        } catch let error as DigestStoreError where error.code == .inputOutput {
          return true
        }
      }

      func makeTables() throws { try connect().makeTables(readers: [], writers: []) }

      var file: String { path("fleet.sqlite") }

      func path(_ name: String) -> String { folder.appending(path: name).path }

      /// Pushes a store to both fleets.
      func push(_ path: String) throws -> (
        server: DigestStore.MergeSummary, file: DigestStore.MergeSummary
      ) {
        (
          try connect().push(storeAt: path, progress: nil),
          try #require(try DigestStore.mergeStores(at: [path], intoStoreAt: file).first)
        )
      }
    }

    /// Lines of digests with all kinds of names, of one source.
    private static func lines(
      _ count: Int, source: Character, from first: Int,
      _ generator: inout SystemRandomNumberGenerator
    ) -> String {
      let values = [
        "villa", "it's", "a\\\\b", "tab\\there", "\\u0000", "é", "e\\u0301", "%_*", "\u{10FFFE}",
      ]
      return (first..<first + count).map { number in
        let time = 1_763_600_000 + number * 1_700
        let date = Date(timeIntervalSince1970: Double(time)).ISO8601Format()
        let failures = (0..<Int.random(in: 0...4, using: &generator)).map { _ -> String in
          let value = values.randomElement(using: &generator) ?? ""
          return Bool.random(using: &generator)
            ? """
            {"path":"items[\(number % 9)].kind","kind":"unknownNovelValue","novelValue":"\(value)",\
            "novelValueType":"String","foundType":"string","foundValue":"\(value)","message":"no \(value)"}
            """
            : """
            {"path":"name","kind":"\(["keyNotFound", "converted", "typeMismatch"].randomElement() ?? "")"}
            """
        }
        let release =
          ["\"4.0\"", "\"4.1\"", "\"4.10\"", "null"].randomElement(using: &generator) ?? ""
        return """
          {"id":"\(String(repeating: source, count: 32))-\(number + 1)-\(time)000","recordedAt":"\(date)",\
          "model":"App.M\(number % 3)","release":\(release),"failures":[\(failures.joined(separator: ","))]}
          """
      }.joined(separator: "\n")
    }

    private static let filters: [DigestFilter] = {
      var path = DigestFilter(codingPath: "items[].*")
      path.novelValues = ["v*", "%_?", "é"]
      return [
        DigestFilter(), DigestFilter(model: "App.M?"), path, DigestFilter(release: "4.1"),
        DigestFilter(hasNoRelease: true), DigestFilter(kind: .converted),
        DigestFilter(
          since: Date(timeIntervalSince1970: 1_763_612_345),
          until: Date(timeIntervalSince1970: 1_763_700_001)),
        DigestFilter(release: "4.10", since: Date(timeIntervalSince1970: 1_763_650_000)),
      ]
    }()

    private static let fewFilters = [filters[0], filters[2], filters[7]]

    /// Expects that both fleets answer each question alike.
    private func expectEqualAnswers(
      _ fleet: Fleet, _ filters: [DigestFilter] = [DigestFilter()]
    ) throws {
      let (server, file) = try (fleet.connect().reader(), DigestReader(path: fleet.file))
      func expectEqual<Answer: Equatable>(_ question: (DigestReader) throws -> Answer) throws {
        let (answer, expected) = try (question(server), question(file))
        #expect(answer == expected)
      }
      for filter in filters {
        try expectEqual { try $0.novelValues(matching: filter, limit: 5) }
        // Samples are those of the first store that was pushed.
        try expectEqual { try $0.failures(matching: filter) }
        try expectEqual { try $0.models(matching: filter) }
        try expectEqual { try $0.totals(matching: filter) }
        try expectEqual { try $0.decodeCounts(matching: filter) }
        try expectEqual { try $0.newFailures(matching: filter) }
        try expectEqual { try $0.failureChanges(from: filter, to: Self.filters[3]) }
        try expectEqual { try $0.countedWindow(matching: filter) }
        try expectEqual { try $0.reachedLimits(matching: filter) }
        try expectEqual { try $0.losses(matching: filter) }
        try expectEqual { try $0.renames(matching: filter) }
        try expectEqual { try $0.overview(matching: filter, limit: 4) }
        try expectEqual { try Set($0.errorsByRelease(matching: filter)) }
        for grouping in DigestStore.Trend.Grouping.allCases {
          try expectEqual { try $0.trend(matching: filter, by: .day, groupedBy: grouping) }
        }
        try expectEqual { reader in
          var lines: [String] = []
          try reader.exportDigests(matching: filter) { lines.append($0) }
          // ClickHouse has digests in the order of time.
          return fleet.server.hasTransactions ? lines : lines.sorted()
        }
      }
      try expectEqual { try $0.names(of: .novelValue) }
      try expectEqual { try $0.names(of: .release) }
    }

    @Test(arguments: Server.running)
    private func `a server and a file give the same answers`(server: Server) throws {
      let fleet = try Fleet(server)
      try fleet.makeTables()
      var generator = SystemRandomNumberGenerator()
      var count = 0
      for round in 0..<6 {
        for (index, source) in "ab".enumerated() {
          let store = try DigestStore(path: fleet.path("\(source).sqlite"))
          let lines = Self.lines(40, source: source, from: count + index * 7, &generator)
          _ = try store.importDigests(Data(lines.utf8))
          _ = try JSONDecoder().decode(Sound.self, from: Data("{}".utf8), recordingTo: store)
          store.flush()
          if round == 3 { _ = try store.prune(maximumAge: .zero) }
          try store.close()
          let pushed = try fleet.push(store.path)
          #expect(pushed.server.added == pushed.file.added)
          #expect(try fleet.push(store.path).server.periods == 0)
        }
        count += 40
      }
      // A statement takes ten times as long in ClickHouse.
      try expectEqualAnswers(fleet, server.hasTransactions ? Self.filters : Self.fewFilters)

      let identity = try #require(try fleet.connect().reader().sources().last?.identity)
      let file = try DigestStore(path: fleet.file)
      #expect(
        try fleet.connect().forget(source: identity) == file.forget(source: identity))
      try file.close()
      try expectEqualAnswers(fleet)
    }

    @Test(arguments: Server.current)
    private func `a push that is interrupted is completed by the next`(server: Server) throws {
      struct Stop: Error {}
      let fleet = try Fleet(server)
      try fleet.makeTables()
      var generator = SystemRandomNumberGenerator()
      let store = try DigestStore(path: fleet.path("a.sqlite"))
      _ = try store.importDigests(Data(Self.lines(400, source: "a", from: 0, &generator).utf8))
      try store.close()
      let fleetOnServer = try fleet.connect()
      var calls = 0
      #expect(throws: Stop.self) {
        try fleetOnServer.push(storeAt: store.path) { _ in
          calls += 1
          if calls > 1 { throw Stop() }
        }
      }
      // ClickHouse has no transactions, so that a part of the rows may be there.
      if server.hasTransactions {
        #expect(try fleetOnServer.reader().totals().occurrences == 0)
      }
      _ = try fleet.push(store.path)
      try expectEqualAnswers(fleet)
    }

    @Test(arguments: Server.current)
    private func `a push over a network that is cut is completed by the next`(server: Server) throws
    {
      let fleet = try Fleet(server)
      try fleet.makeTables()
      var generator = SystemRandomNumberGenerator()
      // Each of them cuts another request off.
      var cuts = 0
      for (index, bytes) in stride(
        from: 2_000, through: 62_000, by: server.hasTransactions ? 3_000 : 6_000
      ).enumerated() {
        let source = try #require("abcdefghijklmnopqrstu".dropFirst(index).first)
        let path = fleet.path("\(source).sqlite")
        for round in 0..<2 {
          let store = try DigestStore(path: path)
          _ = try store.importDigests(
            Data(Self.lines(30, source: "a", from: 30 * round, &generator).utf8))
          try store.close()
          if round == 0 || index.isMultiple(of: 2) {
            if try fleet.pushUntilCut(path, after: bytes) { cuts += 1 }
          }
          _ = try fleet.push(path)
        }
      }
      #expect(cuts > 2)
      let (reader, file) = try (fleet.connect().reader(), DigestReader(path: fleet.file))
      #expect(try reader.failures().counts == file.failures().counts)
      #expect(
        try reader.trend(by: .hour, groupedBy: .novelValue)
          == file.trend(by: .hour, groupedBy: .novelValue))
      #expect(try reader.models() == file.models())
      #expect(try Set(reader.sources()) == Set(file.sources()))
      #expect(try reader.digests().count == file.digests().count)
    }

    @Test(arguments: Server.current)
    private func `pushes at the same time count each digest once`(server: Server) async throws {
      let fleet = try Fleet(server)
      try fleet.makeTables()
      var generator = SystemRandomNumberGenerator()
      let paths = try "abcd".map { source in
        let store = try DigestStore(path: fleet.path("\(source).sqlite"))
        _ = try store.importDigests(
          Data(Self.lines(100, source: source, from: 0, &generator).utf8))
        try store.close()
        return store.path
      }
      let url = fleet.url
      try await withThrowingTaskGroup { group in
        for path in paths + paths + paths {
          group.addTask { _ = try FleetURL.connect(url).push(storeAt: path, progress: nil) }
        }
        try await group.waitForAll()
      }
      for path in paths {
        _ = try DigestStore.mergeStores(at: [path], intoStoreAt: fleet.file)
      }
      let (reader, file) = try (fleet.connect().reader(), DigestReader(path: fleet.file))
      #expect(try reader.failures().counts == file.failures().counts)
      #expect(try reader.models() == file.models())
      #expect(try reader.digests().count == file.digests().count)
    }

    @Test(arguments: Server.current)
    private func `a dashboard's query counts what a file's view counts`(server: Server) throws {
      let fleet = try Fleet(server)
      try fleet.makeTables()
      var generator = SystemRandomNumberGenerator()
      for source in "ab" {
        let store = try DigestStore(path: fleet.path("\(source).sqlite"))
        _ = try store.importDigests(
          Data(Self.lines(200, source: source, from: 0, &generator).utf8))
        try store.close()
        _ = try fleet.push(store.path)
      }
      // The query of the article Fleet, with the limits that Grafana sets.
      let query = """
        SELECT start AS time, novel_value AS metric, sum(occurrences) AS occurrences
        FROM counts_by_day
        WHERE start >= '2025-11-21 00:00:00' AND model = 'App.M1' AND novel_value IS NOT NULL
        GROUP BY 1, 2 ORDER BY 1, 2
        """
      let engine: any Engine =
        try server.hasTransactions
        ? PostgreSQLEngine(fleet.url) : ClickHouseEngine(fleet.url)
      let rows = try engine.rows(query) { row in
        "\(row.text(at: 0)?.prefix(10) ?? "") \(row.text(at: 1) ?? "") \(row.integer(at: 2))"
      }
      let trend = try DigestReader(path: fleet.file).trend(
        matching: DigestFilter(
          model: "App.M1", since: Date(timeIntervalSince1970: 1_763_683_200)), by: .day,
        groupedBy: .novelValue)
      let expected = trend.flatMap { group in
        group.points.filter { $0.occurrences ?? 0 > 0 }.map {
          "\($0.start.ISO8601Format().prefix(10)) \(group.novelValue ?? "") \($0.occurrences ?? 0)"
        }
      }
      #expect(rows.sorted() == expected.sorted())
      for view in [
        "failures", "novel_values", "counts_by_hour", "counts_by_day", "decodes_by_hour",
        "decodes_by_day",
      ] {
        #expect(try engine.integer("SELECT count(*) FROM \(view)") ?? 0 > 0, "\(view)")
      }
    }

    @Test(arguments: Server.current)
    private func `digests that are pruned stay counted`(server: Server) throws {
      let fleet = try Fleet(server)
      try fleet.makeTables()
      var generator = SystemRandomNumberGenerator()
      let store = try DigestStore(path: fleet.path("a.sqlite"))
      _ = try store.importDigests(Data(Self.lines(200, source: "a", from: 0, &generator).utf8))
      try store.close()
      _ = try fleet.push(store.path)
      let before = try fleet.connect().reader().failures()
      let time = Date(timeIntervalSince1970: 1_763_600_000 + 100 * 1_700)
      #expect(try fleet.connect().prune(before: time) == 100)
      let reader = try fleet.connect().reader()
      #expect(try reader.failures().counts == before.counts)
      #expect(try reader.digests().count == 100)
      #expect(try fleet.connect().push(storeAt: store.path, progress: nil).added == 0)
      #expect(try reader.digests().count == 100)
      // Samples go with the digests, as in a file.
      #expect(try fleet.connect().prune(before: Date(timeIntervalSince1970: 1_764_000_000)) == 100)
      let after = try reader.failures()
      #expect(after.counts == before.counts)
      #expect(after.allSatisfy { $0.foundValue == nil })
      #expect(try fleet.connect().push(storeAt: store.path, progress: nil).added == 0)
    }

    @Test(arguments: Server.current)
    private func `random histories of pushes end in the same counts`(server: Server) throws {
      let fleet = try Fleet(server)
      try fleet.makeTables()
      var generator = SystemRandomNumberGenerator()
      var sources: [Character: Int] = [:]
      func store(_ source: Character) -> String { fleet.path("\(source).sqlite") }
      for _ in 0..<(server.hasTransactions ? 80 : 20) {
        let source = try #require("abcdefghij".randomElement(using: &generator))
        let file = try DigestStore(path: store(source))
        let count = sources[source] ?? 0
        let new = Int.random(in: 0...6, using: &generator)
        _ = try file.importDigests(
          Data(Self.lines(new, source: source, from: count, &generator).utf8))
        sources[source] = count + new
        if Bool.random(using: &generator) {
          _ = try JSONDecoder().decode(Sound.self, from: Data("{}".utf8), recordingTo: file)
          file.flush()
        }
        if Int.random(in: 0..<5, using: &generator) == 0 { _ = try file.prune(maximumAge: .zero) }
        try file.close()
        switch Int.random(in: 0..<10, using: &generator) {
        case 0...3:
          _ = try fleet.push(store(source))
        case 4...6:
          try fleet.pushUntilCut(store(source), after: .random(in: 1...60_000, using: &generator))
        case 7:
          // Through another file.
          let other = fleet.path("other.sqlite")
          _ = try DigestStore.mergeStores(at: [store(source)], intoStoreAt: other)
          _ = try fleet.push(other)
        case 8:
          let known = try fleet.connect().reader().sources().map(\.identity)
          guard let identity = known.randomElement(using: &generator) else { continue }
          _ = try fleet.connect().forget(source: identity)
        default:
          let copy = fleet.path("copy.sqlite")
          try? FileManager.default.removeItem(atPath: copy)
          try FileManager.default.copyItem(atPath: store(source), toPath: copy)
          let file = try DigestStore(path: store(source))
          _ = try file.importDigests(
            Data(Self.lines(1, source: source, from: sources[source] ?? 0, &generator).utf8))
          sources[source, default: 0] += 1
          try file.close()
          _ = try fleet.push(store(source))
          let error = #expect(throws: DigestStoreError.self) {
            try fleet.connect().push(storeAt: copy, progress: nil)
          }
          #expect(error?.code == .invalidInput)
        }
      }
      // Pushing all stores again restores forgotten sources and completes interrupted pushes.
      try? FileManager.default.removeItem(atPath: fleet.file)
      for source in sources.keys.sorted() { _ = try fleet.push(store(source)) }
      // Of a store without digests, nothing says that all is there.
      for (source, digests) in sources where digests > 0 {
        #expect(try fleet.connect().push(storeAt: store(source), progress: nil).periods == 0)
      }
      let reader = try fleet.connect().reader()
      let file = try DigestReader(path: fleet.file)
      #expect(try reader.failures().counts == file.failures().counts)
      #expect(
        try reader.trend(by: .day, groupedBy: .novelValue)
          == file.trend(by: .day, groupedBy: .novelValue))
      #expect(try reader.models() == file.models())
      let (known, expected) = try (reader.sources(), file.sources())
      #expect(known.filter { $0.decodes > 0 } == expected.filter { $0.decodes > 0 })
    }

    @Test(.enabled(if: Server.postgreSQL.url != nil))
    func `a role that pushes sees and changes nothing of others`() throws {
      let fleet = try Fleet(.postgreSQL)
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
      try PostgreSQLFleet(fleet.url).makeTables(
        readers: [roles[2]], writers: Array(roles.prefix(2)))
      func url(_ role: Int) -> String {
        fleet.url.replacing("//admin@", with: "//\(roles[role]):only-for-tests@")
      }
      var generator = SystemRandomNumberGenerator()
      for (role, source) in "ab".enumerated() {
        let store = try DigestStore(path: fleet.path("\(source).sqlite"))
        _ = try store.importDigests(
          Data(Self.lines(60, source: source, from: 0, &generator).utf8))
        try store.close()
        _ = try PostgreSQLFleet(url(role)).push(storeAt: store.path, progress: nil)
        _ = try DigestStore.mergeStores(at: [store.path], intoStoreAt: fleet.file)
      }
      let file = try DigestReader(path: fleet.file)
      for url in [url(2), fleet.url] {
        let server = try PostgreSQLFleet(url).reader()
        #expect(try server.failures() == file.failures())
        #expect(try server.models() == file.models())
        #expect(try server.digests() == file.digests())
      }
      // The store of another role.
      let error = #expect(throws: DigestStoreError.self) {
        try PostgreSQLFleet(url(1)).push(storeAt: fleet.path("a.sqlite"), progress: nil)
      }
      #expect(error?.code == .notPermitted)

      let one = try PostgreSQLEngine(url(0))
      #expect(try one.integer("SELECT count(*) FROM source") == 1)
      #expect(try one.integer("SELECT count(*) FROM total WHERE context = 0") == 0)
      for table in ["total", "tally", "decodes", "failed", "digest"] {
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
        "DELETE FROM failure", "DELETE FROM digest", "DELETE FROM hour",
        "UPDATE hour SET first = 0",
        "INSERT INTO hour VALUES (1, 1, 1)", "SELECT * FROM occurrence", "SELECT * FROM fleet",
        "DROP TABLE tally", "CREATE TABLE digests.x (y int)", "SELECT add_up_total()",
        "UPDATE total SET context = 0",
      ]
      for sql in forbidden {
        #expect(throws: DigestStoreError.self, "\(sql)") { try one.execute(sql) }
      }
      for sql in [
        "DELETE FROM total WHERE context = 0", "UPDATE tally SET digests = 9 WHERE context = 0",
      ] {
        #expect(try one.execute(sql) == 0)
      }
      let reader = try PostgreSQLEngine(url(2))
      for sql in ["DELETE FROM total", "INSERT INTO model (name) VALUES ('x')", "DROP TABLE tally"]
      {
        #expect(throws: DigestStoreError.self, "\(sql)") { try reader.execute(sql) }
      }
      #expect(try PostgreSQLFleet(fleet.url).reader().failures() == file.failures())
    }

    @Test(.enabled(if: Server.postgreSQL.url != nil))
    func `a database without tables, and a wrong password, are errors`() throws {
      let fleet = try Fleet(.postgreSQL)
      let missing = #expect(throws: DigestStoreError.self) {
        try PostgreSQLFleet(fleet.url).reader()
      }
      #expect(missing?.code == .noSuchStore)
      let url = fleet.url.replacing("//admin@", with: "//admin:wrong@")
      let refused = #expect(throws: DigestStoreError.self) { try PostgreSQLFleet(url) }
      #expect(refused?.code == .inputOutput)
      #expect(refused?.description.contains("wrong") == false)
    }
  }

  extension [DigestStore.FailureCount] {
    /// The counts without samples, which are those of the first store that was pushed.
    fileprivate var counts: [String] {
      map {
        "\($0.model) \($0.codingPath) \($0.kind) \($0.novelValue ?? "") \($0.occurrences) \($0.digests)"
      }
    }
  }
#endif
