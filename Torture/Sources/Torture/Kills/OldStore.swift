import CPowerCut
import DigestStore
import Foundation

/// A file of an older schema with thousands of digests, half of them folded.
struct OldStore {
  private let novelValues: [NovelValueCount]
  private let failures: [FailureCount]

  /// Makes it of a dump that has two digests in a schema that was released.
  init(schema: Int, at path: String) throws {
    let dump = URL(filePath: #filePath)
      .appending(path: "../../../../../Tests/DigestStoreTests/Fixtures/schema-\(schema).sql")
      .standardized
    try Self.execute(String(contentsOf: dump, encoding: .utf8), at: path)
    try Self.execute(Self.more, at: path)
    let store = try DigestStore(readingFrom: path)
    let verification = try store.verify()
    guard verification.isSound, verification.digests == 802 else {
      throw Finding("the old store is broken to begin with: \(verification)")
    }
    novelValues = try store.novelValues(matching: Self.filter)
    failures = try store.failures(matching: Self.filter)
  }

  /// Checks that all of it is still counted.
  func check(_ store: DigestStore) throws {
    guard try store.novelValues(matching: Self.filter) == novelValues,
      try store.failures(matching: Self.filter) == failures
    else { throw Finding("a migration has changed what was counted before") }
  }

  private static let filter = DigestFilter(model: "App.Listing")

  /// A digest each quarter of an hour for a month, of three errors, and the tallies of the first half.
  private static let more = """
    BEGIN;
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 800)
    INSERT INTO digest (id, recorded_at, model_id, release_id, entries)
    SELECT i + 2, 1795176000000 + i * 900000, 1, i % 2,
      printf('[[%d,%d],[3,".a"],[3,".b"]]', 1 + i % 2, i)
    FROM n;
    INSERT INTO tally
    SELECT span, d.recorded_at / 3600000 / max(span, 1) * span, failure_id, d.release_id,
      sum(occurrences), count(*), 0, min(d.recorded_at), max(d.recorded_at)
    FROM digest AS d
    JOIN (SELECT 0 AS span UNION ALL SELECT 1 UNION ALL SELECT 24)
    JOIN (SELECT 0 AS i, 1 AS failure_id, 1 AS occurrences UNION ALL SELECT 1, 2, 1
      UNION ALL SELECT 0, 3, 2 UNION ALL SELECT 1, 3, 2) AS h ON h.i = d.id % 2
    WHERE d.id > 2 AND d.id <= 402
    GROUP BY 1, 2, 3, 4
    ON CONFLICT DO UPDATE SET occurrences = occurrences + excluded.occurrences,
      digests = digests + excluded.digests, first_seen = min(first_seen, excluded.first_seen),
      last_seen = max(last_seen, excluded.last_seen);
    INSERT INTO hour
    SELECT recorded_at / 3600000, min(id), max(id) FROM digest WHERE id > 2 AND id <= 402 GROUP BY 1
    ON CONFLICT DO UPDATE SET last_digest_id = excluded.last_digest_id;
    UPDATE store SET folded_through = 402;
    COMMIT;
    """

  private static func execute(_ sql: String, at path: String) throws {
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    guard sqlite3_open(path, &handle) == SQLITE_OK,
      sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK
    else { throw Finding("\(path): \(String(cString: sqlite3_errmsg(handle)))") }
  }
}
