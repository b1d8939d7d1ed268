import Foundation
import Synchronization

/// Runs `work` on several threads at the same time, and waits for all.
///
/// - Parameter work: receives the index of the thread.
func runThreads(_ threads: Int, _ work: @escaping @Sendable (Int) throws -> Void) throws {
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
