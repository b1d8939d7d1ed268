import CLoops
import DigestStore
import Foundation
import Synchronization

/// Runs reports on a store, and checkpoints logs, on threads of its own until it is stopped.
final class BackgroundLoad: Sendable {
  private let store: DigestStore
  private let files: [String]
  private let state = Mutex((isStopping: false, reports: 0))
  private let problem = Mutex<(any Error)?>(nil)
  private let done = DispatchGroup()

  init(store: DigestStore, files: [String]) {
    self.store = store
    self.files = files
  }

  func start() {
    done.enter()
    Thread.detachNewThread { [self] in
      defer { done.leave() }
      do {
        try runThreads(2) { [self] thread in
          while !state.withLock({ $0.isStopping }) {
            if thread == 0 { try report() } else { checkpoint() }
          }
        }
      } catch {
        problem.withLock { $0 = error }
      }
    }
  }

  /// Stops the threads, and waits for them.
  ///
  /// - Returns: the number of reports.
  func stop() throws -> Int {
    state.withLock { $0.isStopping = true }
    done.wait()
    if let problem = problem.withLock({ $0 }) { throw problem }
    return state.withLock { $0.reports }
  }

  private func report() throws {
    let since = Date(timeIntervalSince1970: Double(History.start) / 1_000 + 432_123.456)
    _ = try store.novelValues(limit: 20)
    _ = try store.failures(matching: DigestFilter(since: since), limit: 20)
    state.withLock { $0.reports += 2 }
  }

  private func checkpoint() {
    // A checkpoint that would wait for another one is skipped.
    for file in files { _ = checkpoint_passively(file) }
    Thread.sleep(forTimeInterval: 0.1)
  }
}
