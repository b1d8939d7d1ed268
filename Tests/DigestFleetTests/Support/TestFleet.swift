#if PostgreSQL && ClickHouse
  import DigestStore
  import Foundation
  import Testing

  @testable import DigestFleet
  @testable import DigestStoreTests

  /// A fleet in a database of its own, one in a file, and stores with random digests.
  final class TestFleet {
    let server: Server
    let folder: URL
    let url: String

    /// The random data; FLEET_SEED repeats those of a test that failed.
    var generator: SeededGenerator

    private let drop: () -> Void

    private static let seed: UInt64 = {
      let known = ProcessInfo.processInfo.environment["FLEET_SEED"].flatMap(UInt64.init)
      let seed = known ?? .random(in: 0...999_999)
      print("FLEET_SEED=\(seed)")
      return seed
    }()

    /// - Parameters:
    ///   - url: the server, if it is not that of the environment.
    ///   - options: what follows the name of the database in PostgreSQL.
    init(
      _ server: Server, at url: String? = nil, options: String = "", hasTables: Bool = true
    ) throws {
      self.server = server
      let url = try #require(url ?? server.url)
      let name = "fleet_" + UUID().uuidString.lowercased().replacing("-", with: "")
      switch server {
      case .postgreSQL:
        let admin = try PostgreSQLEngine("\(url)/postgres?sslmode=disable")
        try admin.runScript("CREATE DATABASE \(name) \(options)")
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
      generator = SeededGenerator(seed: Self.seed)
      if hasTables { try connect().makeTables(readers: [], writers: []) }
    }

    deinit {
      drop()
      try? FileManager.default.removeItem(at: folder)
    }

    func connect() throws -> Fleet { try FleetURL.connect(url) }

    /// A connection for statements of a test.
    func engine() throws -> any Engine {
      try server == .postgreSQL ? PostgreSQLEngine(url) : ClickHouseEngine(url)
    }

    /// The fleet in a file.
    var file: String { path("fleet.sqlite") }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    /// Imports random digests into a store that is named after their source.
    ///
    /// - Parameters:
    ///   - number: the number of the first of them.
    ///   - name: the name of another store.
    /// - Returns: the path of the store.
    @discardableResult
    func record(
      _ count: Int, of source: Character, from number: Int = 0, in name: String? = nil
    ) throws -> String {
      let store = try DigestStore(path: path("\(name ?? String(source)).sqlite"))
      _ = try store.importDigests(Data(lines(count, source, number).utf8))
      try store.close()
      return store.path
    }

    /// Pushes a store to the server.
    @discardableResult
    func push(
      _ path: String, progress: ((DigestReader.Progress) throws -> Void)? = nil
    ) throws -> DigestStore.PushSummary {
      try #require(
        try connect().push(storesAt: [path], name: Self.name(of: path), progress: progress).first)
    }

    /// Pushes a store to both fleets.
    @discardableResult
    func pushToBoth(_ path: String) throws -> (
      server: DigestStore.PushSummary, file: DigestStore.PushSummary
    ) {
      (
        try push(path),
        try #require(
          try DigestStore.push(storesAt: [path], to: file, name: Self.name(of: path)).first)
      )
    }

    /// The name under which a store is pushed.
    private static func name(of path: String) -> String {
      URL(filePath: path).deletingPathExtension().lastPathComponent
    }

    /// Pushes a store to the server over a network that is cut after some bytes.
    ///
    /// - Returns: whether that was before the end.
    @discardableResult
    func pushUntilCut(_ path: String, after bytes: Int) throws -> Bool {
      let port = try #require(URL(string: url)?.port.flatMap(UInt16.init))
      let proxy = try CuttingProxy(to: port, after: bytes)
      let fleet = url.replacing(":\(port)/", with: ":\(proxy.port)/")
      do {
        _ = try FleetURL.connect(fleet).push(storesAt: [path], progress: nil)
        return false
      } catch let error as DigestStoreError where error.code == .inputOutput {
        return true
      }
    }

    /// Expects that both fleets have the same counts. Samples are those of the first store that was
    /// pushed.
    func expectEqualCounts() throws {
      let (reader, file) = try (connect().reader(), DigestReader(path: file))
      #expect(try reader.failures().counts == file.failures().counts)
      // A trend of all time would have too many hours.
      let filter = DigestFilter(since: Date(timeIntervalSince1970: Double(Self.firstHour)))
      #expect(
        try reader.trend(matching: filter, by: .hour, groupedBy: .novelValue)
          == file.trend(matching: filter, by: .hour, groupedBy: .novelValue))
      #expect(try reader.models() == file.models())
    }

    /// The start of the hour of the first digest, in seconds since 1970.
    private static let firstHour = 1_763_596_800

    /// Lines of digests with all kinds of names.
    private func lines(_ count: Int, _ source: Character, _ first: Int) -> String {
      let values = [
        "villa", "it's", "a\\\\b", "tab\\there", "\\u0000", "\\u0001x", "é", "e\\u0301", "%_*",
        "\u{10FFFE}",
      ]
      func random(_ choices: [String]) -> String {
        choices.randomElement(using: &generator) ?? ""
      }
      return (first..<first + count).map { number in
        let time = Self.firstHour + 3_200 + number * 1_700
        let date = Date(timeIntervalSince1970: Double(time)).ISO8601Format()
        let failures = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
          let value = random(values)
          return Bool.random(using: &generator)
            ? """
            {"path":"items[\(number % 9)].kind","kind":"unknownNovelValue","novelValue":"\(value)",\
            "novelValueType":"String","foundType":"string","foundValue":"\(value)","message":"no \(value)"}
            """
            : #"{"path":"name","kind":"\#(random(["keyNotFound", "converted", "typeMismatch"]))"}"#
        }
        return """
          {"id":"\(String(repeating: source, count: 32))-\(number + 1)-\(time)000","recordedAt":"\(date)",\
          "model":"App.M\(number % 3)","release":\(random(["\"4.0\"", "\"4.1\"", "\"4.10\"", "null"])),\
          "environment":\(random(["\"production\"", "\"staging\"", "null"])),\
          "operation":\(random(["\"GET /listings\"", "\"GET /users/{id}\"", "null"])),\
          "errors":[\(failures.joined(separator: ","))]}
          """
      }.joined(separator: "\n")
    }
  }

  extension [DigestStore.FailureCount] {
    /// The counts without samples.
    var counts: [String] {
      map {
        "\($0.model) \($0.codingPath) \($0.kind) \($0.novelValue ?? "") \($0.occurrences) \($0.digests)"
      }
    }
  }

  extension DigestReader {
    /// The sources with decodes, and their counts. Names and times are those of the last push, which differ.
    func countsOfSources() throws -> Set<String> {
      Set(
        try sources().filter { $0.decodes > 0 }.map {
          "\($0.identity) \($0.isWhole) \($0.occurrences) \($0.digests) \($0.decodes)"
        })
    }
  }
#endif
