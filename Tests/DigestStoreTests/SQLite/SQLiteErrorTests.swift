import CSQLite
import Testing

@testable import DigestStore

struct SQLiteErrorTests {
  @Test(arguments: [
    SQLITE_READONLY, SQLITE_AUTH, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_BUSY, SQLITE_FULL,
    SQLITE_IOERR,
  ])
  func `an error that permissions, locks or the disk explain is no damage`(code: Int32) {
    for code in [code, code | 1 << 8] {
      #expect(!SQLiteError(code: code, message: "", sql: nil).mayBeDamage)
    }
  }

  @Test(arguments: [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_IOERR | 2 << 8])
  func `an error that nothing else explains may be damage`(code: Int32) {
    #expect(SQLiteError(code: code, message: "", sql: nil).mayBeDamage)
  }
}
