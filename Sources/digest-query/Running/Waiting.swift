#if Server
  import Dispatch
  import ResilientPlatform

  /// Runs asynchronous work on the thread of a command.
  func waiting<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let result = Locked<Result<Value, any Error>?>(nil)
    let ended = DispatchSemaphore(value: 0)
    Task {
      let outcome: Result<Value, any Error>
      do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
      result.withLock { $0 = outcome }
      ended.signal()
    }
    ended.wait()
    guard let outcome = result.withLock({ $0 }) else { throw CancellationError() }
    return try outcome.get()
  }
#endif
