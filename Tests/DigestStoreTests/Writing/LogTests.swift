import Testing

@testable import DigestStore

/// The write-ahead log of a store, which others copy into the file than those who flush.
struct LogTests {
  private let temporary: TemporaryStore

  init() throws {
    temporary = try TemporaryStore()
  }

  private func size(_ suffix: String = "") throws -> Int {
    try FileIdentity.size(of: temporary.path + suffix)
  }

  @Test func `copying the log puts all that was written into the file`() throws {
    try temporary.store.see("villa", times: 20)
    let size = try temporary.store.write { try $0.connection.integer("PRAGMA page_count") ?? 0 }
    #expect(try self.size() < size * 4_096)

    try temporary.store.file.checkpoint()

    #expect(try self.size() == size * 4_096)
  }

  @Test func `the log stays short while a thread writes all the time`() throws {
    for _ in 0..<12 {
      try temporary.store.see("villa", times: 500)
      // On a busy machine the store's own thread may not get to it for long.
      temporary.store.maintenance.performDue()
    }

    // Without a copy each digest takes a page or more of it, some 25 MB.
    #expect(try size("-wal") < 3 * LogLength.limit)
  }
}
