extension Connection {
  /// The size in bytes of a file that has only what is never deleted: names, and the totals of all
  /// releases together. They are copied into a temporary database in memory.
  func smallestSize() throws -> Int64 {
    try withTemporaryDatabase("remaining", copyWhatRemains)
  }

  private func copyWhatRemains() throws -> Int64 {
    let schema = try rows(
      """
      SELECT sql FROM main.sqlite_schema WHERE type IN ('table', 'index') AND sql IS NOT NULL
      ORDER BY type DESC
      """
    ) { $0.text(at: 0) ?? "" }
    for sql in schema {
      // `CREATE TABLE`, `CREATE INDEX` or `CREATE UNIQUE INDEX` comes before the name.
      guard let name = sql.firstRange(of: /(TABLE|INDEX)[ ]/)?.upperBound else { continue }
      try execute("\(sql[..<name])remaining.\(sql[name...])")
    }
    for table in ["source", "model", "context", "failure"] {
      try execute("INSERT INTO remaining.\(table) SELECT * FROM main.\(table)")
    }
    try execute("INSERT INTO remaining.total SELECT * FROM main.total WHERE context = 0")
    let pages = try integer("PRAGMA remaining.page_count") ?? 0
    return try pages * (integer("PRAGMA remaining.page_size") ?? 0)
  }
}
