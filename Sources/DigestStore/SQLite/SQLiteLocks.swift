import CSQLite

/// The locks that all SQLite connections of a process share, including those of other code.
enum SQLiteLocks {
  /// In the order in which SQLite itself takes them, with the memory lock last.
  private static let ids = [
    SQLITE_MUTEX_STATIC_MASTER, SQLITE_MUTEX_STATIC_VFS1, SQLITE_MUTEX_STATIC_LRU,
    SQLITE_MUTEX_STATIC_PRNG, SQLITE_MUTEX_STATIC_MEM,
  ]

  /// Takes all the locks, and waits until no other thread holds one.
  ///
  /// Call this before a fork. A child with a locked one would wait forever, because it does not
  /// have the thread that holds it.
  static func take() {
    for id in ids { sqlite3_mutex_enter(sqlite3_mutex_alloc(id)) }
  }

  static func leave() {
    for id in ids.reversed() { sqlite3_mutex_leave(sqlite3_mutex_alloc(id)) }
  }
}
