import Foundation
import Testing

@testable import DigestStore

/// The step from schema 2, in which every tally is a row, to schema 3.
struct PackedTalliesTests {
  @Test(arguments: [40, 2_600])
  func `tallies of rows are packed, and nothing that is counted changes`(_ count: Int) throws {
    let temporary = try TemporaryStore()
    try temporary.store.appendAll(RandomRecords.make(count, seed: 31))
    let path = try temporary.older(schema: 2)
    let reader = try DigestStore(readingFrom: path)
    func check() throws {
      #expect(try reader.verify() == temporary.store.verify())
      #expect(try reader.verify().isSound)
      for (since, until) in RandomRecords.windows(seed: 31) {
        let filter = DigestFilter(since: since?.date, until: until?.date)
        #expect(
          try reader.novelValues(matching: filter) == temporary.store.novelValues(matching: filter))
        #expect(try reader.failures(matching: filter) == temporary.store.failures(matching: filter))
      }
      let filter = DigestFilter(release: "4.2", since: Date(timeIntervalSince1970: 1_763_700_000))
      #expect(
        try reader.newFailures(matching: filter) == temporary.store.newFailures(matching: filter))
      #expect(
        try reader.trend(matching: filter, by: .hour)
          == temporary.store.trend(matching: filter, by: .hour))
      #expect(try reader.countedWindow(matching: filter).isExact)
    }
    // As it is, and then as it is migrated by another one.
    try check()
    let writer = try DigestStore(path: path)
    try check()

    try writer.append(.make())
    #expect(try writer.verify().isSound)
  }

  @Test func `an older process that has the file open records, and leaves folding to others`()
    throws
  {
    let temporary = try TemporaryStore()
    let path = try temporary.older(schema: 2)
    let older = try Connection(path: path, mode: .readWrite)
    let fold = try Statement(
      older, "INSERT INTO tally VALUES (0, 0, 1, 0, 1, 1, 0, 0, 0) ON CONFLICT DO NOTHING")
    let lose = try Statement(
      older,
      """
      INSERT INTO loss VALUES ('failed write', 7, 1, 1)
      ON CONFLICT DO UPDATE SET digests = digests + excluded.digests
      """)

    let writer = try DigestStore(path: path)

    #expect(throws: SQLiteError.self) { try fold.run() }
    try lose.run()
    #expect(try writer.losses().map(\.digests) == [1])
    #expect(try writer.losses().map(\.note) == [nil])
    try older.execute("INSERT INTO loss_note VALUES ('failed write', 7, 'disk.img')")
    #expect(try writer.losses().map(\.note) == ["disk.img"])
    #expect(
      try older.rows("SELECT reason, note FROM losses") { $0.text(at: 1) } == ["disk.img"])
  }
}
