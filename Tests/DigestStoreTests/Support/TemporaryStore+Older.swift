import Foundation

@testable import DigestStore

extension TemporaryStore {
  /// Makes a file of an older schema with the contents of this store.
  func older(schema version: Int64) throws -> String {
    let path = folder.appending(path: "schema-\(version).sqlite").path
    createPrivateFile(at: path)
    let older = try Connection(path: path, mode: .readWrite)
    for migration in Migration.all where migration.version <= version {
      try older.execute(migration.sql)
      try migration.finish(older)
    }
    try older.execute(
      """
      PRAGMA application_id = \(Migrator.applicationID);
      PRAGMA user_version = \(version);
      ATTACH '\(self.path)' AS newer;
      BEGIN;
      """)
    let tables = try older.rows(
      "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name <> 'tally'"
    ) { $0.text(at: 0) ?? "" }
    for table in tables {
      let columns = try older.rows("SELECT name FROM pragma_table_info('\(table)', 'main')") {
        $0.text(at: 0) ?? ""
      }.joined(separator: ", ")
      try older.execute(
        """
        DELETE FROM main.\(table);
        INSERT INTO main.\(table) (\(columns)) SELECT \(columns) FROM newer.\(table);
        """)
    }
    if version < Migration.packedTallies.version { try addTallies(to: older) }
    try older.execute("COMMIT; DETACH newer")
    return path
  }

  /// Adds the tallies as they were before they were packed, each in a row.
  private func addTallies(to older: Connection) throws {
    let add = try Statement(older, "INSERT INTO tally VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
    try Snapshot.of(Connection(path: path, mode: .readOnly)) { snapshot in
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
  }
}
