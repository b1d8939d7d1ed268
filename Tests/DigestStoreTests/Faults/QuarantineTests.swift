import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

@testable import DigestStore

/// A damaged file that several stores come upon, and what the next file says of it.
struct QuarantineTests {
  private let place: FaultyPlace

  init() throws {
    place = try FaultyPlace()
    try place.makeStore()
  }

  private func damage() throws {
    try place.overwrite(Data(repeating: 0, count: 3_900), at: 100)
  }

  @Test(arguments: 0..<10)
  func `threads that open a damaged file together set it aside once`(
    round: Int
  ) throws {
    try damage()
    let problems = Locked<[String]>([])
    let start = DispatchSemaphore(value: 0)
    let done = DispatchGroup()
    let count = 4
    for _ in 0..<count {
      Thread.detachNewThread(in: done) { [place] in
        start.wait()
        do {
          let store = try place.open()
          try store.see("tent", times: 20)
          try store.close()
        } catch {
          problems.withLock { $0.append("\(error)") }
        }
      }
    }
    for _ in 0..<count { start.signal() }
    done.wait()

    #expect(problems.withLock { $0 } == [])
    #expect(place.failures.all.isEmpty)
    #expect(try place.broken().count == 1)
    let store = try place.open()
    #expect(try store.count("tent") == count * 20)
    #expect(try store.verify().isSound)
    #expect(try store.losses().map(\.reason) == ["quarantined"])
  }

  @Test func `a file is not set aside for the damage of the one before it`() throws {
    try damage()
    let found = FileDamage(error: .emptied, file: try FileIdentity.find(place.path))
    let fast = try place.open()
    try fast.see("tent")
    let slow = try place.open()

    try slow.file.setAside(found)

    try slow.see("tent")
    #expect(try place.broken().count == 1)
    #expect(try fast.count("tent") == 2)
  }

  @Test(.ownThread) func `nothing is set aside while another process keeps the directory locked`()
    throws
  {
    try damage()
    let contents = try place.bytes()

    let store = try lockingDirectory(of: place.path, waiting: 1) { lock in
      try lock.check(place.path)
      let store = try place.open()
      try store.see("tent")
      return store
    }

    let error = try #require(place.failures.all.first).error
    #expect(error.code == .busy)
    #expect(error.description.contains("keeps the directory locked"))
    #expect(try place.bytes() == contents)
    #expect(try place.broken().isEmpty)
    try place.expect(store, toWorkAfter: "the lock is gone")
    #expect(try store.count("tent") == 1)
    #expect(try store.losses().map(\.reason) == ["quarantined"])
  }

  @Test(.ownThread) func `a sound store opens while another process keeps the directory locked`()
    throws
  {
    let store = try lockingDirectory(of: place.path, waiting: 1) { lock in
      try lock.check(place.path)
      return try place.open()
    }
    try store.see("tent")
    #expect(try store.count("tent") == 1)
  }

  @Test func `a new file says what it has replaced before anything is recorded`() throws {
    try damage()
    let store = try place.open()
    let other = try DigestReader(path: place.path)
    #expect(try other.losses().map(\.reason) == ["quarantined"])
    try store.close()
  }
}

extension Thread {
  /// Runs `body` on a thread of its own, as a part of a group.
  static func detachNewThread(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
    group.enter()
    detachNewThread {
      body()
      group.leave()
    }
  }
}
