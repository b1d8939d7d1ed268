/// A value that only one thread at a time can access.
///
/// Like the standard library's `Mutex`, which needs newer platforms, but with a lock that
/// ThreadSanitizer understands: on Linux it does not see how a contended `Mutex` orders threads,
/// and reports false races.
// Sendable: the value is only accessed with the lock held. `sending` makes the compiler check that
// no other code uses the initial value.
package final class Locked<Value>: @unchecked Sendable {
  private let mutex = PlatformLock()
  private var value: Value

  package init(_ value: consuming sending Value) {
    self.value = value
  }

  /// Runs `body` with the lock held.
  package func withLock<Result>(
    _ body: (inout sending Value) throws -> sending Result
  ) rethrows -> sending Result {
    mutex.lock()
    defer { mutex.unlock() }
    return try body(&value)
  }

  /// Runs `body` with the lock held, if the lock is free.
  ///
  /// - Returns: Nil if a thread, even this one, holds the lock.
  package func withLockIfAvailable<Result>(
    _ body: (inout sending Value) throws -> sending Result
  ) rethrows -> sending Result? {
    guard mutex.tryLock() else { return nil }
    defer { mutex.unlock() }
    return try body(&value)
  }
}
