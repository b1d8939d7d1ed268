import ResilientDecoding

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A store, as a fork of the process sees it.
protocol ForkableStore: AnyObject, Sendable {
  /// Writes the digests that wait when the process exits; it may outlive the store.
  var pendingDigests: any PendingDigests { get }

  /// Waits until no thread writes to the store, and keeps others from writing.
  func reserveTurnForFork()

  /// Closes the connections, and keeps others from opening them.
  func beginFork()

  /// Lets both processes open connections of their own.
  func endFork(inChild isChild: Bool)
}

/// Digests of a store that wait in memory.
protocol PendingDigests: AnyObject, Sendable {
  /// Writes them, also those that a suspension keeps.
  func writeWaiting()
}

/// The stores of this process, which a fork and the end of the process concern.
///
/// Around a fork their connections are closed; parent and child open their own again. SQLite's
/// connections and locks must not be carried into a child, nor may the child close them (SQLite, "How
/// To Corrupt An SQLite Database File", section 2.6). When the process exits, digests that wait in
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

    /// Their queues, which live until what was handed over to a store is written.
    var queues: [ObjectIdentifier: Queue] = [:]

    /// Those that are being forked, kept alive meanwhile.
    var forking: [any ForkableStore] = []
    var isInstalled = false
  }

  private static let stores = Locked(Stores())

  static func add(_ store: any ForkableStore) {
    stores.withLock { stores in
      stores.all[ObjectIdentifier(store)] = Entry(store: store)
      stores.queues[ObjectIdentifier(store.pendingDigests)] = Queue(queue: store.pendingDigests)
      guard !stores.isInstalled else { return }
      stores.isInstalled = true
      // For the life of the process (POSIX, "pthread_atfork"); it fails only without memory.
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

  /// Writes what waits, also in stores that are suspended, or released but not written yet.
  private static func writeWaiting() {
    let queues = stores.withLock { $0.queues.values.compactMap(\.queue) }
    for queue in queues { queue.writeWaiting() }
  }

  private static func beginFork() {
    stores.lock { stores in
      stores.forking = stores.all.values.compactMap(\.store)
      // All turns before any lock: a thread that writes to one store may read another meanwhile.
      for store in stores.forking { store.reserveTurnForFork() }
      for store in stores.forking { store.beginFork() }
      // Others than these stores may use SQLite, and decode, too.
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
        // A store that was released before the fork is the parent's to write.
        stores.queues = Dictionary(
          uniqueKeysWithValues: stores.forking.map {
            (ObjectIdentifier($0.pendingDigests), Queue(queue: $0.pendingDigests))
          })
      }
      for store in stores.forking.reversed() { store.endFork(inChild: isChild) }
      swap(&forked, &stores.forking)
    }
    // Here, where no lock is held, one of them may be let go of.
    _ = forked
  }
}
