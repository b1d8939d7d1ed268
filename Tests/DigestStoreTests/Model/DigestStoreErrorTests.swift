import CSQLite
import ResilientPlatform
import Testing

@testable import DigestStore

struct DigestStoreErrorTests {
  private static let cases: [(SQLiteError, DigestStoreError.Code, String)] = [
    (error(SQLITE_BUSY), .busy, "another process keeps it locked; try again"),
    (error(SQLITE_BUSY | 2 << 8), .busy, "another process keeps it locked; try again"),
    (error(SQLITE_FULL), .diskFull, "the disk is full; free some space"),
    (error(SQLITE_CANTOPEN, ENOSPC), .diskFull, "the disk is full; free some space"),
    (
      error(SQLITE_IOERR | 1 << 8, EIO), .inputOutput,
      "the file cannot be read or written (Input/output error); check the disk and the file"
    ),
    (
      error(SQLITE_CANTOPEN, EIO), .inputOutput,
      "the file cannot be opened (Input/output error); check the path, and the permissions of file "
        + "and directory"
    ),
    (
      error(SQLITE_READONLY), .readOnly,
      "the file may not be written; check the permissions of file and directory"
    ),
    (error(SQLITE_NOTADB), .notAStore, "this isn't a store; choose another path"),
    (
      error(SQLITE_CORRUPT), .damaged,
      "the file is damaged (what SQLite says), and an app that writes to it sets it aside; save what "
        + ".recover or .dump of sqlite3 can read, or import the last export into a new store"
    ),
    (
      error(SQLITE_CONSTRAINT), .inputOutput,
      "SQLite reports: what SQLite says; run digest-query doctor"
    ),
  ]

  private static func error(_ code: Int32, _ systemCode: Int32 = 0) -> SQLiteError {
    SQLiteError(
      code: code, message: "what SQLite says", sql: "INSERT INTO digest VALUES ('villa')",
      systemCode: systemCode)
  }

  @Test(arguments: cases)
  func `an error says what happened and what to do, in a line without the statement`(
    _ error: SQLiteError, _ code: DigestStoreError.Code, _ description: String
  ) {
    let error = DigestStoreError(error, path: "/digests.sqlite")
    #expect(error.code == code)
    #expect(error.description == "/digests.sqlite: \(description)")
  }
}
