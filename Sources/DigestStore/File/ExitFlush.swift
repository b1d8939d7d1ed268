import ResilientPlatform

/// Writes the digests that wait in memory when the process exits.
enum ExitFlush {
  /// Closures that write the digests of a queue. A queue lives until it has written all its digests,
  /// perhaps longer than its store.
  private static let writers = Locked<[ObjectIdentifier: @Sendable () -> Void]>([:])

  private static let isInstalled =
    atexit { for write in ExitFlush.writers.withLock({ $0 }).values { write() } } == 0

  /// - Parameters:
  ///   - queue: the owner of the digests, which calls ``remove(_:)`` before it is gone.
  ///   - write: writes all of them, including those of a suspended store. Returns after some seconds
  ///     if another thread does not stop using the store.
  static func add(_ queue: AnyObject, _ write: @escaping @Sendable () -> Void) {
    writers.withLock { $0[ObjectIdentifier(queue)] = write }
    _ = isInstalled
  }

  static func remove(_ queue: AnyObject) {
    writers.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(queue)) }
  }
}
