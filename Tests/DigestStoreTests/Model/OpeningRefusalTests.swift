import Foundation
import ResilientPlatform
import Testing

@testable import DigestStore

struct OpeningRefusalTests {
  typealias Place = OpeningRefusal.FailedPlace

  /// A place that cannot be opened: by default a file that is missing.
  private static func place(
    isFileMissing: Bool = true, isDirectoryMissing: Bool = false, hasDataProtection: Bool = false
  ) -> Place {
    Place(
      directory: "/a", isFileMissing: isFileMissing, isDirectoryMissing: isDirectoryMissing,
      hasDataProtection: hasDataProtection)
  }

  private static let cases: [(Int32, Place, DigestStoreError.Code?, String?)] = [
    (
      ENOENT, place(isDirectoryMissing: true), .inputOutput,
      "the directory /a does not exist; create it first"
    ),
    (ENOENT, place(), nil, nil),
    (ENOTDIR, place(), .inputOutput, "/a is not a directory; choose another path"),
    (EACCES, place(), .readOnly, unwritable), (EPERM, place(), .readOnly, unwritable),
    (EROFS, place(), .readOnly, unwritable), (EACCES, place(isFileMissing: false), nil, nil),
    (EPERM, place(isFileMissing: false), nil, nil),
    (EPERM, place(hasDataProtection: true), .protected, protected),
    (EPERM, place(isFileMissing: false, hasDataProtection: true), .protected, protected),
    (EACCES, place(isFileMissing: false, hasDataProtection: true), nil, nil),
    (EIO, place(), nil, nil), (0, place(), nil, nil),
  ]

  private static let unwritable =
    "the directory /a may not be used; check its permissions or choose another one, in an app that of "
    + "DigestStore.application()"
  private static let protected =
    "the file is protected until the device is unlocked; try again then"

  @Test(arguments: cases)
  func `the system's error says why a file cannot be opened`(
    systemCode: Int32, place: Place, code: DigestStoreError.Code?, description: String?
  ) {
    let found = OpeningRefusal(systemCode: systemCode, at: place)
    #expect(found?.code == code)
    #expect(found?.description == description)
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
