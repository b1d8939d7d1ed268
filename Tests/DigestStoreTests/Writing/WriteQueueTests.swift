import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

@testable import DigestStore

struct WriteQueueTests {
  private typealias Configuration = DigestStore.Configuration

  /// Runs `body` on so many threads, and returns when all of them are done.
  private static func onThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    let group = DispatchGroup()
    for _ in 0..<count { Thread.detachNewThread(in: group, body) }
    group.wait()
  }

  @Test func `threads that flush together lose nothing and each finds its own digest written`()
    throws
  {
    let temporary = try TemporaryStore()
    let problems = Locked<[String]>([])
    let next = Locked(0)
    Self.onThreads(8) {
      for _ in 0..<50 {
        // Each has a failure of its own, which must be there as soon as its flush has returned.
        let key = "k\(next.count())"
        let error = DecodingError.keyNotFound(
          AnyKey(stringValue: key), .init(codingPath: [], debugDescription: "none"))
        _ = try? temporary.store.recordErrors(of: Listing.self) { throw error }
        let isThere = try? temporary.store.failures().contains { $0.codingPath == key }
        if isThere != true { problems.withLock { $0.append(key) } }
      }
    }
    #expect(problems.withLock { $0 } == [])
    #expect(try temporary.store.failures().count == 400)
    #expect(try temporary.store.soundDigests() == 400)
  }

  @Test func `digests that wait are written in one transaction`() throws {
    let temporary = try TemporaryStore(Configuration(writing: .inBackground()))
    let store = temporary.store
    try store.decodeListing()
    store.flush()
    let before = try FileIdentity.size(of: temporary.path + "-wal")
    store.queue.withVisit {
      Self.onThreads(8) { _ = try? store.decodeListing() }
      #expect(store.queue.waitingCount == 8)
    }
    store.flush()

    // A transaction takes a frame for each page that it changes; eight of them take eight at least.
    let frames = (try FileIdentity.size(of: temporary.path + "-wal") - before) / (4_096 + 24)
    #expect(1...4 ~= frames)
    #expect(try temporary.store.verify().digests == 9)
  }

  @Test func `digests handed over are written when the store is closed or released`() throws {
    let place = try FaultyPlace()
    let configuration = Configuration(writing: .inBackground())
    let store = try DigestStore(path: place.path, configuration: configuration)
    for _ in 0..<20 { try store.decodeListing() }
    try store.close()
    #expect(try DigestReader(path: place.path).novelValues().map(\.occurrences) == [20])
  }

  @Test func `a wait includes the digests that another thread is writing`() throws {
    let temporary = try TemporaryStore(Configuration(writing: .inBackground()))
    let store = temporary.store
    let path = temporary.path
    let committed = Locked<Int?>(nil)
    let done = DispatchGroup()
    try store.file.write { _ in
      // Each of the two has time enough to come as far as it can.
      let other = try TemporaryStore()
      // The store's thread takes the digest, and waits for the writer.
      try store.decodeListing()
      for _ in 0..<200 { try other.store.decodeListing() }
      Thread.detachNewThread(in: done) {
        store.flush()
        let digests = try? DigestReader(path: path).verify().digests
        committed.withLock { $0 = digests }
      }
      for _ in 0..<200 { try other.store.decodeListing() }
    }
    done.wait()
    #expect(committed.withLock { $0 } == 1)
  }

  @Test(arguments: [DigestStore.Writing.beforeReturning, .inBackground()])
  func `each digest that is flushed while the store is closed is written or reported`(
    writing: DigestStore.Writing
  ) throws {
    for _ in 0..<10 {
      let temporary = try TemporaryStore(Configuration(writing: writing))
      let store = temporary.store
      let (threads, each) = (4, 50)
      let half = DispatchSemaphore(value: 0)
      let done = DispatchGroup()
      for _ in 0..<threads {
        Thread.detachNewThread(in: done) {
          for number in 0..<each {
            if number == each / 2 { half.signal() }
            _ = try? store.decodeListing()
          }
        }
      }
      half.wait()
      try store.close()
      done.wait()

      let written = try DigestReader(path: temporary.path).verify().digests
      #expect(written + temporary.failures.all.count == threads * each)
      #expect(Set(temporary.failures.all.map(\.error.code)).isSubset(of: [.closed]))
    }
  }

  @Test func `a suspended store that is let go of writes what it has kept`() throws {
    let place = try FaultyPlace()
    for configuration in [Configuration(), Configuration(writing: .inBackground())] {
      var store: DigestStore? = try DigestStore(path: place.path, configuration: configuration)
      store?.suspend()
      try #require(store).decodeListing()
      weak let released = store
      store = nil
      #expect(released == nil)
    }
    #expect(try DigestReader(path: place.path).verify().digests == 2)
  }

  @Test func `digests over the limit of waiting bytes are counted and reported`() throws {
    let temporary = try TemporaryStore(Configuration(writing: .inBackground(maximumBytes: 8_000)))
    let store = temporary.store
    store.queue.withVisit {
      for _ in 0..<20 { _ = try? store.decodeListing() }
    }
    store.flush()
    try store.decodeListing()
    store.flush()

    let refused = temporary.failures.all.count
    #expect(refused > 0 && refused < 20)
    #expect(temporary.failures.all.allSatisfy { $0.error.code == .overflow })
    // What doctor says of it too.
    let error = try #require(temporary.failures.all.first?.error.description)
    #expect(
      error.hasSuffix(
        ": too many digests are waiting to be written; \(DigestStoreError.overflowRemedy)"))
    #expect(temporary.failures.all.allSatisfy { $0.digest.entries.count == 2 })
    #expect(try store.verify().digests == 21 - refused)
    #expect(try store.losses().rows == ["overflow \(refused) \(2 * refused)"])
  }

  @Test func `a suspended store has no open file, and writes flushed digests afterwards`()
    throws
  {
    let temporary = try TemporaryStore()
    let store = temporary.store
    try store.decodeListing()
    for _ in 0..<2 { store.suspend() }
    #expect(try temporary.files() == ["digests.sqlite"])
    try store.decodeListing()
    store.flush()
    #expect(throws: DigestStoreError.self) { try store.novelValues() }
    #expect(try DigestReader(path: temporary.path).novelValues().map(\.occurrences) == [1])

    for _ in 0..<2 { store.resume() }
    #expect(try store.novelValues().map(\.occurrences) == [2])
    try store.decodeListing()
    #expect(try store.novelValues().map(\.occurrences) == [3])
    #expect(temporary.failures.all.isEmpty)
    // A closed store stays closed.
    try store.close()
    store.resume()
    try store.decodeListing()
    #expect(temporary.failures.all.map(\.error.code) == [.closed])
  }

  /// Whoever suspends the store waits for the check, and must not keep a turn from it meanwhile.
  @Test(.timeLimit(.minutes(1)))
  func `the progress closure of verify records and flushes while the store is suspended`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    try store.decodeListing()
    let done = DispatchGroup()
    let calls = Locked(0)
    _ = try store.verify { _ in
      let isFirst = calls.count() == 1
      guard isFirst else { return }
      Thread.detachNewThread(in: done) { store.suspend() }
      for _ in 0..<200 {
        _ = try? store.decodeListing()
        store.flush()
      }
    }
    done.wait()
    store.resume()

    #expect(calls.withLock { $0 } > 0)
    #expect(try store.verify().digests == 201)
  }

  @Test func `a suspended store keeps no more than it may, and says so`() throws {
    let temporary = try TemporaryStore(Configuration(writing: .inBackground(maximumBytes: 4_000)))
    temporary.store.suspend()
    for _ in 0..<10 { try temporary.store.decodeListing() }
    temporary.store.resume()
    temporary.store.flush()
    try temporary.store.close()

    let reader = try DigestReader(path: temporary.path)
    let kept = try reader.verify().digests
    #expect(kept > 0 && kept < 10)
    #expect(try reader.losses().map(\.digests) == [10 - kept])
  }

}

private struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
