import ResilientDecoding
import ResilientPlatform

/// The connections of a store, which are closed around a fork.
protocol ForkableStore: AnyObject, Sendable {
  /// The queue that writes waiting digests when the process exits; nil for a reader. It may outlive
  /// the store.
  var pendingDigests: (any PendingDigests)? { get }

  /// Waits until no thread writes to the store, and prevents further writes.
  func reserveTurnForFork()

  /// Closes the connections, and prevents others from opening them.
  func beginFork()

  /// Allows both processes to open connections of their own.
  func endFork(inChild isChild: Bool)
}

/// The defaults are those of a reader.
extension ForkableStore {
  var pendingDigests: (any PendingDigests)? { nil }
  func reserveTurnForFork() {}
}

/// The digests of a store that wait in memory.
protocol PendingDigests: AnyObject, Sendable {
  /// Writes all of them, including those of a suspended store.
  func writeWaiting()
}

/// The open stores of this process, for forks and for its exit.
///
/// Their connections are closed before a fork, and parent and child open their own afterwards. A
/// child must neither use nor close its parent's SQLite connections and locks (SQLite, "How To
/// Corrupt An SQLite Database File", section 2.6). When the process exits, the digests waiting in
/// memory are written.
enum OpenStores {
  private struct Entry {
    weak var store: (any ForkableStore)?
  }

  private struct Queue {
    weak var queue: (any PendingDigests)?
  }

  private struct Stores {
    var all: [ObjectIdentifier: Entry] = [:]

    /// The queues of the stores. A queue lives until it has written all its digests.
    var queues: [ObjectIdentifier: Queue] = [:]

    /// The stores of the current fork. Kept alive meanwhile.
    var forking: [any ForkableStore] = []
    var isInstalled = false
  }

  private static let stores = Locked(Stores())

  static func add(_ store: any ForkableStore) {
    stores.withLock { stores in
      stores.all[ObjectIdentifier(store)] = Entry(store: store)
      if let queue = store.pendingDigests {
        stores.queues[ObjectIdentifier(queue)] = Queue(queue: queue)
      }
      guard !stores.isInstalled else { return }
      stores.isInstalled = true
      // Registered for the life of the process (POSIX, "pthread_atfork"). Fails only if memory runs
      // out.
      pthread_atfork(
        { OpenStores.beginFork() }, { OpenStores.endFork(inChild: false) },
        { OpenStores.endFork(inChild: true) })
      atexit { OpenStores.writeWaiting() }
    }
  }

  static func remove(_ store: any ForkableStore) {
    stores.withLock { _ = $0.all.removeValue(forKey: ObjectIdentifier(store)) }
  }

  static func remove(_ queue: any PendingDigests) {
    stores.withLock { _ = $0.queues.removeValue(forKey: ObjectIdentifier(queue)) }
  }

  /// Writes the waiting digests, including those of stores that are suspended, or released before
  /// writing.
  private static func writeWaiting() {
    let queues = stores.withLock { $0.queues.values.compactMap(\.queue) }
    for queue in queues { queue.writeWaiting() }
  }

  private static func beginFork() {
    stores.lock { stores in
      stores.forking = stores.all.values.compactMap(\.store)
      // Reserves all turns before taking any lock, because a thread that writes to one store may
      // read another.
      for store in stores.forking { store.reserveTurnForFork() }
      for store in stores.forking { store.beginFork() }
      // Other code in the process may also use SQLite, and decode.
      SQLiteLocks.take()
      ProcessLocks.lock()
    }
  }

  private static func endFork(inChild isChild: Bool) {
    var forked: [any ForkableStore] = []
    ProcessLocks.unlock()
    SQLiteLocks.leave()
    stores.unlock { stores in
      if isChild {
        // The parent writes the digests of a store that was released before the fork.
        stores.queues = Dictionary(
          uniqueKeysWithValues: stores.forking.compactMap(\.pendingDigests).map {
            (ObjectIdentifier($0), Queue(queue: $0))
          })
      }
      for store in stores.forking.reversed() { store.endFork(inChild: isChild) }
      swap(&forked, &stores.forking)
    }
    // Stores may be deallocated here, where no lock is held.
    _ = forked
  }
}
