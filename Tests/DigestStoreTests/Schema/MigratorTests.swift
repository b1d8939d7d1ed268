import Foundation
import Testing

@testable import DigestStore

struct MigratorTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A file made with SQL, and what it holds.
  private func file(_ sql: String) throws -> (path: String, contents: Data) {
    let path = folder.url.appending(path: "digests.sqlite").path
    createPrivateFile(at: path)
    try Connection(path: path, mode: .readWrite).execute(sql)
    return (path, try Data(contentsOf: URL(filePath: path)))
  }

  @Test(arguments: [
    (
      "PRAGMA application_id = 1145525076; PRAGMA user_version = 999; CREATE TABLE future (a)",
      DigestStoreError.Code.newerStore, "has schema 999, and this version knows 5"
    ),
    ("CREATE TABLE other (a)", .notAStore, "is a database of another program"),
    ("PRAGMA application_id = 7; PRAGMA user_version = 1", .notAStore, "of another program"),
  ])
  func `a file of someone else is refused and left as it is`(
    _ sql: String, _ code: DigestStoreError.Code, _ message: String
  ) throws {
    let (path, contents) = try file(sql)

    for open in [{ try DigestStore(path: path) }, { try DigestStore(readingFrom: path) }] {
      let error = #expect(throws: DigestStoreError.self) { try open() }
      #expect(error?.code == code)
      #expect(error?.description.contains(message) == true)
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == contents)
  }

  @Test func `a file that is no database is refused and left as it is`() throws {
    let path = folder.url.appending(path: "digests.sqlite").path
    let contents = Data(String(repeating: "not a database ", count: 100).utf8)
    try contents.write(to: URL(filePath: path))

    for open in [{ try DigestStore(path: path) }, { try DigestStore(readingFrom: path) }] {
      let error = #expect(throws: DigestStoreError.self) { try open() }
      #expect(error?.code == .notAStore)
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == contents)
  }

  @Test func `an empty file becomes a store when it is written, and is none when it is read`()
    throws
  {
    let path = folder.url.appending(path: "digests.sqlite").path
    try Data().write(to: URL(filePath: path))

    let error = #expect(throws: DigestStoreError.self) { try DigestStore(readingFrom: path) }
    #expect(error?.code == .notAStore)
    try DigestStore(path: path).append(.make())
    #expect(try DigestStore(readingFrom: path).novelValues().count == 1)
  }

  @Test func `migrations are numbered from 1 without a gap`() {
    #expect(Migration.all.map(\.version) == Array(1...Int64(Migration.all.count)))
  }

  @Test func `a migration that fails leaves nothing of itself`() throws {
    let (path, _) = try file("")
    let connection = try Connection(path: path, mode: .readWrite)
    // In the way of the last view of the schema.
    let sql = Migration.tables.sql + "CREATE TABLE broken (a) nonsense;"

    #expect(throws: SQLiteError.self) { try connection.transaction { try connection.execute(sql) } }

    #expect(try connection.integer("SELECT count(*) FROM sqlite_schema") == 0)
    try Migrator.migrate(connection, path: path)
    #expect(try connection.integer("PRAGMA user_version") == Migration.currentVersion)
  }

  /// A file of a released schema, from a dump of one.
  private func released(_ version: Int) throws -> (path: String, contents: Data) {
    let dump = try #require(
      Bundle.module.url(
        forResource: "schema-\(version)", withExtension: "sql", subdirectory: "Fixtures"))
    return try file(String(contentsOf: dump, encoding: .utf8))
  }

  @Test(arguments: [(1, [4, 1]), (2, [4, 2]), (3, [4, 2]), (4, [4, 2])])
  func `a store of each released schema opens and tells what it told`(
    _ version: Int, _ occurrences: [Int]
  ) throws {
    let (path, _) = try released(version)
    let before = try Self.views.map { try PublicView($0, of: path) }

    let store = try DigestStore(path: path)

    for view in before {
      let now = try PublicView(view.name, of: path)
      #expect(now.columns.starts(with: view.columns))
      #expect(try view.rows == now.rows(of: view.columns, at: path))
    }
    #expect(try store.verify().isSound)
    try store.append(.make())
    #expect(try store.novelValues().map(\.occurrences) == occurrences)
  }

  @Test(arguments: 1...4)
  func `a store that was migrated has the schema of a new one`(_ version: Int) throws {
    let sql = "SELECT name || ': ' || ifnull(sql, '') FROM sqlite_schema ORDER BY name"
    let (path, _) = try released(version)
    _ = try DigestStore(path: path)

    let migrated = try Connection(path: path, mode: .readOnly).rows(sql) { $0.text(at: 0) ?? "" }

    #expect(try migrated == TemporaryStore().query(sql))
    #expect(
      try PublicView("failures", of: path).columns.suffix(2) == ["found_type", "found_value"])
    #expect(
      try PublicView("occurrences", of: path).columns.suffix(2) == ["found_type", "found_value"])
  }

  @Test func `a store of schema 1 can be read as it is`() throws {
    let (path, contents) = try released(1)
    let reader = try DigestStore(readingFrom: path)
    let before = try Reports(of: reader)

    #expect(before.failures.count == 3)
    #expect(before.occurrences.count == 5)
    #expect(before.failures.allSatisfy { $0.foundType == nil && $0.foundValue == nil })
    #expect(before.occurrences.allSatisfy { $0.foundType == nil && $0.foundValue == nil })
    #expect(before.verification.isSound)
    #expect(try Data(contentsOf: URL(filePath: path)) == contents)

    // Whoever has it open goes on reading when it is migrated.
    let writer = try DigestStore(path: path)
    #expect(try Reports(of: writer) == before)
    #expect(try Reports(of: reader) == before)
    try writer.append(.make(.mismatch(at: "attrs.size", found: .string("12"))))
    let after = try Reports(of: reader)
    #expect(try after == Reports(of: writer))
    #expect(after.occurrences.last?.foundValue == "12")
    #expect(after.failures.contains { $0.foundValue == "12" })
  }

  @Test func `what was found for a failure of schema 1 is kept once, from then on`() throws {
    let (path, _) = try released(1)
    let store = try DigestStore(path: path)
    let villa = FailureRecord.novel("villa", at: "items[3].kind")
    var found = villa
    found.found = .string("villa")
    var message = DigestRecord.make(found, found)
    for index in message.entries.indices {
      message.entries[index].message = #"Unknown novel value "villa""#
    }

    try store.append(message, .make(villa))

    let connection = try Connection(path: path, mode: .readOnly)
    #expect(
      try connection.rows("SELECT entries FROM digest WHERE id > 2") { $0.text(at: 0) } == [
        "[[1,3],[1,3]]", #"[[1,3,{"m":"Unknown novel value","t":null}]]"#,
      ])
    let rows = try PublicView("occurrences", of: path)
      .rows(of: ["novel_value", "found_type", "found_value"], at: path)
    #expect(
      rows == [
        "villa|-|-", "yurt|-|-", "-|-|-", "villa|string|villa", "villa|string|villa", "villa|-|-",
        // What was only counted comes behind.
        "villa|-|-", "villa|-|-",
      ])
  }

  @Test func `what a process writes that knows schema 1 only has nothing found`() throws {
    let (path, _) = try file("")
    let store = try DigestStore(path: path)
    let price = FailureRecord.mismatch(at: "price", found: .string("12"))
    try store.append(.make(price))

    // As that one does it, with statements that it prepared before.
    try Connection(path: path, mode: .readWrite).execute(
      """
      INSERT INTO failure (model_id, coding_path, novel_value, value_type, kind, expected_type,
        path_format, message, id, value_id)
      VALUES (1, 'kind', 'villa', 'String', 'unknownNovelValue', 'App.Kind', 'kind', NULL, 2, 2);
      INSERT INTO digest (id, recorded_at, model_id, release_id, entries, omissions)
      VALUES (2, 0, 1, 0, '[[1],[2]]', NULL);
      """)
    try store.append(
      .make(price, .novel("villa", at: "kind", found: .string("villa"))),
      .make(.novel("villa", at: "kind")))

    #expect(
      try PublicView("occurrences", of: path)
        .rows(of: ["coding_path", "found_type", "found_value"], at: path) == [
          "price|string|12", "price|-|-", "kind|-|-", "price|string|12", "kind|string|villa",
          "kind|-|-",
        ])
    #expect(try store.verify().isSound)
  }

  @Test func `a sample of schema 3 goes when all of its failure's digests of then are too old`()
    throws
  {
    let (path, _) = try released(3)
    let last = Moment(milliseconds: 1_795_174_200_000)
    func prune(_ milliseconds: Int64) throws -> [Int64?] {
      let now = Moment(milliseconds: last.milliseconds + 3_600_000 + milliseconds)
      let configuration = DigestStore.Configuration(
        maximumAge: .seconds(3_600), clock: { now.date })
      let store = try DigestStore(path: path, configuration: configuration)
      _ = try store.prune()
      #expect(try store.verify().isSound)
      return try ["message", "found_value", "found_type"].map {
        try store.read { [column = $0] in
          try $0.integer("SELECT count(*) FROM failure WHERE \(column) IS NOT NULL")
        }
      }
    }
    #expect(try prune(0) == [3, 3, 3])
    // The novel value is no value of its own, and a type is none at all.
    #expect(try prune(1) == [0, 2, 3])
  }

  @Test func `what no digest of schema 3 leaves out goes by its failure, or by the migration`()
    throws
  {
    let (path, _) = try released(3)
    try Connection(path: path, mode: .readWrite).execute(
      """
      UPDATE failure SET found_default = 0 WHERE id = 3;
      INSERT INTO failure VALUES (4, 1, 'x', 'x', 'typeMismatch', 'Int', NULL, NULL, 'm', NULL,
        'string', 'not folded', 0);
      """)
    func prune(_ now: Date) throws -> [String?] {
      let configuration = DigestStore.Configuration(
        maximumAge: .seconds(3_600), clock: { now })
      _ = try DigestStore(path: path, configuration: configuration).prune()
      return try Connection(path: path, mode: .readOnly).rows(
        "SELECT found_value FROM failure WHERE found_default = 0 AND id > 2 ORDER BY id"
      ) { $0.text(at: 0) }
    }
    let last = Date(timeIntervalSince1970: 1_795_174_200)
    let migration = Date()
    #expect(try prune(min(last, migration)) == ["12 m", "not folded"])
    #expect(try prune(last + 3_601)[0] == nil)
    #expect(try prune(min(last, migration) + 3_500)[1] == "not folded")
    #expect(try prune(max(last, migration) + 3_700) == [nil, nil])
  }

  @Test func `a process of schema 3 goes on recording, and leaves folding to others`() throws {
    let (path, _) = try released(3)
    let older = try Connection(path: path, mode: .readWrite)
    let fold = try Statement(
      older, "INSERT INTO lifetime VALUES (3, 1, 1, 0, 0, 0) ON CONFLICT DO NOTHING")
    let record = try Statement(
      older,
      """
      INSERT INTO digest (id, recorded_at, model_id, release_id, entries, omissions, says_found)
      VALUES (3, 1795174200000, 1, 0, '[[3,".d"]]', NULL, 1)
      """)

    let store = try DigestStore(path: path)

    #expect(throws: SQLiteError.self) { try fold.run() }
    try record.run()
    #expect(try store.failures().map(\.occurrences).reduce(0, +) == 9)
    #expect(try store.verify().isSound)
  }
}

extension MigratorTests {
  private static let views = ["novel_values", "failures", "occurrences", "losses"]

  /// A view as anyone reads it: its columns, and its rows as text.
  private struct PublicView {
    let name: String
    let columns: [String]
    private(set) var rows: [String] = []

    init(_ name: String, of path: String) throws {
      self.name = name
      let connection = try Connection(path: path, mode: .readOnly)
      columns = try connection.rows("SELECT name FROM pragma_table_info('\(name)')") {
        $0.text(at: 0) ?? ""
      }
      rows = try rows(of: columns, at: path)
    }

    func rows(of columns: [String], at path: String) throws -> [String] {
      let connection = try Connection(path: path, mode: .readOnly)
      try connection.execute("PRAGMA trusted_schema = OFF")
      let row = columns.map { "ifnull(\($0), '-')" }.joined(separator: " || '|' || ")
      return try connection.rows("SELECT \(row) FROM \(name)") { $0.text(at: 0) ?? "" }
    }
  }

  /// All that a store can be asked.
  private struct Reports: Equatable {
    let novelValues: [NovelValueCount]
    let failures: [FailureCount]
    let losses: [Loss]
    let verification: Verification
    let models: [ModelCount]
    let lines: [String]
    private(set) var occurrences: [Occurrence] = []

    init(of store: DigestStore) throws {
      let filter = DigestFilter(
        model: "App.*", codingPath: "*", since: Date(timeIntervalSince1970: 0.001))
      novelValues = try store.novelValues(matching: filter)
      failures = try store.failures(matching: filter)
      losses = try store.losses()
      verification = try store.verify()
      models = try store.models(matching: filter)
      lines = try store.lines(matching: filter)
      try store.exportOccurrences(matching: filter) { occurrences.append($0) }
    }
  }
}
