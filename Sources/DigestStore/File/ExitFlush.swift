import ResilientPlatform

/// The digests of a store that wait in memory.
protocol PendingDigests: AnyObject, Sendable {
  /// Writes all of them, including those of a suspended store. Returns after some seconds if another
  /// thread does not stop using the store.
  func writeAtExit()
}

/// Writes the digests that wait in memory when the process exits.
enum ExitFlush {
  private struct Queue {
    weak var queue: (any PendingDigests)?
  }

  private struct State {
    /// A queue lives until it has written all its digests, which may be longer than its store.
    var queues: [ObjectIdentifier: Queue] = [:]
    var isInstalled = false
  }

  private static let state = Locked(State())

  static func add(_ queue: any PendingDigests) {
    state.withLock { state in
      state.queues[ObjectIdentifier(queue)] = Queue(queue: queue)
      guard !state.isInstalled else { return }
      state.isInstalled = true
      atexit { ExitFlush.writeWaiting() }
    }
  }

  static func remove(_ queue: any PendingDigests) {
    state.withLock { _ = $0.queues.removeValue(forKey: ObjectIdentifier(queue)) }
  }

  private static func writeWaiting() {
    let queues = state.withLock { $0.queues.values.compactMap(\.queue) }
    for queue in queues { queue.writeAtExit() }
  }
}
