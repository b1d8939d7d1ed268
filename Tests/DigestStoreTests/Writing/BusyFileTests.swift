import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

@testable import DigestStore

/// A file that another connection keeps locked.
@Suite(.timeLimit(.minutes(5)))
struct BusyFileTests {
  private static func configuration(
    _ writing: DigestStore.Writing = .beforeReturning
  ) -> DigestStore.Configuration {
    var configuration = DigestStore.Configuration(writing: writing)
    configuration.patience = 20
    return configuration
  }

  /// A store beside a connection that can lock its file.
  private struct Busy {
    let temporary: TemporaryStore
    let other: Connection

    var store: DigestStore { temporary.store }
    var failures: [DigestStore.WriteFailure] { temporary.failures.all }

    init(_ configuration: DigestStore.Configuration = BusyFileTests.configuration()) throws {
      temporary = try TemporaryStore(configuration)
      other = try Connection(path: temporary.path, mode: .readWrite)
    }

    func lock() throws { try other.execute("BEGIN IMMEDIATE") }
    func unlock() throws { try other.execute("COMMIT") }

    /// The novel values of the digests, in the order of the file.
    func values() throws -> [String] {
      try temporary.query(
        """
        SELECT f.novel_value FROM digest AS d, json_each(d.errors) AS e
        JOIN failure AS f ON f.id = json_extract(e.value, '$[0]') ORDER BY d.id
        """)
    }
  }

  @Test(arguments: [DigestStore.Writing.beforeReturning, .inBackground()])
  func `digests that find the file busy are written in their order when it is free`(
    _ writing: DigestStore.Writing
  ) throws {
    let busy = try Busy(Self.configuration(writing))
    try busy.lock()
    let values = (1...3).map { "yurt-\($0)" }
    for value in values { try busy.store.see(value) }
    busy.store.flush()
    #expect(try busy.values() == [])
    #expect(busy.temporary.failures.rows == ["busy kept", "busy kept", "busy kept"])
    #expect(busy.failures.map { $0.digest.entries.first?.novelValue?.text } == values)
    #expect(
      busy.failures[0].error.description.hasSuffix(
        "another process keeps it locked; the digest is not in the file yet, but the store keeps it "
          + "and tries again"))

    try busy.unlock()
    try busy.store.see("tent")
    busy.store.flush()

    #expect(try busy.values() == values + ["tent"])
    #expect(try busy.store.losses().isEmpty)
    #expect(busy.failures.allSatisfy { $0.isKept })
    #expect(try busy.store.verify().isSound)
  }

  @Test func `in the background, a digest that nobody waits for is not reported when it is kept`()
    throws
  {
    let busy = try Busy(Self.configuration(.inBackground()))
    try busy.lock()
    try busy.store.see("yurt", times: 3)
    // Its thread has tried.
    while !busy.store.queue.isBusy { sched_yield() }
    try busy.unlock()
    busy.store.flush()

    #expect(busy.failures.isEmpty)
    #expect(try busy.store.count("yurt") == 3)
    #expect(try busy.store.losses().isEmpty)
  }

  @Test func `the store tries again by itself`() throws {
    let busy = try Busy()
    try busy.lock()
    try busy.store.see("yurt", times: 3)
    try busy.unlock()

    while busy.store.queue.isBusy { sched_yield() }

    #expect(try busy.store.count("yurt") == 3)
  }

  @Test(arguments: [DigestStore.Writing.beforeReturning, .inBackground(maximumBytes: 20_000)])
  func `a busy file loses only what does not fit into memory, and counts it`(
    _ writing: DigestStore.Writing
  ) throws {
    let busy = try Busy(Self.configuration(writing))
    let digests = 20 + writing.maximumBytes / 800
    try busy.lock()
    try busy.store.see("yurt", times: digests)
    busy.store.flush()
    let lost = busy.failures.filter { !$0.isKept }
    #expect(lost.count > 0 && lost.count < digests)
    #expect(lost.allSatisfy { $0.error.code == .overflow })
    #expect(busy.failures.count == digests)

    try busy.unlock()
    busy.store.flush()
    try busy.store.see("tent")
    busy.store.flush()

    #expect(try busy.store.count("yurt") == digests - lost.count)
    #expect(try busy.store.losses().rows == ["overflow \(lost.count) \(lost.count)"])
  }

  @Test(arguments: [DigestStore.Writing.beforeReturning, .inBackground()])
  func `digests are lost when the store is closed while the file is busy`(
    _ writing: DigestStore.Writing
  ) throws {
    let busy = try Busy(Self.configuration(writing))
    try busy.lock()
    try busy.store.see("yurt", times: 2)
    busy.store.flush()
    let kept = ["busy kept", "busy kept"]
    #expect(busy.temporary.failures.rows == kept)

    expectError(.busy) { try busy.store.close() }
    #expect(busy.temporary.failures.rows == kept + ["busy lost", "busy lost"])

    try busy.unlock()
    try busy.store.close()
    let reader = try DigestReader(path: busy.store.path)
    #expect(try reader.verify().digests == 0)
  }

  @Test func `a store that is closed when the file is free again writes what it has kept`() throws {
    let busy = try Busy()
    try busy.lock()
    try busy.store.see("yurt", times: 2)
    try busy.unlock()
    try busy.store.close()
    let reader = try DigestReader(path: busy.store.path)
    #expect(try reader.count("yurt") == 2)
    #expect(try reader.losses().isEmpty)
  }

  @Test func `a store that is suspended while the file is busy keeps its digests`() throws {
    let busy = try Busy()
    try busy.lock()
    try busy.store.see("villa")
    busy.store.suspend()
    try busy.store.see("yurt")
    busy.store.resume()
    try busy.unlock()
    busy.store.flush()
    #expect(try busy.values() == ["villa", "yurt"])
    #expect(busy.failures.allSatisfy { $0.isKept })
    #expect(try busy.store.losses().isEmpty)
  }

  @Test(.timeLimit(.minutes(1)))
  func `what a suspension reports is reported without a lock`() throws {
    let place = try FaultyPlace()
    let (opened, codes) = (Locked<DigestStore?>(nil), Locked<[DigestStoreError.Code]>([]))
    var configuration = Self.configuration(.inBackground())
    configuration.onWriteFailure = { _ in
      let store = opened.withLock { $0 }
      let error = #expect(throws: DigestStoreError.self) { try store?.verify() }
      if let error { codes.withLock { $0.append(error.code) } }
    }
    let store = try DigestStore(path: place.path, configuration: configuration)
    opened.withLock { $0 = store }
    let other = try Connection(path: place.path, mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    try store.see("yurt")
    store.suspend()
    #expect(codes.withLock { $0 } == [.suspended])

    try other.execute("COMMIT")
    store.resume()
    #expect(try store.count("yurt") == 1)
    opened.withLock { $0 = nil }
  }

  @Test func `a store that is released while the file is busy writes what it has kept`() throws {
    let place = try FaultyPlace()
    var store: DigestStore? = try DigestStore(path: place.path, configuration: Self.configuration())
    let other = try Connection(path: place.path, mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    try store?.see("yurt", times: 2)
    weak let queue = store?.queue
    store = nil
    #expect(queue != nil)

    try other.execute("COMMIT")
    while queue != nil { sched_yield() }

    #expect(try DigestReader(path: place.path).count("yurt") == 2)
  }

  @Test func `a store that could not be opened yet keeps its digests`() throws {
    let place = try FaultyPlace()
    try DigestStore(path: place.path).close()
    let other = try Connection(path: place.path, mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    let store = try DigestStore(path: place.path, configuration: Self.configuration())
    try store.see("yurt", times: 2)

    try other.execute("COMMIT")
    store.flush()

    #expect(try store.count("yurt") == 2)
    #expect(try store.losses().isEmpty)
  }

  @Test func `eight threads lose nothing to a lock, and report each digest once`() throws {
    let busy = try Busy()
    let (threads, each) = (8, 25)
    try busy.lock()
    let (done, store) = (DispatchGroup(), busy.store)
    for _ in 0..<threads {
      Thread.detachNewThread(in: done) { try? store.see("yurt", times: each) }
    }
    done.wait()
    #expect(busy.failures.count == threads * each)
    #expect(busy.failures.allSatisfy { $0.isKept })

    try busy.unlock()
    busy.store.flush()

    #expect(try busy.store.count("yurt") == threads * each)
    #expect(try busy.store.losses().isEmpty)
  }
}
