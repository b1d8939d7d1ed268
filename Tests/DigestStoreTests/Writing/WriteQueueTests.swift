import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

@testable import DigestStore

struct WriteQueueTests {
  private typealias Configuration = DigestStore.Configuration

  private static func record(_ store: DigestStore) throws {
    _ = try JSONDecoder().decode(Listing.self, from: Listing.drifted, recordingTo: store)
  }

  /// Runs `body` on so many threads, and returns when all of them are done.
  private static func onThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    let group = DispatchGroup()
    for _ in 0..<count {
      group.enter()
      Thread.detachNewThread {
        body()
        group.leave()
      }
    }
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
        let key = next.withLock { next in
          next += 1
          return "k\(next)"
        }
        do {
          try temporary.store.recordErrors(of: Listing.self) {
            throw DecodingError.keyNotFound(
              AnyKey(key), .init(codingPath: [], debugDescription: "none"))
          }
        } catch is DecodingError {
          let isThere = try? temporary.store.failures().contains { $0.codingPath == key }
          if isThere != true { problems.withLock { $0.append(key) } }
        } catch {
          problems.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(problems.withLock { $0 } == [])
    #expect(try temporary.store.failures().count == 400)
    #expect(try temporary.store.verify().digests == 400)
    #expect(try temporary.store.verify().isSound)
  }

  @Test func `digests that wait are written in one transaction`() throws {
    let temporary = try TemporaryStore(Configuration(writing: .inBackground()))
    let store = temporary.store
    try Self.record(store)
    store.flush()
    let before = try FileIdentity.size(of: temporary.path + "-wal")
    store.queue.withVisit {
      Self.onThreads(8) { try? Self.record(store) }
      #expect(store.queue.waitingCount == 8)
    }
    store.flush()

    // A transaction takes a frame for each page that it changes; eight of them take eight at least.
    let frames = (try FileIdentity.size(of: temporary.path + "-wal") - before) / (4_096 + 24)
    #expect(1...4 ~= frames)
    #expect(try temporary.store.verify().digests == 9)
  }

  @Test func `in the background a flush hands over, and a wait finds all of it written`() throws {
    let temporary = try TemporaryStore(Configuration(writing: .inBackground()))
    for _ in 0..<2_500 { try Self.record(temporary.store) }
    temporary.store.flush()
    #expect(try temporary.store.verify().digests == 2_500)
    #expect(try temporary.store.novelValues().map(\.occurrences) == [2_500])
    #expect(temporary.failures.all.isEmpty)
  }

  @Test func `digests handed over are written when the store is closed or released`() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "digests.sqlite").path
    let configuration = Configuration(writing: .inBackground())
    let store = try DigestStore(path: path, configuration: configuration)
    for _ in 0..<20 { try Self.record(store) }
    try store.close()
    #expect(try DigestReader(path: path).novelValues().map(\.occurrences) == [20])
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
      try Self.record(store)
      for _ in 0..<200 { try Self.record(other.store) }
      Thread.detachNewThread(in: done) {
        store.flush()
        let digests = try? DigestReader(path: path).verify().digests
        committed.withLock { $0 = digests }
      }
      for _ in 0..<200 { try Self.record(other.store) }
    }
    done.wait()
    #expect(committed.withLock { $0 } == 1)
  }

  @Test func `a flush in the background after the store was closed is reported`() throws {
    let temporary = try TemporaryStore(Configuration(writing: .inBackground()))
    try Self.record(temporary.store)
    try temporary.store.close()

    try Self.record(temporary.store)
    temporary.store.flush()

    #expect(temporary.failures.all.map(\.error.code) == [.closed])
    #expect(try DigestReader(path: temporary.path).verify().digests == 1)
  }

  @Test(arguments: [true, false])
  func `each digest that is flushed while the store is closed is written or reported`(
    isInBackground: Bool
  ) throws {
    for _ in 0..<10 {
      let temporary = try TemporaryStore(
        Configuration(writing: isInBackground ? .inBackground() : .beforeReturning))
      let store = temporary.store
      let (threads, each) = (4, 50)
      let half = DispatchSemaphore(value: 0)
      let done = DispatchGroup()
      for _ in 0..<threads {
        Thread.detachNewThread(in: done) {
          for number in 0..<each {
            if number == each / 2 { half.signal() }
            try? Self.record(store)
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
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "digests.sqlite").path
    for configuration in [Configuration(), Configuration(writing: .inBackground())] {
      var store: DigestStore? = try DigestStore(path: path, configuration: configuration)
      store?.suspend()
      try Self.record(try #require(store))
      weak let released = store
      store = nil
      #expect(released == nil)
    }
    #expect(try DigestReader(path: path).verify().digests == 2)
  }

  @Test func `digests over the limit of waiting bytes are counted and reported`() throws {
    let temporary = try TemporaryStore(Configuration(writing: .inBackground(maximumBytes: 8_000)))
    let store = temporary.store
    store.queue.withVisit {
      for _ in 0..<20 { try? Self.record(store) }
    }
    store.flush()
    try Self.record(store)
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
    #expect(try store.losses().map(\.reason) == ["overflow"])
    #expect(try store.losses().map(\.digests) == [refused])
    #expect(try store.losses().map(\.occurrences) == [2 * refused])
  }

  @Test func `a suspended store has no open file, and writes flushed digests afterwards`()
    throws
  {
    let temporary = try TemporaryStore()
    let store = temporary.store
    try Self.record(store)
    store.suspend()
    #expect(try temporary.files() == ["digests.sqlite"])
    try Self.record(store)
    store.flush()
    #expect(throws: DigestStoreError.self) { try store.novelValues() }
    #expect(try DigestReader(path: temporary.path).novelValues().map(\.occurrences) == [1])

    store.resume()
    #expect(try store.novelValues().map(\.occurrences) == [2])
    try Self.record(store)
    #expect(try store.novelValues().map(\.occurrences) == [3])
    #expect(temporary.failures.all.isEmpty)
  }

  /// Whoever suspends the store waits for the check, and must not keep a turn from it meanwhile.
  @Test(.timeLimit(.minutes(1)))
  func `the progress closure of verify records and flushes while the store is suspended`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    try Self.record(store)
    let done = DispatchGroup()
    let calls = Locked(0)
    _ = try store.verify { _ in
      let isFirst = calls.withLock { calls in
        calls += 1
        return calls == 1
      }
      guard isFirst else { return }
      Thread.detachNewThread(in: done) { store.suspend() }
      for _ in 0..<200 {
        try? Self.record(store)
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
    for _ in 0..<10 { try Self.record(temporary.store) }
    temporary.store.resume()
    temporary.store.flush()
    try temporary.store.close()

    let reader = try DigestReader(path: temporary.path)
    let kept = try reader.verify().digests
    #expect(kept > 0 && kept < 10)
    #expect(try reader.losses().map(\.digests) == [10 - kept])
  }

  @Test func `suspending and resuming twice does nothing more, and closing ends it`() throws {
    let temporary = try TemporaryStore()
    temporary.store.suspend()
    temporary.store.suspend()
    temporary.store.resume()
    temporary.store.resume()
    try Self.record(temporary.store)
    #expect(try temporary.store.novelValues().map(\.occurrences) == [1])
    try temporary.store.close()
    temporary.store.resume()
    try Self.record(temporary.store)
    #expect(temporary.failures.all.map(\.error.code) == [.closed])
  }
}

private struct AnyKey: CodingKey {
  let stringValue: String
  let intValue: Int? = nil

  init(_ key: String) { stringValue = key }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}
