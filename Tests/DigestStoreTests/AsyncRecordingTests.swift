import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

@testable import DigestStore

struct AsyncRecordingTests {
  @Test func `an asynchronous decode is recorded as one digest, with its child tasks`() async throws
  {
    let temporary = try TemporaryStore()
    let sum = try await temporary.store.recordErrors(of: Listing.self) {
      async let first = decode("first")
      async let second = decode("second")
      await Task.yield()
      return try await first + second
    }
    #expect(sum == 0)
    #expect(
      Set(try temporary.store.failures().map { "\($0.model) \($0.codingPath) \($0.occurrences)" })
        == ["DigestStoreTests.Listing p.* 2"])
    #expect(try temporary.store.verify().digests == 1)
  }

  @Test func `an error that is thrown is recorded, and a decode without errors is counted`()
    async throws
  {
    let temporary = try TemporaryStore()
    let store = temporary.store
    await #expect(throws: DecodingError.self) {
      try await store.recordErrors(of: Listing.self) {
        await Task.yield()
        return try JSONDecoder().decode(Listing.self, from: Listing.unusable)
      }
    }
    await store.recordErrors(of: Listing.self) { await Task.yield() }
    store.flush()
    #expect(try store.failures().map(\.codingPath) == ["id"])
    #expect(try store.decodeCounts()?.decodes == 2)
  }

  /// A request may fail with another error because its task is cancelled.
  @Test(arguments: [CancellationError(), CocoaError(.userCancelled)] as [any Error])
  func `a cancelled decode isn't an error, and is not counted as one without errors`(
    error: any Error
  ) async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let task = Task {
      try await store.recordErrors(of: Listing.self) {
        while !Task.isCancelled { await Task.yield() }
        throw error
      }
    }
    task.cancel()
    await #expect(throws: (any Error).self) { try await task.value }
    #expect(throws: CancellationError.self) {
      try store.recordErrors(of: Listing.self) { throw CancellationError() }
    }
    store.flush()
    #expect(try store.totals().occurrences == 0)
    #expect(try store.decodeCounts() == nil)
  }

  @Test func `what was recovered before a cancellation is recorded`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    await #expect(throws: CancellationError.self) {
      try await store.recordErrors(of: Listing.self) {
        _ = try decode("a")
        await Task.yield()
        throw CancellationError()
      }
    }
    #expect(try store.failures().map(\.codingPath) == ["p.*"])
  }

  @Test func `a task that outlives the decode reports to the next reporter`() async throws {
    let temporary = try TemporaryStore()
    let gate = AsyncStream.makeStream(of: Void.self)
    let late = await temporary.store.recordErrors(of: Listing.self) {
      await Task.yield()
      return Task {
        for await _ in gate.stream { break }
        let decoder = JSONDecoder()
        let installed = decoder.enableResilientDecodingErrorReporting()
        _ = try decoder.decode(Prices.self, from: Data(#"{"p": {"late": "x"}}"#.utf8))
        return installed.flushReportedErrors()?.errorCount
      }
    }
    gate.continuation.yield()
    #expect(try await late.value == 1)
    #expect(try temporary.store.totals().occurrences == 0)
  }

  @Test func `a model that notices the cancellation of its decode isn't an error`() throws {
    struct Patient: Decodable {
      init(from decoder: any Decoder) throws { throw CancellationError() }
    }
    let temporary = try TemporaryStore()
    #expect(throws: CancellationError.self) {
      try JSONDecoder().decode(Patient.self, from: Data("{}".utf8), recordingTo: temporary.store)
    }
    #expect(try temporary.store.totals().occurrences == 0)
  }

  @Test func `asynchronous code records on a queue of the store, synchronous code does not`()
    async throws
  {
    let isOnQueue = Locked<[Bool]>([])
    let key = DispatchSpecificKey<Bool>()
    var configuration = DigestStore.Configuration()
    configuration.redact = { entry in
      isOnQueue.withLock { $0.append(DispatchQueue.getSpecific(key: key) == true) }
      return entry
    }
    let temporary = try TemporaryStore(configuration)
    let store = temporary.store
    for queue in store.recordingQueues { queue.setSpecific(key: key, value: true) }
    func recordNow() throws { _ = try store.recordErrors(of: Listing.self) { try decode("a") } }

    _ = try await store.recordErrors(of: Listing.self) { try decode("a") }
    _ = try await store.recordErrors(of: Listing.self) {
      await Task.yield()
      return try decode("a")
    }
    try recordNow()

    #expect(isOnQueue.withLock { $0 } == [true, true, false])
  }

  @Test func `work is performed on another thread, unless the task is cancelled`() async throws {
    let temporary = try TemporaryStore(holding: .make())
    let store = temporary.store
    #expect(try await store.perform { try store.novelValues().map(\.novelValue) } == ["villa"])
    try await store.perform { try store.close() }
    await #expect(throws: DigestStoreError.self) { try await store.perform { try store.totals() } }
    let hasRun = Locked(false)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try await store.perform { hasRun.withLock { $0 = true } }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!hasRun.withLock { $0 })
  }
}

@Sendable private func decode(_ key: String) throws -> Int {
  let data = Data(#"{"p": {"\#(key)": "x"}}"#.utf8)
  return try JSONDecoder().decode(Prices.self, from: data).p.count
}

private struct Prices: Decodable {
  @Resilient var p: [String: Int]
}
