import Foundation
import ResilientPlatform
import Testing

@testable import DigestStore

/// Paths that cannot be examined: neither missing nor a file.
struct UnknownPathTests {
  private let place: FaultyPlace

  init() throws {
    place = try FaultyPlace()
  }

  /// Moves a file away and lets its name lead nowhere: `stat` fails, even for root.
  private func hide(_ suffix: String = "") throws {
    let path = place.path + suffix
    #expect(rename(path, path + ".hidden") == 0)
    #expect(symlink(path, path) == 0)
  }

  private func show(_ suffix: String = "") {
    let path = place.path + suffix
    #expect(rename(path + ".hidden", path) == 0)
  }

  @Test func `a database that cannot be examined keeps its log`() throws {
    let killed = try place.open()
    try killed.see("villa", times: 20)
    try hide()
    let names = try place.names()

    #expect(throws: SQLiteError.self) { try Connection.isAbandoned(place.path) }
    for open in [{ try place.open() }, { try DigestReader(path: place.path) }] {
      expectError(.inputOutput, String(cString: strerror(ELOOP))) { try open() }
    }
    #expect(try place.names() == names)

    show()
    #expect(try place.open().count("villa") == 20)
    #expect(try place.names().filter { $0.contains(".left-") } == [])
  }

  @Test(arguments: ["-wal", "-shm"])
  func `a log that cannot be examined is an error of opening`(_ suffix: String) throws {
    let killed = try place.open()
    try killed.see("villa", times: 20)
    try hide(suffix)

    #expect(throws: DigestStoreError.self) { try place.open() }

    show(suffix)
    #expect(try place.open().count("villa") == 20)
  }

  @Test func `a log whose database was moved away is counted as lost, and diagnosed`() throws {
    let killed = try place.open()
    try killed.see("villa", times: 20)
    // As after a kill: nobody copies the log into the moved file.
    let log = try place.bytes("-wal")
    try killed.close()
    #expect(rename(place.path, place.path + ".moved") == 0)
    try log.write(to: URL(filePath: place.path + "-wal"))

    let store = try place.open()
    try store.see("tent")

    let left = try #require(try place.names().first { $0.hasPrefix("digests.sqlite-wal.left-") })
    #expect(try store.losses().map(\.reason) == [.movedAway])
    #expect(try store.losses().map(\.note) == [left])
    let findings = try store.diagnose().findings.filter { $0.check == "set_aside" }
    #expect(findings.map(\.value) == [left])
    #expect(findings.map(\.status) == [.warning])
    #expect(findings[0].remedy?.hasPrefix("the log of a file that was moved or deleted") == true)
  }

  @Test func `a link to a file that does not exist yet is followed`() throws {
    let folder = place.folder.url
    try FileManager.default.createDirectory(
      at: folder.appending(path: "volume"), withIntermediateDirectories: false)
    #expect(symlink("volume/link", place.path) == 0)
    #expect(symlink("store.sqlite", folder.appending(path: "volume/link").path) == 0)

    let store = try place.open()
    try store.see("villa")
    try store.close()

    #expect(try place.names() == ["digests.sqlite", "volume"])
    let path = folder.appending(path: "volume/store.sqlite").path
    #expect(try DigestReader(path: path).count("villa") == 1)
    #expect(try FileIdentity.find(path)?.permissions == 0o600)
  }

  @Test func `a link into a folder that does not exist says which one`() throws {
    #expect(symlink("volume/store.sqlite", place.path) == 0)

    expectError(.inputOutput, "volume does not exist; create it first") { try place.open() }
  }

  @Test func `a folder that is gone is not locked`() throws {
    let store = try place.open()
    try store.see("villa")
    let folder = place.folder.url.path
    #expect(rename(folder, folder + ".moved") == 0)
    defer { try? FileManager.default.removeItem(atPath: folder + ".moved") }

    try store.see("tent")

    let error = try #require(place.failures.all.first?.error)
    #expect(error.code == .inputOutput)
    #expect(
      error.description
        == "\(place.path): the directory \(folder) does not exist; create it first")
    try FileManager.default.createDirectory(
      at: place.folder.url, withIntermediateDirectories: false)
    try store.see("yurt")
    #expect(try store.novelValues().map(\.novelValue) == ["yurt"])
  }
}
