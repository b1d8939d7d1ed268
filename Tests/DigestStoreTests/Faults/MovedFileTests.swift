import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

@testable import DigestStore

/// A file that is moved away while several stores have it open, and put back later.
struct MovedFileTests {
  private let place: FaultyPlace
  private let aside: String

  init() throws {
    place = try FaultyPlace()
    aside = place.path + ".moved"
  }

  private func move(_ old: String, to new: String) throws {
    // As `mv` does it: what has the new name is replaced.
    try #require(rename(old, new) == 0)
  }

  /// Expects that the file that was moved away has all of its digests.
  private func expectMoved(_ villas: Int, sourceLocation: SourceLocation = #_sourceLocation) throws
  {
    let moved = try DigestStore(path: aside)
    #expect(try moved.verify().isSound, sourceLocation: sourceLocation)
    #expect(try moved.count("villa") == villas, sourceLocation: sourceLocation)
  }

  @Test func `a store that is closed after its file was replaced leaves no log to the new file`()
    throws
  {
    let store = try place.open()
    try store.see("villa", times: 50)
    try move(place.path, to: aside)
    try store.see("tent", times: 50)
    try move(aside, to: place.path)

    try store.close()

    let next = try place.open()
    try next.see("villa")
    let reader = try DigestReader(path: place.path)
    #expect(try reader.verify().isSound)
    #expect(try reader.count("villa") == 51)
    #expect(try place.broken().isEmpty)
    #expect(place.failures.all.isEmpty)
  }

  /// Several processes that leave a file without the lock could rename the log of the next file, and
  /// a store could open beside the log of another file.
  @Test(.ownThread, arguments: [false, true])
  func `no log is renamed or used while another process keeps the directory locked`(
    opensAnother: Bool
  ) throws {
    let store = try place.open()
    try store.see("villa", times: 5)
    try move(place.path, to: aside)

    let next = try lockingDirectory(of: place.path, waiting: 1) { lock in
      try lock.check(place.path)
      let names = try place.names()
      let next = try opensAnother ? place.open() : store
      try next.see("tent")
      #expect(try place.names() == names)
      return next
    }
    #expect(place.failures.rows == ["busy kept"])
    #expect(
      place.failures.all.first?.error.description.contains("keeps the directory locked") == true)

    try next.see("yurt")
    next.flush()
    if opensAnother { try store.close() }
    #expect(try next.count("tent") == 1)
    #expect(try next.count("yurt") == 1)
    try expectMoved(5)
  }

  @Test func `no file is made beside a log whose file was moved just before`() throws {
    let store = try place.open()
    try store.see("villa", times: 5)
    try move(place.path, to: aside)
    let names = try place.names()

    #expect(throws: Connection.FilesMoved.self) {
      try Connection.openStore(at: place.path, DigestStore.Configuration())
    }
    #expect(try place.names() == names)

    try place.open().see("tent")
    try store.close()
    try expectMoved(5)
    #expect(try place.open().count("tent") == 1)
  }

  @Test func `a transaction during which the file is moved is in one of the files`() throws {
    let store = try place.open()
    let other = try place.open()
    try store.see("villa")
    try other.see("villa")
    let attempts = Locked(0)
    let (path, aside) = (place.path, aside)

    try store.write { writer in
      let attempt = attempts.count()
      try writer.transaction {
        if attempt == 1 { #expect(rename(path, aside) == 0) }
        _ = try writer.add(.make(), after: writer.lastDigest())
      }
    }

    try other.see("tent")

    #expect(attempts.withLock { $0 } == 2)
    #expect(try other.count("tent") == 1)
    #expect(try store.soundDigests() == 2)
    let moved = try DigestStore(path: aside)
    #expect(try moved.soundDigests() == 2)
  }

  @Test func `a closed store that is moved away leaves nothing to the next one`() throws {
    try place.makeStore()
    try move(place.path, to: aside)
    try place.open().close()

    #expect(
      try place.names().filter { !$0.contains(".left-") }
        == ["digests.sqlite", "digests.sqlite.moved"])
    let store = try place.open()
    #expect(try store.verify().digests == 0)
    #expect(try store.losses().isEmpty)
  }

  @Test func `only a path that leads nowhere means that a file is gone`() throws {
    let folder = place.folder.url.path
    try place.makeStore(digests: 1)
    try #require(symlink("loop", folder + "/loop") == 0)

    #expect(FileIdentity.lookUp(folder + "/none") == .missing)
    #expect(FileIdentity.lookUp(place.path + "/below") == .missing)
    #expect(FileIdentity.lookUp(folder + "/loop") == .unknown(ELOOP))
    let longName = folder + "/" + String(repeating: "n", count: 300)
    #expect(FileIdentity.lookUp(longName) == .unknown(ENAMETOOLONG))
    for path in ["/none", "/digests.sqlite/below"] {
      #expect(try FileIdentity.find(folder + path) == nil)
    }
    for path in [folder + "/loop", longName] {
      #expect(throws: SQLiteError.self) { try FileIdentity.find(path) }
      #expect(throws: SQLiteError.self) { try FileIdentity.size(of: path) }
    }
    #expect(try FileIdentity.find(place.path) != nil)
  }

  @Test func `a relative path is resolved when the store is opened`() throws {
    let folder = place.folder.url.resolvingSymlinksInPath().path
    let up = FileManager.default.currentDirectoryPath.split(separator: "/").map { _ in ".." }
    let relative = (up + [String(folder.dropFirst()), "relative.sqlite"]).joined(separator: "/")

    let store = try DigestStore(path: relative)
    let reader = try DigestReader(path: relative)

    #expect(store.path == relative)
    #expect(store.file.path == folder + "/relative.sqlite")
    #expect(try reader.fileConnections.path == store.file.path)
  }

  @Test func `a path through a link is that of the file itself`() throws {
    let folder = place.folder.url.resolvingSymlinksInPath().path
    let link = folder + "/current"
    for name in ["one", "two"] { try #require(mkdir("\(folder)/\(name)", 0o700) == 0) }
    try #require(symlink("one", link) == 0)
    let store = try DigestStore(path: folder + "/current/digests.sqlite")
    try store.see("villa")

    // As a deployment does it.
    try FileManager.default.removeItem(atPath: link)
    try #require(symlink("two", link) == 0)
    try store.see("villa")

    #expect(try DigestReader(path: folder + "/one/digests.sqlite").count("villa") == 2)
    #expect(!FileManager.default.fileExists(atPath: folder + "/two/digests.sqlite"))
  }
}
