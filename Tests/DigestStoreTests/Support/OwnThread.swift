import Foundation
import Testing

/// Runs a test on its own thread. Tests share one thread per core, so one that waits for seconds
/// would block others.
struct OwnThread: TestTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else {
      return try await body()
    }
    try await withTaskExecutorPreference(NewThreads()) { try await body() }
  }
}

extension Trait where Self == OwnThread {
  static var ownThread: Self { Self() }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class NewThreads: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
