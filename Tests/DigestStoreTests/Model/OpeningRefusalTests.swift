import CSQLite
import Foundation
import ResilientPlatform
import Testing

@testable import DigestStore

struct OpeningRefusalTests {
  private static let unwritable =
    "may not be used; check its permissions or choose another one, in an app that of "
    + "DigestStore.application()"

  /// The errors of SQLite and of the system, whether there is a file, and what they mean.
  @Test(
    arguments: [
      (SQLITE_CANTOPEN, ENOENT, false, nil), (SQLITE_CANTOPEN, EACCES, false, unwritable),
      (SQLITE_CANTOPEN, EPERM, false, unwritable), (SQLITE_CANTOPEN, EROFS, true, unwritable),
      (SQLITE_CANTOPEN, ENOTDIR, false, "is not a directory; choose another path"),
      (SQLITE_CANTOPEN, EACCES, true, nil), (SQLITE_CANTOPEN, EPERM, true, nil),
      (SQLITE_CANTOPEN, EIO, false, nil), (SQLITE_CANTOPEN, 0, false, nil),
      (SQLITE_AUTH, 0, true, nil), (SQLITE_IOERR, EACCES, false, nil),
    ] as [(Int32, Int32, Bool, String?)])
  func `the system's error says why a file cannot be opened`(
    code: Int32, systemCode: Int32, hasFile: Bool, description: String?
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.url.path + "/digests.sqlite"
    if hasFile { try Data().write(to: URL(filePath: path)) }
    let error = SQLiteError(code: code, message: "", sql: nil, systemCode: systemCode)

    let found = OpeningRefusal(error, path: path, hasDataProtection: false)
    #expect(
      found?.description.replacing("\(folder.url.path) ", with: "").replacing(
        "the directory ", with: "") == description)

    let isProtected = code == SQLITE_AUTH || code == SQLITE_CANTOPEN && systemCode == EPERM
    let onDevice = OpeningRefusal(error, path: path, hasDataProtection: true)
    #expect(isProtected == (onDevice?.code == .protected))
  }

  @Test func `a store without a directory says so`() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "file")
    try Data().write(to: file)
    let none = folder.url.path + "/none"
    let error = #expect(throws: DigestStoreError.self) {
      try DigestStore(path: "\(none)/digests.sqlite")
    }
    #expect(
      error?.description
        == "\(none)/digests.sqlite: the directory \(none) does not exist; create it first")
    #expect(error?.localizedDescription == error?.description)
    expectError(
      .inputOutput,
      "\(file.path)/digests.sqlite: \(file.path) is not a directory; choose another path"
    ) { try DigestStore(path: "\(file.path)/digests.sqlite") }
  }

  #if os(Linux)
    @Test func `a store in a place that cannot be written says so`() throws {
      expectError(
        .readOnly,
        "/sys/kernel/digests.sqlite: the directory /sys/kernel may not be used; check its permissions or choose another "
          + "one, in an app that of DigestStore.application()"
      ) {
        try DigestStore(path: "/sys/kernel/digests.sqlite")
      }
    }
  #endif
}
