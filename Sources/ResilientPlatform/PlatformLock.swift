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
