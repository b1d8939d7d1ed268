import Foundation
import Testing

@testable import DigestStore

/// The step from schema 2, in which every tally is a row, to schema 3.
struct PackedTalliesTests {
  /// A file of schema 2 with the contents of a store.
  private static func older(_ store: TemporaryStore) throws -> String {
    let path = store.folder.appending(path: "older.sqlite").path
    createPrivateFile(at: path)
    let older = try Connection(path: path, mode: .readWrite)
    try older.execute(
      """
      \(Migration.tables.sql)
      \(Migration.foundValues.sql)
      PRAGMA application_id = \(Migrator.applicationID);
      PRAGMA user_version = 2;
      ATTACH '\(store.path)' AS newer;
      DELETE FROM release;
      """)
    for table in ["model", "release", "failure", "digest", "foreign_digest", "hour", "loss"] {
      try older.execute("INSERT INTO \(table) SELECT * FROM newer.\(table)")
    }
    try older.execute(
      """
      UPDATE store SET identity = (SELECT identity FROM newer.store),
        folded_through = (SELECT folded_through FROM newer.store);
      BEGIN;
      """)
    let add = try Statement(older, "INSERT INTO tally VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
    try Snapshot.of(Connection(path: store.path, mode: .readOnly)) { snapshot in
      for span in [0, 1, 24] as [Int64] {
        let periods = TimeWindow.Periods(span: span, hours: 0..<(1 << 40))
        try snapshot.forEachCell(of: periods, .all) { cell, release in
          let start = span == 0 ? 0 : Period.of(span, at: cell.first).start
          try add.run(
            [
              span, start, cell.failure, release, cell.occurrences, cell.digests,
              cell.sharedDigests, cell.first, cell.last,
            ].map { .integer($0) })
        }
      }
    }
    try older.execute("COMMIT; DETACH newer")
    return path
  }

  @Test(arguments: [40, 2_600])
  func `tallies of rows are packed, and nothing that is counted changes`(_ count: Int) throws {
    let temporary = try TemporaryStore()
    try temporary.store.appendAll(RandomRecords.make(count, seed: 31))
    let path = try Self.older(temporary)
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
    let path = try Self.older(temporary)
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
