import Foundation
import ResilientDecoding
import ResilientPlatform
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
    try createPrivateFile(at: path)
    try Connection(path: path, mode: .readWrite).execute(sql)
    return (path, try Data(contentsOf: URL(filePath: path)))
  }

  @Test(arguments: [
    (
      "PRAGMA application_id = 1145525073; PRAGMA user_version = 999; CREATE TABLE future (a)",
      DigestStoreError.Code.newerStore, " has schema 999, and this version knows 1"
    ),
    ("CREATE TABLE other (a)", .notAStore, stranger),
    ("PRAGMA application_id = 7; PRAGMA user_version = 1", .notAStore, stranger),
    // A file of an unreleased build.
    (
      "PRAGMA application_id = 1145525076; PRAGMA user_version = 5; CREATE TABLE digest (id)",
      .notAStore, stranger
    ),
  ])
  func `a file of someone else is refused and left as it is`(
    _ sql: String, _ code: DigestStoreError.Code, _ message: String
  ) throws {
    let (path, contents) = try file(sql)

    for open in [{ try DigestStore(path: path) }, { try DigestReader(path: path) }] {
      expectError(code, path + message, when: open)
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == contents)
  }

  private static let stranger = " is a database of another program; choose another path"

  @Test func `an empty file becomes a store when it is written, and is none when it is read`()
    throws
  {
    let path = folder.url.appending(path: "digests.sqlite").path
    try Data().write(to: URL(filePath: path))

    expectError(.notAStore) { try DigestReader(path: path) }
    try DigestStore(path: path).append(.make())
    #expect(try DigestReader(path: path).novelValues().count == 1)
  }

  /// Schema 1 and one step more, which no version has.
  private static let later = Migrator([
    .first,
    Migration(
      version: 2,
      run: { connection in
        try connection.execute(
          """
          ALTER TABLE digest ADD COLUMN device TEXT;
          CREATE TABLE device (id INTEGER PRIMARY KEY) STRICT;
          """)
      }),
  ])

  @Test func `migrations are numbered from 1 without a gap`() {
    let versions = Migrator.current.migrations.map(\.version)
    #expect(versions == Array(1...Migrator.current.version))
  }

  @Test func `an app that opens an older store migrates it, and sets nothing aside`() throws {
    let temporary = try TemporaryStore(holding: .make(), .make())
    let before = try temporary.query("SELECT * FROM failures")
    try temporary.store.close()

    for _ in 0..<2 {
      let connection = try Connection.openStore(
        at: temporary.path, DigestStore.Configuration(), Self.later)
      #expect(try connection.schemaVersion() == 2)
      #expect(try connection.rows("SELECT device FROM digest") { $0.text(at: 0) } == [nil, nil])
      #expect(try temporary.query("SELECT * FROM failures") == before)
      try connection.emptyLog()
    }
    #expect(try temporary.files() == ["digests.sqlite"])
    expectError(.newerStore) { try DigestStore(path: temporary.path) }
  }

  @Test func `an older file whose tables were changed is damaged`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.close()
    try temporary.execute("ALTER TABLE digest ADD COLUMN more TEXT")

    let error = #expect(throws: SQLiteError.self) {
      try Connection.openStore(
        at: temporary.path, DigestStore.Configuration(), Self.later)
    }
    #expect(error?.isDamage == true)
  }

  @Test func `processes that migrate one file together each find it migrated`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.close()
    let path = temporary.path
    let failures = Locked<[any Error]>([])

    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      do {
        let connection = try Connection(path: path, mode: .readWrite)
        try Self.later.migrate(connection, path: path)
      } catch { failures.withLock { $0.append(error) } }
    }

    #expect(failures.withLock { $0.map { "\($0)" } } == [])
    #expect(try temporary.query("PRAGMA user_version") == ["2"])
  }

  @Test func `a migration that fails leaves nothing of itself`() throws {
    let (path, _) = try file("")
    let connection = try Connection(path: path, mode: .readWrite)
    try Migrator.current.migrate(connection, path: path)
    let schema = "SELECT name FROM sqlite_schema ORDER BY name"
    let before = try connection.rows(schema) { $0.text(at: 0) ?? "" }
    let broken = Migration(version: 2) { connection in
      try connection.execute("CREATE TABLE half (a); CREATE TABLE broken (a) nonsense")
    }

    #expect(throws: SQLiteError.self) {
      try Migrator([.first, broken]).migrate(connection, path: path)
    }

    #expect(try connection.rows(schema) { $0.text(at: 0) ?? "" } == before)
    #expect(try connection.schemaVersion() == 1)
  }

  @Test func `a file with an older schema is not read, and the error says how to migrate it`()
    throws
  {
    let (path, _) = try file("PRAGMA application_id = \(Migrator.applicationID)")
    let connection = try Connection(path: path, mode: .readWrite)
    try Migrator.current.migrate(connection, path: path)

    #expect(try Self.later.version(of: connection, path: path) == 1)
    let error = #expect(throws: DigestStoreError.self) {
      try Self.later.checkReadable(1, path: path)
    }
    #expect(
      error?.description == "\(path) has schema 1; let the app open it, which brings it to schema 2"
    )
  }

  @Test func `a new file is brought to the last of several steps at once`() throws {
    let path = folder.url.appending(path: "digests.sqlite").path
    let connection = try Connection.openStore(at: path, DigestStore.Configuration(), Self.later)
    #expect(try connection.schemaVersion() == Self.later.version)
  }
}
