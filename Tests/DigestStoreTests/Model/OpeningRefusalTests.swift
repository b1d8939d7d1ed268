import Foundation
import ResilientPlatform
import Testing

@testable import DigestStore

struct OpeningRefusalTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let systemCode: Int32
    var isFileMissing = true
    var isDirectoryMissing = false
    var hasDataProtection = false
    let code: DigestStoreError.Code?
    var description = ""

    var testDescription: String { "\(systemCode) \(code?.rawValue ?? "-")" }
  }

  static let cases = [
    Case(
      systemCode: ENOENT, isDirectoryMissing: true, code: .inputOutput,
      description: "the directory /a does not exist; create it first"),
    Case(systemCode: ENOENT, code: nil),
    Case(
      systemCode: ENOTDIR, code: .inputOutput,
      description: "/a is not a directory; choose another path"),
    Case(systemCode: EACCES, code: .readOnly, description: unwritable),
    Case(systemCode: EPERM, code: .readOnly, description: unwritable),
    Case(systemCode: EROFS, code: .readOnly, description: unwritable),
    Case(systemCode: EACCES, isFileMissing: false, code: nil),
    Case(systemCode: EPERM, isFileMissing: false, code: nil),
    Case(
      systemCode: EPERM, hasDataProtection: true, code: .protected, description: protected),
    Case(
      systemCode: EPERM, isFileMissing: false, hasDataProtection: true, code: .protected,
      description: protected),
    Case(systemCode: EACCES, isFileMissing: false, hasDataProtection: true, code: nil),
    Case(systemCode: EIO, code: nil),
    Case(systemCode: 0, code: nil),
  ]

  private static let unwritable =
    "the directory /a may not be used; check its permissions or choose another one, in an app that of "
    + "DigestStore.application()"
  private static let protected =
    "the file is protected until the device is unlocked; try again then"

  @Test(arguments: cases)
  func `the system's error says why a file cannot be opened`(_ refusal: Case) {
    let found = OpeningRefusal(
      systemCode: refusal.systemCode,
      at: OpeningRefusal.FailedPlace(
        directory: "/a", isFileMissing: refusal.isFileMissing,
        isDirectoryMissing: refusal.isDirectoryMissing,
        hasDataProtection: refusal.hasDataProtection))
    #expect(found?.code == refusal.code)
    #expect(found?.description ?? "" == refusal.description)
  }

  @Test func `a store without a directory says so`() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "file")
    try Data().write(to: file)
    let error = #expect(throws: DigestStoreError.self) {
      try DigestStore(path: "\(folder.url.path)/none/digests.sqlite")
    }
    #expect(
      error?.description
        == "\(folder.url.path)/none/digests.sqlite: the directory \(folder.url.path)/none does not "
        + "exist; create it first")
    #expect(error?.localizedDescription == error?.description)
    let other = #expect(throws: DigestStoreError.self) {
      try DigestStore(path: "\(file.path)/digests.sqlite")
    }
    #expect(
      other?.description
        == "\(file.path)/digests.sqlite: \(file.path) is not a directory; choose another path")
  }

  #if os(Linux)
    @Test func `a store in a place that cannot be written says so`() throws {
      let error = #expect(throws: DigestStoreError.self) {
        try DigestStore(path: "/sys/kernel/digests.sqlite")
      }
      #expect(error?.code == .readOnly)
      #expect(
        error?.description
          == "/sys/kernel/digests.sqlite: the directory /sys/kernel may not be used; check its permissions or choose another "
          + "one, in an app that of DigestStore.application()")
    }
  #endif
}
