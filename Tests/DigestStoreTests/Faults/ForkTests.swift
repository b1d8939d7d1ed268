import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

@testable import DigestStore

/// A process that forks while it writes.
///
/// The test runs in a process of its own. A child has the locks of its parent as they are at the fork,
/// and the threads of other tests would leave it locks of the runtime that no thread of the child holds.
// ThreadSanitizer does not follow a process with threads into its child.
@Suite(.enabled(if: dlsym(nil, "__tsan_init") == nil))
struct ForkTests {
  @Test func `parent and child write on, each for itself`() async {
    await #expect(processExitsWith: .success) {
      endIfStuck()
      let place = try FaultyPlace()
      let store = try place.open()
      // The first digest fills the runtime's caches: to fill one takes a lock, to read one takes none.
      try store.see("villa")
      let recorded = Locked(1)
      let isForking = Locked(true)
      let failed = Locked<(any Error)?>(nil)
      let (started, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      for _ in 0..<2 {
        Thread.detachNewThread {
          started.signal()
          do {
            while isForking.withLock({ $0 }) {
              try store.see("villa")
              recorded.withLock { $0 += 1 }
            }
          } catch { failed.withLock { $0 = error } }
          done.signal()
        }
      }
      for _ in 0..<2 { started.wait() }

      var children: [pid_t] = []
      for _ in 0..<10 {
        try store.see("tent", times: 10)
        let child = forkProcess()
        if child == 0 {
          endIfStuck()
          let isWritten = (try? store.see("yurt", times: 20)) != nil
          _exit(isWritten && place.failures.all.isEmpty ? 0 : 1)
        }
        children.append(child)
      }
      isForking.withLock { $0 = false }
      for _ in 0..<2 { done.wait() }

      #expect(failed.withLock { $0 } == nil)
      for child in children {
        var status: Int32 = -1
        #expect(waitpid(child, &status, 0) == child)
        #expect(status == 0)
      }
      try store.see("villa")
      #expect(place.failures.all.isEmpty)
      #expect(try store.count("villa") == recorded.withLock { $0 } + 1)
      #expect(try store.count("tent") == 100)
      #expect(try store.count("yurt") == 200)
      #expect(try store.verify().isSound)
      #expect(try place.broken().isEmpty)
    }
  }

  @Test func `a fork waits for no thread that writes to one store and reads another`() async {
    await #expect(processExitsWith: .success) {
      endIfStuck()
      // Several, for a fork takes them in an order of its own.
      let places = try (0..<6).map { _ in try FaultyPlace() }
      let stores = try places.map { try $0.open() }
      for store in stores { try store.see("villa") }
      let (started, done) = (DispatchSemaphore(value: 0), DispatchGroup())
      for (writer, reader) in zip(stores, stores.dropFirst() + stores.prefix(1)) {
        Thread.detachNewThread(in: done) {
          for round in 0..<500 {
            writer.queue.withTurn { _ = try? reader.novelValues() }
            if round == 0 { started.signal() }
          }
        }
      }
      for _ in stores { started.wait() }

      for _ in 0..<10 {
        let child = forkProcess()
        if child == 0 { _exit(0) }
        var status: Int32 = -1
        #expect(waitpid(child, &status, 0) == child)
        #expect(status == 0)
      }
      done.wait()
    }
  }

  @Test func `a child opens a reader's file again, and so does its parent`() async {
    await #expect(processExitsWith: .success) {
      endIfStuck()
      let place = try FaultyPlace()
      let store = try place.open()
      try store.see("villa")
      let reader = try DigestReader(path: place.path)
      let connection = try reader.dataVersion().connection
      @Sendable func isReopened() -> Bool {
        (try? reader.count("villa")) == 1
          && (try? reader.dataVersion().connection).map { $0 != connection } == true
      }

      let child = forkProcess()
      if child == 0 {
        endIfStuck(after: 60)
        _exit(isReopened() ? 0 : 1)
      }

      var status: Int32 = -1
      #expect(waitpid(child, &status, 0) == child)
      #expect(status == 0)
      #expect(isReopened())
    }
  }

  @Test func `a child can use the shared state of its parent to report errors`() async {
    await #expect(processExitsWith: .success) {
      endIfStuck()
      // Only a process with a store prepares for a fork.
      let place = try FaultyPlace()
      let store = try place.open()
      let isForking = Locked(true)
      let (started, done) = (DispatchSemaphore(value: 0), DispatchGroup())
      let uses: [@Sendable () -> Void] = [
        { _ = typeName(ForkTests.self) }, { _ = ResilientDecodingErrorReporter.observer == nil },
      ]
      for use in uses {
        Thread.detachNewThread(in: done) {
          use()
          started.signal()
          while isForking.withLock({ $0 }) { for _ in 0..<1_000 { use() } }
        }
      }
      for _ in uses { started.wait() }

      for _ in 0..<100 {
        let child = forkProcess()
        if child == 0 {
          endIfStuck(after: 60)
          for use in uses { use() }
          _exit(0)
        }
        var status: Int32 = -1
        #expect(waitpid(child, &status, 0) == child)
        #expect(status == 0)
        guard status == 0 else { break }
      }
      isForking.withLock { $0 = false }
      done.wait()
      try store.close()
    }
  }
}

/// Has a signal end this process if it is still there after some minutes.
func endIfStuck(after seconds: UInt32 = 300) {
  // Threads of a pool hold this signal back, and a child inherits that of the thread that forks.
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, SIGALRM)
  pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  alarm(seconds)
}
