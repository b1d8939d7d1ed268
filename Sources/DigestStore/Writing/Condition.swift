#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A value that one thread at a time can use, and that threads can wait for.
///
/// What `Locked` is with a condition variable to it (POSIX, "pthread_cond_wait").
// Sendable: the value is only touched while the mutex is held, and what goes in is not used
// elsewhere any more, which `sending` has the compiler check.
final class Condition<Value>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var condition: UnsafeMutablePointer<pthread_cond_t>
  private var value: Value

  init(_ value: consuming sending Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    let status = pthread_mutex_init(mutex, nil)
    precondition(status == 0, "There is no memory for a mutex")
    condition = Self.makeCondition()
  }

  deinit {
    pthread_cond_destroy(condition)
    condition.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` while no other thread does so.
  func withLock<Result>(
    _ body: (inout sending Value) throws -> sending Result
  ) rethrows -> sending Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Runs `body` until it returns something, whenever someone has called ``wakeAll()``.
  func waiting<Result>(_ body: (inout sending Value) -> sending Result?) -> sending Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      pthread_cond_wait(condition, mutex)
    }
  }

  /// Runs `body` until it returns something, and no longer than some seconds if that is not nil.
  ///
  /// - Returns: nil when the time was over.
  func waiting<Result>(
    forSeconds seconds: Double?,
    _ body: (inout sending Value) -> sending Result?
  ) -> sending Result? {
    guard let seconds else { return waiting(body) }
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    var end = timespec()
    clock_gettime(CLOCK_REALTIME, &end)
    end.tv_sec += Int(seconds)
    while true {
      if let result = body(&value) { return result }
      guard pthread_cond_timedwait(condition, mutex, &end) == 0 else { return nil }
    }
  }

  /// Has all that wait look at their conditions again.
  func wakeAll() {
    pthread_cond_broadcast(condition)
  }

  /// Takes the lock, until ``unlock(inChild:)``: around a fork, which no closure can be.
  func lock() {
    pthread_mutex_lock(mutex)
  }

  /// Lets go of the lock.
  ///
  /// - Parameter isChild: in the child of a fork, where the threads that waited do not exist and
  ///   the condition that knows of them must not be used (nor freed) any more.
  func unlock(inChild isChild: Bool, _ change: (inout sending Value) -> Void = { _ in }) {
    if isChild { condition = Self.makeCondition() }
    change(&value)
    pthread_mutex_unlock(mutex)
  }

  private static func makeCondition() -> UnsafeMutablePointer<pthread_cond_t> {
    let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    let status = pthread_cond_init(condition, nil)
    precondition(status == 0, "There is no memory for a condition variable")
    return condition
  }
}
