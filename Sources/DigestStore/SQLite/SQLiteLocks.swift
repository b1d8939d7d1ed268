import CSQLite

/// The locks that all connections of a process share, whoever opened them.
enum SQLiteLocks {
  /// In the order in which SQLite itself takes them: that of its memory last.
  private static let ids = [
    SQLITE_MUTEX_STATIC_MASTER, SQLITE_MUTEX_STATIC_VFS1, SQLITE_MUTEX_STATIC_LRU,
    SQLITE_MUTEX_STATIC_PRNG, SQLITE_MUTEX_STATIC_MEM,
  ]

  /// Waits until no other thread has one of them, and takes them.
  ///
  /// A child of a fork that finds one taken waits for a thread that it does not have.
  static func take() {
    for id in ids { sqlite3_mutex_enter(sqlite3_mutex_alloc(id)) }
  }

  static func leave() {
    for id in ids.reversed() { sqlite3_mutex_leave(sqlite3_mutex_alloc(id)) }
  }
}
