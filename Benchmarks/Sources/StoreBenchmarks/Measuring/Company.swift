import CLoops
import DigestStore
import Foundation
import Synchronization

/// Threads that ask a store for reports and have logs copied until they are told to stop.
final class Company: Sendable {
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
        try Crew.run(2) { [self] thread in
          while !state.withLock({ $0.isStopping }) {
            if thread == 0 { try report() } else { checkpoint() }
          }
        }
      } catch {
        problem.withLock { $0 = error }
      }
    }
  }

  /// Waits for the threads.
  ///
  /// - Returns: how many reports there were.
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
    // One that is in the way of another is left out.
    for file in files { _ = checkpoint_passively(file) }
    Thread.sleep(forTimeInterval: 0.1)
  }
}
