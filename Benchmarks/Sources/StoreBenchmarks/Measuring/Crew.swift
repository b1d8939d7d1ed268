import Foundation
import Synchronization

/// Threads that work at the same time.
enum Crew {
  /// Runs `work` on so many threads, and waits for all.
  static func run(_ threads: Int, _ work: @escaping @Sendable (Int) throws -> Void) throws {
    let problem = Mutex<(any Error)?>(nil)
    let done = DispatchGroup()
    for index in 0..<threads {
      done.enter()
      let thread = Thread {
        do { try work(index) } catch { problem.withLock { $0 = error } }
        done.leave()
      }
      thread.stackSize = 1 << 20
      thread.start()
    }
    done.wait()
    if let problem = problem.withLock({ $0 }) { throw problem }
  }
}
