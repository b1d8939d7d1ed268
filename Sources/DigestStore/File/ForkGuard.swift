import ResilientDecoding

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Closes the connections of all stores around a fork; parent and child open their own again.
///
/// SQLite's connections and locks must not be carried into a child, nor may the child close them
/// (SQLite, "How To Corrupt An SQLite Database File", section 2.6).
enum ForkGuard {
  private struct Entry {
    weak var store: DigestStore?
  }

  private struct Stores {
    var all: [ObjectIdentifier: Entry] = [:]

    /// Those that are being forked, kept alive meanwhile.
    var forking: [DigestStore] = []
    var isInstalled = false
  }

  private static let stores = Locked(Stores())

  static func add(_ store: DigestStore) {
    stores.withLock { stores in
      stores.all[ObjectIdentifier(store)] = Entry(store: store)
      guard !stores.isInstalled else { return }
      stores.isInstalled = true
      // For the life of the process (POSIX, "pthread_atfork"); it fails only without memory.
      pthread_atfork(
        { ForkGuard.begin() }, { ForkGuard.end(inChild: false) }, { ForkGuard.end(inChild: true) })
    }
  }

  static func remove(_ store: DigestStore) {
    stores.withLock { _ = $0.all.removeValue(forKey: ObjectIdentifier(store)) }
  }

  private static func begin() {
    stores.lock { stores in
      stores.forking = stores.all.values.compactMap(\.store)
      // All turns before any lock: a thread that writes to one store may read another meanwhile.
      for store in stores.forking { store.queue.reserveTurnForFork() }
      for store in stores.forking {
        store.maintenance.beginFork()
        store.queue.beginFork()
        store.file.beginFork()
      }
      // Others than these stores may use SQLite too.
      SQLiteLocks.take()
    }
  }

  private static func end(inChild isChild: Bool) {
    var forked: [DigestStore] = []
    SQLiteLocks.leave()
    stores.unlock { stores in
      for store in stores.forking.reversed() {
        store.file.endFork(inChild: isChild)
        store.queue.endFork(inChild: isChild)
        store.maintenance.endFork(inChild: isChild)
      }
      swap(&forked, &stores.forking)
    }
    // Here, where no lock is held, one of them may be let go of.
    _ = forked
  }
}
