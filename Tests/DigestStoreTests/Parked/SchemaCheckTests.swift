import Testing

@testable import DigestStore

struct SchemaCheckTests {
  @Test func `the tables that are expected are those that the migrations make`() throws {
    let connection = try Migrator.current.makeStoreInMemory(named: "reference")
    let names = try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'") {
      $0.text(at: 0) ?? ""
    }

    let expected = StoredTable.all.map { table in
      (
        table.name,
        table.columns.map { SchemaCheck.Column(name: $0.name, type: $0.type, key: $0.key) }
      )
    }

    #expect(
      try SchemaCheck.columns(of: connection, names)
        == Dictionary(uniqueKeysWithValues: expected))
  }

  @Test func `each column of numbers has a range, and no other has one`() {
    for column in StoredTable.all.flatMap(\.columns) {
      #expect((column.numbers != nil) == (column.type == "INTEGER"), "\(column)")
    }
  }

  private static let changes = [
    "ALTER TABLE lifetime RENAME TO other; CREATE VIEW lifetime AS SELECT * FROM other",
    "ALTER TABLE digest ADD COLUMN more INTEGER",
    "ALTER TABLE digest RENAME COLUMN entries TO other; ALTER TABLE digest ADD COLUMN entries TEXT",
    "ALTER TABLE digest ADD COLUMN more INTEGER AS (id + 1)",
    "DROP TABLE hour",
    "DROP TABLE hour; CREATE TABLE hour (hour INTEGER, first_digest_id INTEGER, last_digest_id INTEGER)",
    "DROP TABLE hour; CREATE TABLE hour (hour TEXT PRIMARY KEY, first_digest_id, last_digest_id)",
    "UPDATE digest SET id = 9223372036854775807",
    "UPDATE digest SET id = -1",
    "UPDATE store SET evicted_through = 9223372036854775807",
    "UPDATE store SET identity = 'x'",
    "DELETE FROM store",
    "PRAGMA user_version = -1",
    "PRAGMA user_version = 0",
  ]

  @Test(arguments: changes)
  func `a file that no store has made is refused, and set aside by an app`(_ sql: String) throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(.make())
    try temporary.store.close()
    let connection = try Connection(path: temporary.path, mode: .readWrite)
    try connection.execute(sql)
    // In a log of its own, the change would be set aside with the log.
    try connection.emptyLog()

    let error = #expect(throws: DigestStoreError.self) {
      try DigestReader(path: temporary.path)
    }
    #expect(error?.code == .damaged)
    let store = try DigestStore(path: temporary.path)
    try store.append(.make())
    #expect(try store.digests().count == 1)
    #expect(try store.losses().map(\.reason) == ["quarantined"])
  }

  private static let additions = [
    "CREATE TABLE notes (text)",
    "CREATE TABLE notes (text); CREATE VIEW stale AS SELECT * FROM notes; DROP TABLE notes",
    "CREATE INDEX digest_moment ON digest (recorded_at)",
    "CREATE VIEW mine AS SELECT * FROM digest",
    """
    CREATE TRIGGER mine BEFORE INSERT ON digest BEGIN SELECT raise(ABORT, 'never runs'); END
    """,
  ]

  @Test(arguments: additions)
  func `what someone has added to a file stays, and nothing of it runs`(_ sql: String) throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(.make())
    try temporary.store.close()
    try temporary.execute(sql)

    let store = try DigestStore(path: temporary.path)
    try store.append(.make())
    try store.file.checkSoundness()

    #expect(try store.digests().count == 2)
    #expect(try store.verify().isSound)
    #expect(try store.losses().isEmpty)
  }

  @Test func `a file that can have no write-ahead log is refused`() throws {
    let connection = try Connection(path: "memory", mode: .memory)

    let error = #expect(throws: DigestStoreError.self) { try connection.beginLog(path: "a") }

    #expect(error?.code == .inputOutput)
    #expect(
      error?.description
        == "a: SQLite cannot keep a write-ahead log here (journal_mode is memory); put the store on a "
        + "local disk")
  }
}
