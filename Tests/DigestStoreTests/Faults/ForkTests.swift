import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A process that forks while it writes.
// ThreadSanitizer does not follow a process with threads into its child.
@Suite(.enabled(if: dlsym(nil, "__tsan_init") == nil))
struct ForkTests {
  @Test func `parent and child write on, each for itself`() throws {
    let place = try FaultyPlace()
    let store = try place.open()
    let children = Locked<[pid_t]>([])
    let failed = Locked<(any Error)?>(nil)

    DispatchQueue.concurrentPerform(iterations: 3) { thread in
      do {
        guard thread == 0 else { return try store.see("villa", times: 300) }
        for _ in 0..<5 {
          try store.see("tent", times: 10)
          let child = forkProcess()
          if child == 0 {
            // Whoever hangs here is ended, by a signal that threads of a pool do not hear otherwise.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGALRM)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            alarm(30)
            let isWritten = (try? store.see("yurt", times: 20)) != nil
            _exit(isWritten && place.failures.all.isEmpty ? 0 : 1)
          }
          children.withLock { $0.append(child) }
        }
      } catch { failed.withLock { $0 = error } }
    }

    #expect(failed.withLock { $0 } == nil)
    for child in children.withLock({ $0 }) {
      var status: Int32 = -1
      #expect(waitpid(child, &status, 0) == child)
      #expect(status == 0)
    }
    try store.see("villa")
    #expect(place.failures.all.isEmpty)
    #expect(try store.count("villa") == 601)
    #expect(try store.count("tent") == 50)
    #expect(try store.count("yurt") == 100)
    #expect(try store.verify().isSound)
    #expect(try place.broken().isEmpty)
  }
}
