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
      DigestStoreError.Code.newerStore, "has schema 999, and this version knows 1"
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

  @Test func `a store of each released schema opens and tells what it told`() throws {
    let dump = try #require(
      Bundle.module.url(forResource: "schema-1", withExtension: "sql", subdirectory: "Fixtures"))
    let (path, _) = try file(String(contentsOf: dump, encoding: .utf8))

    let store = try DigestStore(path: path)

    #expect(
      try store.novelValues().map {
        "\($0.model) \($0.codingPath) \($0.novelValue) \($0.occurrences)"
      }
        == ["App.Listing items[].kind villa 3", "App.Listing items[].kind yurt 1"])
    #expect(try store.verify().isSound)
    try store.append(.make())
    #expect(try store.novelValues().map(\.occurrences) == [4, 1])
  }
}
