import Foundation
import Testing

@testable import DigestStore

/// What other programs add to a store: SQLite tools save views, replicate and index, in the file.
struct ForeignObjectsTests {
  /// Objects that a store never reads.
  private static let ignored = [
    "CREATE TABLE mine (x); INSERT INTO mine VALUES (1)",
    "CREATE VIEW mine AS SELECT model, novel_value FROM novel_values",
    "CREATE VIEW mine AS SELECT * FROM nowhere",
    "CREATE TABLE mine (x UNIQUE); CREATE INDEX i ON mine (x, 1)",
    "CREATE TABLE mine (x); CREATE TRIGGER t AFTER INSERT ON mine BEGIN DELETE FROM digest; END",
    "CREATE TABLE mine (x REFERENCES digest (id)); INSERT INTO mine SELECT id FROM digest",
    // Rows that refer to nothing, and some that break their rules.
    "CREATE TABLE mine (x REFERENCES digest (id)); INSERT INTO mine VALUES (999)",
    """
    PRAGMA ignore_check_constraints = ON; CREATE TABLE mine (x CHECK (x > 1));
    INSERT INTO mine VALUES (0)
    """,
    "ANALYZE",
    // The search of Datasette, the counts of sqlite-utils, and the tables of Litestream.
    "CREATE VIRTUAL TABLE model_fts USING fts5(name, content=model); "
      + "INSERT INTO model_fts(model_fts) VALUES ('rebuild')",
    "CREATE TABLE _counts ([table] TEXT PRIMARY KEY, count INTEGER DEFAULT 0)",
    """
    CREATE TABLE IF NOT EXISTS _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
    CREATE TABLE IF NOT EXISTS _litestream_lock (id INTEGER);
    INSERT INTO _litestream_seq (id, seq) VALUES (1, 1)
      ON CONFLICT (id) DO UPDATE SET seq = seq + 1;
    INSERT INTO _litestream_lock (id) VALUES (1); DELETE FROM _litestream_lock
    """,
    // An index that only its own program can read, and a table of a module that this process lacks.
    """
    CREATE TABLE mine (x); CREATE INDEX mine_x ON mine (x); PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = 'CREATE TABLE mine (x COLLATE theirs)' WHERE name = 'mine'
    """,
    """
    PRAGMA writable_schema = ON; INSERT INTO sqlite_schema
    VALUES ('table', 'mine', 'mine', 0, 'CREATE VIRTUAL TABLE mine USING theirs(x)')
    """,
  ]

  /// Objects that can change or prevent a write, with the statement that removes each.
  private static let refused = [
    ("CREATE INDEX mine ON digest (recorded_at)", #"DROP INDEX "mine""#),
    ("CREATE UNIQUE INDEX mine ON digest (id, model)", #"DROP INDEX "mine""#),
    ("CREATE INDEX mine ON model (length(name))", #"DROP INDEX "mine""#),
    ("CREATE TRIGGER mine AFTER INSERT ON digest BEGIN SELECT 1; END", #"DROP TRIGGER "mine""#),
    ("CREATE TRIGGER mine BEFORE DELETE ON DIGEST BEGIN SELECT 1; END", #"DROP TRIGGER "mine""#),
    (
      "CREATE TRIGGER digest BEFORE DELETE ON digest BEGIN SELECT 1; END", #"DROP TRIGGER "digest""#
    ),
    (
      "CREATE TRIGGER mine INSTEAD OF INSERT ON failures BEGIN SELECT 1; END",
      #"DROP TRIGGER "mine""#
    ),
    (
      #"CREATE INDEX "a""; DROP TABLE digest; --" ON digest (id)"#,
      #"DROP INDEX "a""; DROP TABLE digest; --""#
    ),
    // They hide a function.
    ("CREATE TABLE JSON_each (x)", #"DROP TABLE "JSON_each""#),
    ("CREATE VIEW json_each AS SELECT 1 AS value", #"DROP VIEW "json_each""#),
  ]

  private let place: FaultyPlace

  init() throws {
    place = try FaultyPlace()
    try place.makeStore(digests: 20)
  }

  private func add(_ sql: String) throws {
    let connection = try Connection(path: place.path, mode: .readWrite)
    try connection.execute(sql)
    try connection.emptyLog()
  }

  /// Expects that neither a store nor a reader opens the file, and that it stays where it is.
  private func expectRefused(_ text: String) throws {
    for open in [{ try place.open() }, { try DigestReader(path: place.path) }] {
      expectError(.foreignSchema, text, when: open)
    }
    #expect(try place.names() == ["digests.sqlite"])
  }

  /// The answers of reports and checks.
  private func answers(of reader: DigestReader) throws -> [String] {
    let diagnosis = try reader.diagnose()
    return try reader.answers() + [
      "\(reader.verify())", "\(diagnosis.problem ?? "ok")", "\(diagnosis.isHealthy)",
      "\(diagnosis.digests)",
    ]
  }

  @Test(arguments: ignored)
  func `what others add to a file changes no answer, and nothing is set aside`(addition: String)
    throws
  {
    let running = try place.open()
    let expected = try answers(of: running)

    try add(addition)

    #expect(try answers(of: running) == expected)
    #expect(try answers(of: DigestReader(path: place.path)) == expected)
    try running.see("tent", times: 3)
    try running.close()
    let next = try place.open()
    try next.see("tent", times: 3)
    _ = try next.prune(maximumAge: .zero)
    #expect(try next.count("tent") == 6)
    let verification = try next.verify()
    #expect(verification.problems.isEmpty && verification.digests < 26)
    #expect(try next.losses().map(\.reason) == [.evicted])
    try next.close()
    #expect(try place.names() == ["digests.sqlite"])
    #expect(place.failures.all.isEmpty)
  }

  @Test(arguments: refused)
  func `an index or a trigger on a store's table is refused with its remedy`(
    addition: String, remedy: String
  ) throws {
    try add(addition)
    let contents = try place.bytes()

    try expectRefused("\(place.path): another program has added a")
    try expectRefused("; remove it with sqlite3: \(remedy)")
    #expect(try place.bytes() == contents)

    try Connection(path: place.path, mode: .readWrite).execute(remedy)
    #expect(try place.open().count("villa") == 20)
  }

  @Test(arguments: refused)
  func `an index or a trigger that is added while an app runs is refused, too`(
    addition: String, remedy: String
  ) throws {
    let store = try place.open()
    try store.see("villa")
    try add(addition)

    try store.see("tent")
    expectError(.foreignSchema) { try store.novelValues() }
    #expect(place.failures.all.map(\.error.code) == [.foreignSchema])
    try Connection(path: place.path, mode: .readWrite).execute(remedy)
    try store.see("yurt")
    #expect(try store.novelValues().map(\.novelValue) == ["villa", "yurt"])
    #expect(try store.losses().map(\.reason) == [.failedWrite])
    try store.close()
    #expect(try place.names() == ["digests.sqlite"])
  }

  @Test(arguments: [
    "a\n.shell rm\u{1b}[31m", "re\u{301}sume\u{301}", "a\u{a0}b", "a\u{200b}", "a\u{1161}",
  ])
  func `a name that cannot be printed is not in the message`(name: String) throws {
    try add("CREATE INDEX \"\(name)\" ON digest (id)")
    try expectRefused(
      "\(place.path): another program has added an index on digest, with a name that cannot be "
        + "printed; remove it with sqlite3, whose .schema shows the names")
  }

  @Test func `all that others have added is named at once`() throws {
    try add(
      """
      CREATE INDEX "résumé" ON digest (recorded_at); CREATE INDEX "価格" ON model (name, id);
      CREATE TRIGGER mine AFTER INSERT ON digest BEGIN SELECT 1; END;
      """)
    let remedy = #"DROP INDEX "résumé"; DROP INDEX "価格"; DROP TRIGGER "mine""#
    try expectRefused(
      "\(place.path): another program has added an index on digest, an index on model, a trigger "
        + "on digest; remove them with sqlite3: \(remedy)")
    try add(remedy)
    #expect(try place.open().count("villa") == 20)
  }

  @Test func `of many, ten are named`() throws {
    let indexes = (10..<25).map { "CREATE INDEX i\($0) ON digest (id, model);" }
    try add(indexes.joined())
    let remedy = (10..<20).map { #"DROP INDEX "i\#($0)""# }.joined(separator: "; ")
    try expectRefused(" and 5 more; remove them with sqlite3: \(remedy)")
  }

  @Test func `a view in the SQL of a newer SQLite is refused, and nothing is set aside`() throws {
    let running = try place.open()
    try running.see("villa")
    try add(
      """
      CREATE VIEW mine AS SELECT 1; PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE VIEW mine AS SELECT 1 UNHEARD OF' WHERE name = 'mine'
      """)

    try running.see("tent")

    for open in [{ try place.open() }, { try DigestReader(path: place.path) }] {
      expectError(
        .foreignSchema,
        "\(place.path): another program has added a view, which SQLite \(SQLiteLibrary.version) "
          + #"cannot read; remove it with a newer sqlite3: DROP VIEW "mine""#, when: open)
    }
    #expect(place.failures.all.map(\.error.code) == [.foreignSchema])
    #expect(try place.broken().isEmpty)
  }

  @Test(arguments: [
    "ALTER TABLE digest RENAME TO theirs", "DROP VIEW failures",
    "DROP VIEW failures; CREATE VIEW failures AS SELECT 1",
    "ALTER TABLE model ADD COLUMN note TEXT",
  ])
  func `a table or a view of the store that differs is damage`(_ sql: String) throws {
    try add(sql)

    let error = #expect(throws: DigestStoreError.self) { try DigestReader(path: place.path) }
    #expect(error?.code == .damaged)
    #expect(error?.description.contains("differs from that of a store") == true)
    #expect(error?.description.contains("SQLite error") == false)

    try place.open().see("yurt")
    #expect(try place.broken().count == 1)
  }

  @Test(arguments: [
    ("DROP INDEX failure_place", index),
    ("DROP INDEX failure_place; CREATE INDEX failure_place ON failure(model, coding_path)", index),
    ("DROP INDEX failure_place; CREATE UNIQUE INDEX failure_place ON failure (id)", index),
    // A dump that was read back.
    ("PRAGMA application_id = 0; PRAGMA user_version = 0", ""), ("PRAGMA user_version = 0", ""),
  ])
  func `an index or a mark of the store that differs is refused, and its remedy helps`(
    sql: String, text: String
  ) throws {
    try add(sql)
    try expectRefused(text)

    let error = #expect(throws: DigestStoreError.self) { try DigestReader(path: place.path) }
    let remedy = try #require(error?.description.split(separator: "sqlite3: ").last)
    try add(String(remedy))
    #expect(try place.open().verify().isSound)
  }

  private static let index = "the index failure_place of the store"

  @Test func `the statements of the schema's text are those that SQLite stores`() throws {
    let connection = try Migrator.current.makeStoreInMemory(named: "reference")
    let names = try connection.rows("SELECT name FROM sqlite_schema WHERE sql IS NOT NULL") {
      $0.text(at: 0) ?? ""
    }
    let text = Migration.tables + Migration.views

    let statements = SchemaCheck.statements(of: text)

    #expect(statements.keys.sorted() == names.sorted())
    for (name, statement) in statements {
      let stored = try connection.rows(
        """
        SELECT type || ' ' || tbl_name || ' ' || (rootpage > 0) || ' ' || sql FROM sqlite_schema
        WHERE name = :name
        """, [":name": .text(name)]
      ) { $0.text(at: 0) }
      #expect(stored == [statement])
    }
  }

  @Test func `a running app writes nothing into a file that a newer version has migrated`() throws {
    let store = try place.open()
    try store.see("villa")
    let connection = try Connection(path: place.path, mode: .readWrite)
    try connection.execute("PRAGMA user_version = 2")
    let rows = "SELECT (SELECT count(*) FROM digest) || ' ' || (SELECT folded FROM store)"
    let before = try connection.text(rows)

    try store.see("tent", times: 3)
    expectError(.newerStore) { try store.prune(maximumAge: .zero) }
    #expect(place.failures.all.map(\.error.code) == [.newerStore, .newerStore, .newerStore])
    #expect(try connection.text(rows) == before)
    #expect(throws: DigestStoreError.self) { try store.close() }
    #expect(try connection.text(rows) == before)
    #expect(try place.broken().isEmpty)
  }
}
