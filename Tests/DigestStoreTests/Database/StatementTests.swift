import Testing

@testable import DigestStore

struct StatementTests {
  private let connection: Connection

  init() throws {
    connection = try Connection(path: "test", mode: .memory)
  }

  @Test func `a parameter without a value is an error, and no null`() throws {
    for (sql, values) in [
      ("SELECT :a", [:]), ("SELECT :a + :b", [":a": .integer(1)]),
      ("SELECT ?", [":a": .integer(1)]),
    ] as [(String, [String: SQLValue])] {
      #expect(throws: MissingValue.self) { try connection.integer(sql, values) }
      #expect(throws: MissingValue.self) { try connection.execute(sql, values) }
      #expect(throws: MissingValue.self) {
        try connection.reading { try connection.temporaryTable(sql, values, key: nil) }
      }
      #expect(throws: SQLiteError.self) { try Statement(connection, sql).run() }
      #expect(throws: SQLiteError.self) {
        try Statement(connection, sql).firstRow { $0.integer(at: 0) }
      }
      #expect(throws: SQLiteError.self) { try Statement(connection, sql).returnedInteger() }
    }
    let statement = try Statement(connection, "SELECT :a")
    #expect(try statement.firstRow([.integer(7)]) { $0.integer(at: 0) } == 7)
    #expect(throws: SQLiteError.self) { try statement.run() }
  }

  @Test func `a value without a parameter is ignored`() throws {
    #expect(try connection.integer("SELECT :a", [":a": .integer(1), ":b": .integer(2)]) == 1)
  }

  @Test func `a missing value says its parameter, and no statement`() {
    let error = DigestStoreError(MissingValue(parameter: ":older"), path: "digests.sqlite")
    #expect(error.description == "digests.sqlite: a statement has no value for :older")
  }
}
