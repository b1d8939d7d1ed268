#if PostgreSQL && ClickHouse
  import DigestStore
  import Foundation
  import ResilientDecoding
  import Testing

  @testable import DigestFleet
  @testable import DigestStoreTests

  private struct Sound: Decodable {}

  /// A fleet on a server and one in a file, to which the same stores are pushed, give the same
  /// answers. Scripts/test-fleet starts the servers.
  @Suite(
    .enabled(if: !Server.running.isEmpty, "the environment names no server"), .serialized)
  struct FleetTests {
    private static let filters: [DigestFilter] = {
      var path = DigestFilter(codingPath: "items[].*")
      path.novelValues = ["v*", "%_?", "é"]
      return [
        DigestFilter(), DigestFilter(model: "App.M?"), path, DigestFilter(release: "4.1"),
        DigestFilter(hasNoRelease: true), DigestFilter(kind: .converted),
        DigestFilter(environment: "staging", operation: "GET /l*"),
        DigestFilter(
          since: Date(timeIntervalSince1970: 1_763_612_345),
          until: Date(timeIntervalSince1970: 1_763_700_001)),
        DigestFilter(release: "4.10", since: Date(timeIntervalSince1970: 1_763_650_000)),
        DigestFilter(source: "b"), DigestFilter(release: "4.1", source: "a"),
      ]
    }()

    private static let fewFilters = [filters[0], filters[2], filters[6], filters[8], filters[9]]

    /// Expects that both fleets answer each question alike.
    private func expectEqualAnswers(
      _ fleet: TestFleet, _ filters: [DigestFilter] = [DigestFilter()]
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
        try expectEqual { try $0.models(matching: filter, by: .operation) }
        try expectEqual { try $0.models(matching: filter, by: .source) }
        try expectEqual { try $0.failuresByOperation(matching: filter) }
        try expectEqual { try $0.adoption(matching: filter, limit: 5) }
        let until = filter.until ?? Date(timeIntervalSince1970: 1_795_200_000)
        let since = min(filter.since ?? until.addingTimeInterval(-86_400), until)
        try expectEqual { try $0.summary(of: since..<until, matching: filter) }
        try expectEqual { try $0.totals(matching: filter) }
        try expectEqual { try $0.decodeCounts(matching: filter) }
        try expectEqual { try $0.newFailures(matching: filter) }
        try expectEqual { try $0.failureChanges(from: filter, to: Self.filters[3]) }
        try expectEqual { try $0.countedWindow(matching: filter) }
        try expectEqual { try $0.reachedLimits(matching: filter) }
        try expectEqual { try $0.losses(matching: filter) }
        try expectEqual { try $0.renames(matching: filter) }
        try expectEqual { try $0.overview(matching: filter, limit: 4) }
        try expectEqual { try Set($0.countsByRelease(matching: filter)) }
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
      try expectEqual { try $0.names(of: .operation) }
      try expectEqual { try $0.countsOfSources() }
    }

    @Test(arguments: Server.running)
    func `a server and a file give the same answers`(server: Server) throws {
      let fleet = try TestFleet(server)
      var count = 0
      for round in 0..<6 {
        for (index, source) in "ab".enumerated() {
          let path = try fleet.record(40, of: source, from: count + index * 7)
          let store = try DigestStore(path: path)
          _ = try JSONDecoder().decode(Sound.self, from: Data("{}".utf8), recordingTo: store)
          store.flush()
          if round == 3 { _ = try store.prune(maximumAge: .zero) }
          try store.close()
          let pushed = try fleet.pushToBoth(path)
          #expect(pushed.server.added == pushed.file.added)
          #expect(try fleet.push(path).periods == 0)
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
    func `pushes at the same time count each digest once`(server: Server) async throws {
      let fleet = try TestFleet(server)
      let paths = try "abcd".map { try fleet.record(100, of: $0) }
      let url = fleet.url
      try await withThrowingTaskGroup { group in
        for path in paths + paths + paths {
          group.addTask { _ = try FleetURL.connect(url).push(storesAt: [path], progress: nil) }
        }
        try await group.waitForAll()
      }
      for path in paths {
        _ = try DigestStore.push(storesAt: [path], to: fleet.file)
      }
      try fleet.expectEqualCounts()
      #expect(
        try fleet.connect().reader().digests().count
          == DigestReader(path: fleet.file).digests().count)
    }

    @Test(arguments: Server.current)
    func `a dashboard's query counts what a file's view counts`(server: Server) throws {
      let fleet = try TestFleet(server)
      for source in "ab" { try fleet.pushToBoth(try fleet.record(200, of: source)) }
      // The query of the article Fleet, with the limits that Grafana sets.
      let query = """
        SELECT start AS time, novel_value AS metric, sum(occurrences) AS occurrences
        FROM counts_by_day
        WHERE start >= '2025-11-21 00:00:00' AND model = 'App.M1' AND novel_value IS NOT NULL
        GROUP BY 1, 2 ORDER BY 1, 2
        """
      let engine = try fleet.engine()
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
      // By bytes: é has two forms, which are equal as texts.
      #expect(Set(rows.map { Data($0.utf8) }) == Set(expected.map { Data($0.utf8) }))
      #expect(rows.count == expected.count)
      for view in [
        "failures", "novel_values", "counts_by_hour", "counts_by_day", "decodes_by_hour",
        "decodes_by_day",
      ] {
        #expect(try engine.integer("SELECT count(*) FROM \(view)") ?? 0 > 0, "\(view)")
      }
    }

    @Test(arguments: Server.current)
    func `digests that are pruned stay counted`(server: Server) throws {
      let fleet = try TestFleet(server)
      let store = try fleet.record(200, of: "a")
      try fleet.push(store)
      let before = try fleet.connect().reader().failures()
      let time = Date(timeIntervalSince1970: 1_763_600_000 + 100 * 1_700)
      #expect(try fleet.connect().prune(before: time) == 100)
      let reader = try fleet.connect().reader()
      #expect(try reader.failures().counts == before.counts)
      #expect(try reader.digests().count == 100)
      #expect(try fleet.push(store).added == 0)
      #expect(try reader.digests().count == 100)
      // Samples go with the digests, as in a file.
      #expect(try fleet.connect().prune(before: Date(timeIntervalSince1970: 1_764_000_000)) == 100)
      let after = try reader.failures()
      #expect(after.counts == before.counts)
      #expect(after.allSatisfy { $0.foundValue == nil })
      #expect(try fleet.push(store).added == 0)
    }

    @Test(arguments: Server.running)
    func `a copy with other imported digests is refused`(server: Server) throws {
      let fleet = try TestFleet(server)
      let path = try fleet.record(10, of: "a")
      let copy = fleet.path("copy.sqlite")
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      try fleet.record(5, of: "a", from: 10)
      try fleet.record(5, of: "a", from: 20, in: "copy")
      // The last digest that was pushed is the same in both.
      for name in ["a", "copy"] { try fleet.record(1, of: "a", from: 30, in: name) }
      try fleet.pushToBoth(path)
      try fleet.record(4, of: "a", from: 40, in: "copy")
      for push in [
        { try fleet.push(copy) },
        { try #require(DigestStore.push(storesAt: [copy], to: fleet.file).first) },
      ] {
        expectError(.invalidInput, "this is a copy of a store") { try push() }
      }
      try fleet.expectEqualCounts()
      #expect(try fleet.connect().reader().digests().count == 16)
    }

    @Test(arguments: Server.current)
    func `a push to a database without tables says so`(server: Server) throws {
      let fleet = try TestFleet(server, hasTables: false)
      let path = try fleet.record(1, of: "a")
      expectError(.noSuchStore, "digest-query fleet init URL") { try fleet.push(path) }
    }

    @Test(arguments: Server.current)
    func `random histories of pushes end in the same counts`(server: Server) throws {
      let fleet = try TestFleet(server)
      var sources: [Character: Int] = [:]
      func record(_ count: Int, of source: Character) throws {
        try fleet.record(count, of: source, from: sources[source] ?? 0)
        sources[source, default: 0] += count
      }
      for _ in 0..<(server.hasTransactions ? 80 : 20) {
        let source = try #require("abcdefghij".randomElement(using: &fleet.generator))
        try record(.random(in: 0...6, using: &fleet.generator), of: source)
        let path = fleet.path("\(source).sqlite")
        let file = try DigestStore(path: path)
        if Bool.random(using: &fleet.generator) {
          _ = try JSONDecoder().decode(Sound.self, from: Data("{}".utf8), recordingTo: file)
          file.flush()
        }
        if Int.random(in: 0..<5, using: &fleet.generator) == 0 {
          _ = try file.prune(maximumAge: .zero)
        }
        try file.close()
        switch Int.random(in: 0..<10, using: &fleet.generator) {
        case 0...3:
          try fleet.push(path)
        case 4...6:
          try fleet.pushUntilCut(path, after: .random(in: 1...60_000, using: &fleet.generator))
        case 7:
          // Through another file.
          let other = fleet.path("other.sqlite")
          _ = try DigestStore.push(storesAt: [path], to: other)
          try fleet.push(other)
        case 8:
          let known = try fleet.connect().reader().sources().map(\.identity).sorted()
          guard let identity = known.randomElement(using: &fleet.generator) else { continue }
          _ = try fleet.connect().forget(source: identity)
        default:
          let copy = fleet.path("copy.sqlite")
          try? FileManager.default.removeItem(atPath: copy)
          try FileManager.default.copyItem(atPath: path, toPath: copy)
          try record(1, of: source)
          try fleet.push(path)
          expectError(.invalidInput) { try fleet.push(copy) }
        }
      }
      // Pushing all stores again restores forgotten sources and completes interrupted pushes.
      for source in sources.keys.sorted() { try fleet.pushToBoth(fleet.path("\(source).sqlite")) }
      // Of a store without digests, nothing says that all is there.
      for (source, digests) in sources where digests > 0 {
        #expect(try fleet.push(fleet.path("\(source).sqlite")).periods == 0)
      }
      try fleet.expectEqualCounts()
      let (server, file) = try (fleet.connect().reader(), DigestReader(path: fleet.file))
      #expect(try server.countsOfSources() == file.countsOfSources())
    }
  }
#endif
