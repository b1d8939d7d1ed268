import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

@testable import DigestStore

/// What happens to a file while threads write to it.
struct OpenFileFaultTests {
  private let place: FaultyPlace
  private let store: DigestStore

  init() throws {
    place = try FaultyPlace()
    store = try place.open()
    try store.see("villa", times: 200)
  }

  /// Lets something happen while two threads record, each of them digests before and after it.
  ///
  /// - Returns: how many digests these two have recorded.
  private func whileWriting(_ happen: @Sendable () throws -> Void) throws -> Int {
    let failed = Locked<(any Error)?>(nil)
    let half = 150
    let (before, after, done) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    for _ in 0..<2 {
      Thread.detachNewThread { [store] in
        do {
          try store.see("tent", times: half)
          before.signal()
          // This goes on while it happens.
          try store.see("tent", times: half)
          after.wait()
          try store.see("tent", times: half)
        } catch { failed.withLock { $0 = error } }
        done.signal()
      }
    }
    for _ in 0..<2 { before.wait() }
    let happened = Result { try happen() }
    for _ in 0..<2 { after.signal() }
    for _ in 0..<2 { done.wait() }
    if let error = failed.withLock({ $0 }) { throw error }
    try happened.get()
    return 2 * 3 * half
  }

  @Test func `of a file that is moved away nothing is lost`() throws {
    let aside = place.path + ".moved"
    let path = place.path

    let written = try whileWriting {
      try FileManager.default.moveItem(atPath: path, toPath: aside)
    }

    let moved = try DigestStore(path: aside)
    #expect(try moved.verify().isSound)
    #expect(try store.verify().isSound)
    #expect(try moved.count("villa") == 200)
    #expect(try moved.count("tent") + store.count("tent") == written)
    #expect(place.failures.all.isEmpty)
    try place.expect(store, toWorkAfter: "moved")
  }

  @Test(arguments: [
    Damage("deleted") { try FileManager.default.removeItem(atPath: $0.path) },
    Damage("a folder that was made again") { place in
      try FileManager.default.removeItem(at: place.folder.url)
      try FileManager.default.createDirectory(
        at: place.folder.url, withIntermediateDirectories: true)
    },
    Damage("deleted with all that belongs to it") { place in
      for suffix in ["-shm", "-wal", ""] {
        try FileManager.default.removeItem(atPath: place.path + suffix)
      }
    },
  ])
  func `a file that is deleted is followed by a new one`(_ damage: Damage) throws {
    let place = place

    _ = try whileWriting { try damage.apply(place) }

    try place.expect(store, toWorkAfter: damage.testDescription)
    #expect(try store.verify().isSound)
  }

  @Test func `another store in its place is written from then on`() throws {
    let other = try FaultyPlace()
    try other.makeStore(digests: 30)
    let path = place.path

    let written = try whileWriting {
      // As `mv` does it.
      #expect(rename(other.path, path) == 0)
    }

    #expect(try store.verify().isSound)
    #expect(try store.count("villa") == 30)
    #expect(try store.count("tent") > 0)
    #expect(try store.count("tent") <= written)
    try place.expect(store, toWorkAfter: "replaced")
  }

  @Test func `another program's file in its place is left as it is`() throws {
    let contents = Data(String(repeating: "not a database ", count: 1_000).utf8)
    let path = place.path

    _ = try whileWriting {
      try contents.write(to: URL(filePath: path + ".new"))
      #expect(rename(path + ".new", path) == 0)
    }

    #expect(try place.bytes() == contents)
    #expect(place.failures.all.contains { $0.error.code == .notAStore })
    #expect(throws: DigestStoreError.self) { try store.novelValues() }
    // And when it goes away again, all is well.
    try FileManager.default.removeItem(atPath: path)
    try place.expect(store, toWorkAfter: "gone")
    #expect(try store.losses().contains { $0.reason == "failed write" })
  }

  @Test func `of damage in an open file its owner hears, and where the file is now`() throws {
    let quarantines = Locked<[DigestStore.Quarantine]>([])
    let store = try DigestStore(
      path: place.path,
      configuration: DigestStore.Configuration(
        onQuarantine: { quarantine in quarantines.withLock { $0.append(quarantine) } }))
    try store.see("tent", times: 10)
    try store.file.checkpoint()
    try place.overwrite(Data(repeating: 0x58, count: 40_000), at: 4_096)

    _ = try? store.novelValues()  // That fails: what is checked is what is said of it.

    let told = quarantines.withLock { $0 }
    #expect(told.count == 1)
    let aside = try #require(told.first)
    #expect(FileManager.default.fileExists(atPath: aside.path))
    #expect(aside.path.hasPrefix(place.path + ".broken-"))
    #expect(aside.error.code == .damaged)
    try store.close()
  }

  @Test(arguments: [
    Damage("cut to nothing") { try $0.truncate(to: 0) },
    Damage("cut to 100 bytes") { try $0.truncate(to: 100) },
    Damage("cut to half") { try $0.truncate(to: UInt64($0.bytes().count / 2)) },
    Damage("the log cut to nothing") { try $0.truncate(to: 0, "-wal") },
    Damage("the log cut to half") {
      try $0.truncate(to: UInt64($0.bytes("-wal").count / 2), "-wal")
    },
    Damage("both cut to nothing") {
      // The log first, for a store without its contents is noticed and moved away at once.
      try $0.truncate(to: 0, "-wal")
      try $0.truncate(to: 0)
    },
    Damage("zeros") { try $0.overwrite(Data(count: $0.bytes().count), at: 0) },
    Damage("garbage") { try $0.overwrite(Data(repeating: 0x58, count: 20_000), at: 0) },
    Damage("garbage in the log") {
      try $0.overwrite(Data(repeating: 0x58, count: $0.bytes("-wal").count), at: 0, of: "-wal")
    },
  ])
  func `a file damaged while it is written stops no process`(_ damage: Damage) throws {
    let place = place

    _ = try whileWriting { try damage.apply(place) }

    try place.expect(store, toWorkAfter: damage.testDescription)
    // Also for whoever opens it next.
    try store.close()
    let next = try place.open()
    try place.expect(next, toWorkAfter: "\(damage.testDescription), opened again")
    #expect(try next.verify().isSound)
    // What there was is there, or lies aside.
    #expect(try next.count("villa") == 200 || !place.broken().isEmpty)
  }

  @Test(arguments: 0..<UInt64(Repetitions.count(30, long: 100)))
  func `a byte that flips while it is written stops no process`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let suffix = seed.isMultiple(of: 2) ? "-wal" : ""
    let size = try place.bytes(suffix).count
    let flip = try place.flipByte(below: size, of: suffix, using: &random)

    try store.see("tent", times: 50)

    try place.expect(store, toWorkAfter: flip)
  }
}
