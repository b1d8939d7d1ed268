import ResilientPlatform

/// Writes the digests that wait in memory when the process exits.
enum ExitFlush {
  private struct ExitState {
    /// Closures that write the digests of a queue. A queue lives until it has written all its digests,
    /// perhaps longer than its store.
    var writers: [ObjectIdentifier: @Sendable () -> Void] = [:]
    var isInstalled = false
  }

  private static let state = Locked(ExitState())

  /// - Parameters:
  ///   - queue: the owner of the digests, which calls ``remove(_:)`` before it is gone.
  ///   - write: writes all of them, including those of a suspended store. Returns after some seconds
  ///     if another thread does not stop using the store.
  static func add(_ queue: AnyObject, _ write: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.writers[ObjectIdentifier(queue)] = write
      guard !state.isInstalled else { return }
      state.isInstalled = true
      atexit { for write in ExitFlush.state.withLock({ $0.writers }).values { write() } }
    }
  }

  static func remove(_ queue: AnyObject) {
    state.withLock { _ = $0.writers.removeValue(forKey: ObjectIdentifier(queue)) }
  }
}
