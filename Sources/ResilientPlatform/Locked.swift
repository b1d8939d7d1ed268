import CResilientAtomics

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

#if os(Windows)
  import WinSDK

  /// The platform's lock, in memory of its own because it must not move.
  struct PlatformLock: ~Copyable {
    private let handle: UnsafeMutablePointer<SRWLOCK>

    init() {
      handle = .allocate(capacity: 1)
      InitializeSRWLock(handle)
    }

    deinit { handle.deallocate() }

    func lock() { AcquireSRWLockExclusive(handle) }
    func tryLock() -> Bool { TryAcquireSRWLockExclusive(handle) != 0 }
    func unlock() { ReleaseSRWLockExclusive(handle) }
  }
#elseif os(WASI) && !canImport(wasi_pthread)
  /// No lock, because a program has a single thread.
  struct PlatformLock: ~Copyable {
    func lock() {}
    func tryLock() -> Bool { true }
    func unlock() {}
  }
#else
  /// The platform's lock, in memory of its own because it must not move.
  struct PlatformLock: ~Copyable {
    private let handle: UnsafeMutablePointer<pthread_mutex_t>

    init() {
      handle = .allocate(capacity: 1)
      let status = pthread_mutex_init(handle, nil)
      // As an allocation that fails.
      precondition(status == 0, "Out of memory for a mutex")
    }

    deinit {
      pthread_mutex_destroy(handle)
      handle.deallocate()
    }

    func lock() { pthread_mutex_lock(handle) }
    func tryLock() -> Bool { pthread_mutex_trylock(handle) == 0 }
    func unlock() { pthread_mutex_unlock(handle) }
  }
#endif

/// An integer that threads and signal handlers share, for a static property.
// The standard library's `Atomic` needs newer platforms. Sendable: the memory is only accessed
// atomically.
package struct AtomicInteger: @unchecked Sendable {
  /// Never freed.
  package let address: UnsafeMutablePointer<Int>

  package init(_ value: Int) {
    address = .allocate(capacity: 1)
    address.initialize(to: value)
  }

  @inlinable package func load() -> Int { resilient_load(address) }

  @inlinable package func store(_ value: Int) { resilient_store(address, value) }

  /// Stores a value.
  ///
  /// - Returns: the value before.
  @inlinable package func exchange(_ value: Int) -> Int { resilient_exchange(address, value) }

  /// Adds a value.
  ///
  /// - Returns: the sum.
  @inlinable package func add(_ value: Int) -> Int { resilient_add(address, value) }
}
