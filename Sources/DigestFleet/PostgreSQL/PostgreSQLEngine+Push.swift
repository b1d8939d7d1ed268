import DigestStore
import ResilientPlatform

/// A push is one transaction.
extension PostgreSQLEngine {
  func prepare(_ sources: [(source: KnownSource, counted: Int64)]) throws {}

  func endPush(_ sources: [(source: KnownSource, counted: Int64, countedAt: Int64)]) throws {
    for (source, counted, countedAt) in sources {
      try execute(
        "UPDATE source SET counted = :counted, counted_at = :at WHERE id = :id",
        [":counted": .integer(counted), ":at": .integer(countedAt), ":id": .integer(source.id)])
    }
  }

  /// Removes the digests and counts of a source, inside a transaction.
  ///
  /// Its rows of `context` and `source` go, too: a sequence gives no id twice, and another role may
  /// push the store then.
  func forget(source identity: String) throws -> Int {
    let id = try forgettableSource(identity)
    let contexts = "SELECT id FROM context WHERE source = \(id)"
    let occurrences = try occurrences(ofContexts: contexts)
    try execute(
      """
      CREATE TEMP TABLE forgotten ON COMMIT DROP AS
      SELECT DISTINCT failure FROM total WHERE context IN (\(contexts))
      """)
    for table in CountTable.all {
      try execute("DELETE FROM \(table.name) WHERE context IN (\(contexts))")
    }
    // The first and the last time of those that are left.
    try execute(
      """
      UPDATE total SET first_seen = rest.first_seen, last_seen = rest.last_seen
      FROM (
        SELECT failure, min(first_seen) AS first_seen, max(last_seen) AS last_seen FROM total
        WHERE context > 0 AND failure IN (SELECT failure FROM forgotten) GROUP BY 1
      ) AS rest
      WHERE total.context = 0 AND total.failure = rest.failure
      """)
    for table in ["digest", "context"] { try execute("DELETE FROM \(table) WHERE source = \(id)") }
    try execute("DELETE FROM source WHERE id = \(id)")
    return occurrences
  }
}
