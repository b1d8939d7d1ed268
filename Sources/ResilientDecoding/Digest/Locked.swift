#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A value that one thread at a time can use.
///
/// Like the standard library's `Mutex`, on a lock that ThreadSanitizer knows: on Linux it does not
/// see that a contended `Mutex` orders two threads, and tells of races where there are none.
// Sendable: the value is only touched while the mutex is held, and what goes in is not used
// elsewhere any more, which `sending` has the compiler check.
package final class Locked<Value>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  package init(_ value: consuming sending Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    let status = pthread_mutex_init(mutex, nil)
    precondition(status == 0, "There is no memory for a mutex")
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` while no other thread does so.
  package func withLock<Result>(
    _ body: (inout sending Value) throws -> sending Result
  ) rethrows -> sending Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Runs `body` if no other thread has the lock.
  ///
  /// - Returns: nil if one has, this thread included.
  package func withLockIfAvailable<Result>(
    _ body: (inout sending Value) throws -> sending Result
  ) rethrows -> sending Result? {
    guard pthread_mutex_trylock(mutex) == 0 else { return nil }
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Takes the lock until ``unlock()``, around a fork, which no closure can be.
  package func lock(_ change: (inout sending Value) -> Void) {
    pthread_mutex_lock(mutex)
    change(&value)
  }

  /// Lets go of a lock that ``lock(_:)`` has taken, in the parent as in the child of a fork.
  package func unlock(_ change: (inout sending Value) -> Void = { _ in }) {
    change(&value)
    pthread_mutex_unlock(mutex)
  }
}
