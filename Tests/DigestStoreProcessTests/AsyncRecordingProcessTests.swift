import Foundation
import ResilientPlatform
import Testing

@testable import DigestStore
@testable import DigestStoreTests

struct AsyncRecordingProcessTests {
  @Test func `recordings that wait for the file do not keep tasks from running`() async {
    // The pool of threads that runs tasks belongs to the process, and other tests block it.
    await #expect(processExitsWith: .success) {
      let temporary = try TemporaryStore()
      let store = temporary.store
      let (taken, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let isReleased = Locked(false)
      Thread.detachNewThread {
        store.queue.withVisit {
          taken.signal()
          let result = released.wait(timeout: .now() + 30)
          isReleased.withLock { $0 = result == .success }
        }
      }
      wait(for: taken)

      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<64 {
          group.addTask {
            _ = try? await store.recordErrors(of: Listing.self) {
              try JSONDecoder().decode(Listing.self, from: Listing.drifted)
            }
          }
        }
        group.addTask {
          for _ in 0..<1_000 { await Task.yield() }
          released.signal()
        }
      }

      #expect(isReleased.withLock { $0 })
      #expect(try await store.perform { try store.totals().digests } == 64)
    }
  }
}

/// Waits, although a task should not: nothing else runs yet.
private func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }
