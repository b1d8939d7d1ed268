/// The names and digests that a store sends.
extension PushedStore {
  /// Calls `body` with the id and the name of each model.
  func forEachModel(_ body: ([SQLValue]) throws -> Void) throws {
    try forEachRow("SELECT id, name FROM model", columns: 2, body)
  }

  /// Calls `body` with the contexts: their ids, sources and names.
  func forEachContext(_ body: ([SQLValue]) throws -> Void) throws {
    try forEachRow(
      """
      SELECT c.id, x.source, c.release, c.environment, c.operation
      FROM context AS c CROSS JOIN sent_context AS x ON x.theirs = c.id
      """, columns: 5, body)
  }

  /// Calls `body` with the ids and keys of the chosen failures.
  func forEachFailureKey(_ body: ([SQLValue]) throws -> Void) throws {
    try forEachRow(
      "SELECT f.id, f.key FROM sent_failure AS s CROSS JOIN failure AS f ON f.id = s.theirs",
      columns: 2, body)
  }

  /// Calls `body` with the chosen failures that the receiver does not have: id, key, model, and the
  /// other columns of `failure`.
  func forEachNewFailure(_ body: ([SQLValue]) throws -> Void) throws {
    try forEachRow(
      """
      SELECT f.id, f.key, m.ours, f.coding_path, f.kind, f.expected_type, f.novel_value,
        f.value_type, f.message, f.found_type, f.found_value, f.sampled_at
      FROM sent_failure AS s CROSS JOIN failure AS f ON f.id = s.theirs
      CROSS JOIN sent_model AS m ON m.theirs = f.model
      WHERE s.ours IS NULL
      """, columns: 12, body)
  }

  /// Calls `body` with digests of a source that have a number above another one, in their order:
  /// number, time, model, context, and errors. All ids are those of the receiver.
  ///
  /// Skips digests that cannot be read.
  func forEachDigest(
    of source: Source, after number: Int64, limit: Int, _ body: ([SQLValue]) throws -> Void
  ) throws {
    try forEachRow(
      """
      SELECT number, recorded_at, model, context, errors
      FROM (
        SELECT \(source.isOwn ? "d.id" : "d.number") AS number, d.recorded_at, m.ours AS model,
          x.ours AS context,
          (SELECT json_group_array(json_replace(value, '$[0]', ours)) FROM (
            SELECT e.value, f.ours FROM json_each(\(OccurrenceRows.errors())) AS e
            CROSS JOIN sent_failure AS f ON f.theirs = \(OccurrenceRows.failure()) ORDER BY e.key)
          ) AS errors,
          json_array_length(\(OccurrenceRows.errors())) AS length
        FROM digest AS d CROSS JOIN sent_context AS x ON x.theirs = d.context
        CROSS JOIN sent_model AS m ON m.theirs = d.model
        WHERE \(digests(of: source, after: number)) AND x.ours IS NOT NULL
          AND \(OccurrenceRows.isSound) AND \(OccurrenceRows.isArray("d.errors"))
      )
      -- Skips digests with an error that refers to no failure.
      WHERE json_array_length(errors) = length AND number BETWEEN 1 AND \(Int64.max - 1)
      ORDER BY number LIMIT \(limit)
      """, columns: 5, body)
  }

  /// The condition on `digest AS d` and `sent_context AS x` for the digests of a source.
  private func digests(of source: Source, after number: Int64) -> String {
    source.isOwn
      ? "d.id > \(number) AND coalesce(x.source, 1) = 1"
      : "d.source = \(source.id) AND d.number > \(number) AND coalesce(x.source, \(source.id)) = \(source.id)"
  }

  /// Counts the digests of a source that have a number above another one, also those that cannot be
  /// read.
  func countDigests(of source: Source, after number: Int64) throws -> Int {
    let count = try mappingErrors {
      try connection.integer(
        """
        SELECT count(*) FROM digest AS d LEFT JOIN sent_context AS x ON x.theirs = d.context
        WHERE \(digests(of: source, after: number))
        """)
    }
    return Int(clamping: count ?? 0)
  }

  /// Counts all digests.
  func countDigests() throws -> Int {
    Int(clamping: try mappingErrors { try connection.integer("SELECT count(*) FROM digest") } ?? 0)
  }

  /// Counts the digests that cannot be read, and returns the problems of the first ten.
  func problems() throws -> (unreadable: Int, problems: [String]) {
    var (unreadable, problems): (Int, [String]) = (0, [])
    let cursor = DigestCursor(DigestFilter())
    for var ids in try cursor.ranges(connection).map(Optional.some) {
      while let range = ids {
        let end = try cursor.readPage(of: range, on: connection) { _ in true }
        unreadable += end.unreadable
        problems += end.problems.prefix(max(0, 10 - problems.count))
        ids = end.rest
      }
    }
    return (unreadable, problems)
  }

  /// Sets the ids that models have in the receiver.
  func setModels(_ ids: [Int64: Int64]) throws {
    let set = try Statement(connection, "INSERT INTO sent_model VALUES (?, ?)")
    for (theirs, ours) in ids { try set.run([.integer(theirs), .integer(ours)]) }
  }

  /// Sets the ids that failures have in the receiver.
  func setFailures(_ pairs: (_ set: (_ theirs: Int64, _ ours: Int64) throws -> Void) throws -> Void)
    throws
  {
    let set = try Statement(connection, "UPDATE sent_failure SET ours = ? WHERE theirs = ?")
    try pairs { try set.run([.integer($1), .integer($0)]) }
  }

  func forEachRow(
    _ sql: String, columns: Int, _ body: ([SQLValue]) throws -> Void
  ) throws {
    let statement = try Statement(connection, sql)
    while try mappingErrors({ try statement.step() }) {
      try body((0..<Int32(columns)).map { statement.value(at: $0) })
    }
  }
}
