import Dispatch

extension DigestReader {
  /// Runs work that waits for the disk on a queue of this reader, so that it blocks no task.
  ///
  ///     let values = try await store.perform { try store.novelValues(limit: 20) }
  ///
  /// Every method of a store may wait: for the disk, and for another process. The queue runs one
  /// closure at a time, so do not wait in one for another. Work that has begun is not interrupted
  /// when the task is cancelled.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before the work begins; errors of
  ///   `work`.
  public final func perform<Result: Sendable>(
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    return try await withCheckedThrowingContinuation { continuation in
      performQueue.async {
        continuation.resume(with: Swift.Result(catching: work))
      }
    }
  }
}
