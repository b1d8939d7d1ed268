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

  private func expectSound(_ villas: Int, sourceLocation: SourceLocation = #_sourceLocation) throws
  {
    let reader = try DigestReader(path: place.path)
    #expect(try reader.verify().isSound, sourceLocation: sourceLocation)
    #expect(try reader.count("villa") == villas, sourceLocation: sourceLocation)
    #expect(try place.broken().isEmpty, sourceLocation: sourceLocation)
    #expect(place.failures.all.isEmpty, sourceLocation: sourceLocation)
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
    try expectSound(51)
  }

  /// SQLite keeps a log from being copied past a snapshot in use. One that was taken when all was
  /// copied keeps it from being copied at all.
  @Test(arguments: [false, true])
  func `a report does not keep digests out of a file that is moved`(isCopied: Bool) throws {
    let first = try place.open()
    let second = try place.open()
    try first.see("villa", times: 5)
    try second.see("villa", times: 5)
    if isCopied { try first.file.checkpoint() }
    let report = try Connection(path: place.path, mode: .readOnly)
    try report.execute("BEGIN")
    _ = try report.integer("SELECT count(*) FROM digest")
    try second.see("villa", times: 5)

    try move(place.path, to: aside)
    try first.see("tent")

    #expect(try place.names().filter { $0.contains(".left-") } == [])
    let moved = try DigestStore(path: aside)
    #expect(try moved.verify().isSound)
    #expect(try moved.count("villa") == 15)
    try report.execute("COMMIT")
    #expect(try first.count("tent") == 1)
  }

  @Test func `a report that may have mixed two states of a moved file fails`() throws {
    let store = try place.open()
    try store.see("villa", times: 5)
    let reader = try DigestReader(path: place.path)
    func move(_ old: String, to new: String) throws {
      try self.move(old, to: new)
      try store.see("tent")
    }

    // The file stays where it is, and the log is copied: that is no reason to fail.
    let calm = try reader.atOneMoment {
      try store.see("villa")
      try store.file.checkpoint()
      return try reader.count("villa")
    }
    #expect(calm == 5)
    #expect {
      try reader.atOneMoment {
        let before = try reader.count("villa")
        try store.see("villa", times: 5)
        try move(place.path, to: aside)
        return before
      }
    } throws: {
      ($0 as? DigestStoreError)?.code == .busy
    }
    #expect(try reader.count("tent") == 1)
  }

  /// Several processes that leave a file without the lock could rename the log of the next file.
  @Test func `no log is renamed while another process keeps the directory locked`() throws {
    let store = try place.open()
    try store.see("villa", times: 5)
    try move(place.path, to: aside)

    try lockingDirectory(of: place.path, waiting: 1) { isLocked in
      try #require(isLocked)
      let names = try place.names()
      try store.see("tent")
      #expect(try place.names() == names)
    }
    #expect(
      place.failures.all.map(\.error.description) == [
        "\(place.path): the file was moved, and its directory stays locked; try again"
      ])
    #expect(place.failures.all.map(\.error.code) == [.busy])

    try store.see("yurt")
    #expect(try store.count("yurt") == 1)
    let moved = try DigestStore(path: aside)
    #expect(try moved.verify().isSound)
    #expect(try moved.count("villa") == 5)
  }

  @Test func `no store opens beside the log of another file while the directory is locked`() throws
  {
    let store = try place.open()
    try store.see("villa", times: 5)
    try move(place.path, to: aside)

    let error = try lockingDirectory(of: place.path, waiting: 1) { isLocked in
      try #require(isLocked)
      let names = try place.names()
      let error = #expect(throws: DigestStoreError.self) { try place.open() }
      #expect(try place.names() == names)
      return error
    }
    #expect(error?.code == .busy)
    let expected = "another file's log is beside it, and its directory stays locked; try again"
    #expect(error?.description == "\(place.path): \(expected)")

    try place.open().see("tent")
    try store.close()
    let moved = try DigestStore(path: aside)
    #expect(try moved.verify().isSound)
    #expect(try moved.count("villa") == 5)
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
    let moved = try DigestStore(path: aside)
    #expect(try moved.verify().isSound)
    #expect(try moved.count("villa") == 5)
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
      let attempt = attempts.withLock { attempts in
        attempts += 1
        return attempts
      }
      try writer.transaction {
        if attempt == 1 {
          #expect(rename(path, aside) == 0)
          // The other store leaves the file while this transaction holds its lock.
          try other.see("tent")
        }
        _ = try writer.add(.make(), behind: writer.begin())
      }
    }

    #expect(attempts.withLock { $0 } == 1)
    #expect(try other.count("tent") == 1)
    #expect(try store.verify().digests == 1)
    #expect(try store.verify().isSound)
    let moved = try DigestStore(path: aside)
    #expect(try moved.verify().digests == 3)
    #expect(try moved.verify().isSound)
  }

  @Test func `a closed store that is moved away leaves nothing to the next one`() throws {
    try place.makeStore()
    try move(place.path, to: aside)
    try place.open().close()

    #expect(try place.names() == ["digests.sqlite", "digests.sqlite.moved"])
    let store = try place.open()
    #expect(try store.verify().digests == 0)
    #expect(try store.losses().isEmpty)
  }

  @Test func `a log of another database is set apart before a store is opened`() throws {
    let old = try place.open()
    try old.see("villa", times: 30)
    try old.close()
    let other = try FaultyPlace()
    let writer = try other.open()
    try writer.see("tent", times: 30)
    // What a process leaves that is killed, beside a file that was put back.
    try other.bytes("-wal").write(to: URL(filePath: place.path + "-wal"))

    let store = try place.open()
    try store.see("villa")

    try expectSound(31)
    #expect(try place.names().contains { $0.contains("-wal.left-") })
    #expect(try store.losses().map(\.reason) == ["moved away"])
  }

  /// A log begins anew with the first commit after a checkpoint, in whichever process; also when that
  /// commit is longer than all of the log was before.
  @Test(arguments: [(1, 1), (1, 40), (300, 1)])
  func `a log of another database is set apart also if it has just begun anew`(
    before: Int, after: Int
  ) throws {
    let place = try FaultyPlace()
    let store = try place.open()
    try store.see("villa", times: 50)
    try store.close()

    let other = try FaultyPlace()
    let otherStore = try other.open()
    try otherStore.see("tent", times: before)
    try otherStore.file.checkpoint()
    try otherStore.write { writer in
      try writer.append(
        (0..<after).map { _ in DigestRecord.make(.novel("tent")) })
    }
    try other.bytes("-wal").write(to: URL(filePath: place.path + "-wal"))

    let reopened = try place.open()
    try reopened.see("villa", times: 10)
    #expect(try reopened.count("villa") == 60)
    #expect(try reopened.count("tent") == 0)
    #expect(try reopened.verify().isSound)
    #expect(try reopened.losses().map(\.reason) == ["moved away"])
    #expect(try place.broken().isEmpty)
  }

  @Test func `a log whose pages a power cut has emptied is the store's own`() throws {
    let other = try FaultyPlace()
    let writer = try other.open()
    try writer.see("villa", times: 30)
    try writer.file.checkpoint()
    try other.bytes("").write(to: URL(filePath: place.path))
    var log = try other.bytes("-wal")
    // A header of 32 bytes, then frames of 24 bytes and a page each.
    for page in stride(from: 32 + 24, to: log.count, by: 24 + 4_096) {
      log.resetBytes(in: page..<page + 4_096)
    }
    try log.write(to: URL(filePath: place.path + "-wal"))

    let store = try place.open()
    try store.see("villa")
    try expectSound(31)
    #expect(try store.losses().isEmpty)
    #expect(try !place.names().contains { $0.contains("left") })
  }

  @Test func `a log is another store's only if nothing in it is the store's own`() throws {
    let other = try FaultyPlace()
    let writer = try other.open()
    try writer.see("villa")
    try writer.file.checkpoint()
    try other.bytes().write(to: URL(filePath: place.path))
    let log = try other.bytes("-wal")
    let frames = stride(from: 32, to: log.count, by: 24 + 4_096).map { log[$0..<$0 + 24 + 4_096] }
    let identity = Data(
      try #require(writer.read { try $0.text("SELECT identity FROM store") }).utf8)
    let own = try #require(frames.first { $0.range(of: identity) != nil })
    var foreign = own
    foreign.replaceSubrange(
      try #require(foreign.range(of: identity)), with: Data(repeating: UInt8(ascii: "a"), count: 32)
    )
    var elsewhere = own
    elsewhere[elsewhere.startIndex + 3] = 2

    func stands(_ frames: [Data]) throws -> Bool {
      try frames.reduce(log[..<32], +).write(to: URL(filePath: place.path + "-wal"))
      return ForeignLog.stands(beside: place.path)
    }
    #expect(try !stands([]))
    #expect(try !stands([own]))
    #expect(try !stands(frames))
    #expect(try stands([foreign]))
    // As after VACUUM, which gives pages other numbers.
    #expect(try !stands([foreign, elsewhere]))
    #expect(try !stands([elsewhere]))
    // The size of its pages.
    var header = log[..<32]
    header[10] = 8
    try (header + own).write(to: URL(filePath: place.path + "-wal"))
    #expect(ForeignLog.stands(beside: place.path))
    try Data(count: 100).write(to: URL(filePath: place.path + "-wal"))
    #expect(!ForeignLog.stands(beside: place.path))
  }

  @Test func `only a path that leads nowhere means that a file is gone`() throws {
    let folder = place.folder.url.path
    try place.makeStore(digests: 1)
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/loop", withDestinationPath: folder + "/loop")

    #expect(FileIdentity.lookUp(folder + "/none") == .missing)
    #expect(FileIdentity.lookUp(place.path + "/below") == .missing)
    #expect(FileIdentity.lookUp(folder + "/loop") == .unknown)
    #expect(FileIdentity.lookUp(folder + "/" + String(repeating: "n", count: 300)) == .unknown)
    #expect(FileIdentity(path: place.path) != nil)
  }

  @Test func `a relative path is resolved when the store is opened`() throws {
    let folder = place.folder.url.resolvingSymlinksInPath().path
    let up = FileManager.default.currentDirectoryPath.split(separator: "/").map { _ in ".." }
    let relative = (up + [String(folder.dropFirst()), "relative.sqlite"]).joined(separator: "/")

    let store = try DigestStore(path: relative)
    let reader = try DigestReader(path: relative)

    #expect(store.path == relative)
    #expect(store.file.path == folder + "/relative.sqlite")
    #expect(reader.connections.path == store.file.path)
  }

  @Test func `a path through a link is that of the file itself`() throws {
    let folder = place.folder.url.resolvingSymlinksInPath().path
    try FileManager.default.createDirectory(
      atPath: folder + "/one", withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      atPath: folder + "/two", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/current", withDestinationPath: folder + "/one")
    let store = try DigestStore(path: folder + "/current/digests.sqlite")
    try store.see("villa")

    // As a deployment does it.
    try FileManager.default.removeItem(atPath: folder + "/current")
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/current", withDestinationPath: folder + "/two")
    try store.see("villa")

    #expect(try DigestReader(path: folder + "/one/digests.sqlite").count("villa") == 2)
    #expect(!FileManager.default.fileExists(atPath: folder + "/two/digests.sqlite"))
  }
}
