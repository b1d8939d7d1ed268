import CSQLite
import Testing

@testable import DigestStore

struct SQLiteErrorTests {
  @Test(arguments: [
    SQLITE_READONLY, SQLITE_AUTH, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_BUSY, SQLITE_FULL,
    SQLITE_IOERR,
  ])
  func `an error that permissions, locks or the disk explain isn't damage`(code: Int32) {
    for code in [code, code | 1 << 8] {
      #expect(!SQLiteError(code: code, message: "", sql: nil).isDamage)
    }
  }

  @Test(arguments: [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_CORRUPT | 1 << 8, SQLITE_IOERR | 2 << 8])
  func `an error about the contents of the file is damage`(code: Int32) {
    #expect(SQLiteError(code: code, message: "", sql: nil).isDamage)
  }
}
