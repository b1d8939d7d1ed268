import CSQLite
import ResilientPlatform

/// A value that one thread at a time can use, and whose changes threads can wait for.
///
/// Works like `Locked`, with a condition variable (POSIX, "pthread_cond_wait").
// Sendable: the value is only touched while the mutex is held. The compiler checks, by `sending`,
// that a value passed in is not used elsewhere any more.
final class Condition<Value>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var value: Value

  init(_ value: consuming sending Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    let status = pthread_mutex_init(mutex, nil)
    // As an allocation that fails.
    precondition(status == 0, "There is no memory for a mutex")
    condition = Self.makeCondition()
  }

  deinit {
    pthread_cond_destroy(condition)
    condition.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` while no other thread can use the value.
  func withLock<Result>(
    _ body: (inout sending Value) throws -> sending Result
  ) rethrows -> sending Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Runs `body` now and after each ``wakeAll()``, until it returns a value or the time is over.
  ///
  /// - Parameter end: returns the end of the wait, which ``wakeAll()`` may change; nil for no end.
  /// - Returns: nil when the time is over.
  func waiting<Result>(
    until end: (Value) -> ContinuousClock.Instant? = { _ in nil },
    _ body: (inout sending Value) -> sending Result?
  ) -> sending Result? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      guard let end = end(value) else {
        pthread_cond_wait(condition, mutex)
        continue
      }
      let rest = end - .now
      guard rest > .zero else { return nil }
      wait(for: rest)
    }
  }

  /// Makes all waiting threads run their `body` again.
  func wakeAll() {
    pthread_cond_broadcast(condition)
  }

  /// Waits for ``wakeAll()``, but not longer than a time. The mutex is locked.
  ///
  /// By a clock that nobody sets: the time of day may be set back by hours meanwhile.
  private func wait(for duration: Duration) {
    let (seconds, attoseconds) = duration.components
    var time = timespec()
    #if canImport(Darwin)
      time.tv_sec = Int(seconds)
      time.tv_nsec = Int(attoseconds / 1_000_000_000)
      pthread_cond_timedwait_relative_np(condition, mutex, &time)
    #else
      clock_gettime(CLOCK_MONOTONIC, &time)
      let nanoseconds = Int64(time.tv_nsec) + attoseconds / 1_000_000_000
      time.tv_sec += Int(seconds + nanoseconds / 1_000_000_000)
      time.tv_nsec = Int(nanoseconds % 1_000_000_000)
      pthread_cond_timedwait(condition, mutex, &time)
    #endif
  }

  private static func makeCondition() -> UnsafeMutablePointer<pthread_cond_t> {
    let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    #if canImport(Darwin)
      let status = pthread_cond_init(condition, nil)
    #else
      var attributes = pthread_condattr_t()
      pthread_condattr_init(&attributes)
      defer { pthread_condattr_destroy(&attributes) }
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      let status = pthread_cond_init(condition, &attributes)
    #endif
    // As an allocation that fails.
    precondition(status == 0, "There is no memory for a condition variable")
    return condition
  }
}
