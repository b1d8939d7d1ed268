import ResilientDecoding

/// What to read of digests, in SQL: the columns of a statement on digests with their names, errors
/// and failures.
///
/// SQLite reads the JSON of the errors, also of a server's digests, which are copied for it: see
/// ``DigestCopy``.
struct DigestQuery: Sendable {
  /// The columns behind the id of the digest and its problem.
  let columns: String

  /// The condition on the groups of a statement with a row a digest; nil for a row an error.
  let groupCondition: String?

  /// A text that says why the digest cannot be read; null if it can.
  let problem: String

  /// Whether the columns read errors and failures.
  var readsErrors = true

  /// The digests with their errors. An error is null in the only row of a digest without errors.
  static let tables = """
    \(names)
    LEFT JOIN json_each(iif(\(OccurrenceRows.isArray("d.errors")), d.errors, '[0]')) AS e
    LEFT JOIN failure AS f ON f.id = \(OccurrenceRows.failure())
    """

  /// The digests with their names.
  static let names = """
    digest AS d
    LEFT JOIN model AS m ON m.id = d.model LEFT JOIN context AS x ON x.id = d.context
    LEFT JOIN source AS s ON s.id = coalesce(d.source, 1)
    """

  /// The problem of a digest or of one of its errors.
  private static let problem = """
    CASE
      WHEN NOT CAST(d.recorded_at AS bigint) \
    BETWEEN \(Moment.earliest.milliseconds) AND \(Moment.latest.milliseconds)
        THEN 'recordedAt is not between the years 1970 and 9999'
      WHEN s.identity IS NULL OR m.name IS NULL OR x.release IS NULL
        THEN 'it refers to no model, context or source'
      WHEN e.key IS NULL THEN NULL
      WHEN typeof(\(OccurrenceRows.failure())) <> 'integer'
        OR typeof(\(OccurrenceRows.times())) <> 'integer'
        OR \(OccurrenceRows.times()) NOT BETWEEN 1 AND \(DigestRecord.maximumCount)
        THEN 'the errors cannot be read'
      WHEN f.id IS NULL THEN 'it refers to no failure'
    END
    """

  /// The exact path of an error, or the pattern of one that is only counted.
  private static let codingPath = "ifnull(e.value ->> 1, f.coding_path)"

  /// The found value. It is not stored again if it is the novel value.
  private static let foundValue: String = {
    let types = ErrorDigest.FoundValue.ValueType.allCases.filter(\.mayHaveText)
    return """
      iif(e.value ->> 3 IN (\(types.map { "'\($0.rawValue)'" }.joined(separator: ", "))), \
      ifnull(e.value ->> 4, f.novel_value), NULL)
      """
  }()
}

/// A row an error.
extension DigestQuery {
  /// The first column of ``DigestStore/Occurrence``: those of the view `occurrences`, in order.
  static let firstColumn: Int32 = 2

  /// The column with the pattern of the path; null in the only row of a digest without errors.
  static let pattern: Int32 = 16

  /// The column that says whether the filter selects the failure.
  static let isMatching: Int32 = 17

  static func occurrences(_ filter: DigestFilter) -> Self {
    Self(
      columns: """
        \(DigestID.text), d.recorded_at, nullif(x.release, ''), m.name, \(codingPath),
        f.kind, f.expected_type, f.novel_value, f.value_type, e.value ->> 3, \(foundValue),
        \(OccurrenceRows.times()), nullif(x.environment, ''), nullif(x.operation, ''),
        f.coding_path, f.id IS NOT NULL AND \(filter.failureCondition())
        """,
      groupCondition: nil, problem: problem)
  }
}

/// A row a digest, with the JSON of its errors.
extension DigestQuery {
  static let errors = Self(
    columns: "d.recorded_at, nullif(x.release, ''), d.errors", groupCondition: nil,
    problem: "NULL", readsErrors: false)
}

/// A row a digest, with its line of NDJSON.
extension DigestQuery {
  static func lines(_ filter: DigestFilter) -> Self {
    let error = [
      "iif(f.id IS NULL, NULL, '{\"path\":' || json_quote(CAST(\(codingPath) AS text))",
      // Only if there are dictionary keys, which cannot be recognized in the path.
      member("pattern", "iif(instr(f.coding_path, '*'), f.coding_path, NULL)"),
      member("kind", "f.kind"),
      member("novelValue", "f.novel_value"),
      member("novelValueType", "f.value_type"),
      member("expectedType", "f.expected_type"),
      member("foundType", "CAST(e.value ->> 3 AS text)"),
      member("foundValue", "CAST(\(foundValue) AS text)"),
      "iif(\(OccurrenceRows.times()) > 1, ',\"count\":' || \(OccurrenceRows.times()), '')",
      "'}')",
    ].joined(separator: "\n || ")
    let line = [
      "'{\"id\":' || json_quote(\(DigestID.text))",
      "',\"recordedAt\":\"' || strftime('%Y-%m-%dT%H:%M:%fZ', d.recorded_at / 1000.0, 'unixepoch') || '\"'",
      member("model", "m.name"),
      member("release", "nullif(x.release, '')"),
      member("environment", "nullif(x.environment, '')"),
      member("operation", "nullif(x.operation, '')"),
      "',\"errors\":[' || ifnull(group_concat(\(error)), '') || ']}'",
    ].joined(separator: "\n|| ")
    // Some readers of NDJSON take these characters for the ends of lines.
    let escaped = [(133, "0085"), (8232, "2028"), (8233, "2029")].reduce(line) { line, escape in
      "replace(\(line), char(\(escape.0)), '\\u\(escape.1)')"
    }
    return Self(
      columns: escaped,
      groupCondition: filter.choosesFailures
        ? "max(\(filter.failureCondition())) OR max(\(problem)) IS NOT NULL" : "true",
      problem: """
        ifnull(max(\(problem)), iif(total(\(OccurrenceRows.times())) > \(DigestRecord.maximumCount), \
        'it has more errors than a store counts', NULL))
        """)
  }

  /// A member behind another one; empty if its value is null.
  private static func member(_ name: String, _ value: String) -> String {
    "ifnull(',\"\(name)\":' || iif(\(value) IS NULL, NULL, json_quote(\(value))), '')"
  }
}

/// Digests of a server with their names and failures, in a database in memory.
enum DigestCopy {
  /// The most bytes of errors of a copy, so that hostile digests do not fill the memory.
  static let maximumBytes = 1 << 20

  private static let tables = """
    CREATE TABLE digest (id INTEGER PRIMARY KEY, recorded_at INTEGER, model INTEGER,
      context INTEGER, source INTEGER, number INTEGER, errors TEXT);
    CREATE TABLE model (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE context (id INTEGER PRIMARY KEY, release TEXT, environment TEXT, operation TEXT);
    CREATE TABLE source (id INTEGER PRIMARY KEY, identity TEXT);
    CREATE TABLE failure (id INTEGER PRIMARY KEY, coding_path TEXT, kind TEXT, expected_type TEXT,
      novel_value TEXT, value_type TEXT);
    """

  /// Copies digests, up to a number of bytes.
  ///
  /// - Parameters:
  ///   - condition: the condition on `digest AS d` with ``DigestQuery/names``, and the order.
  ///   - values: the values of its parameters.
  /// - Returns: the copy, and the id of the last digest; nil if there are no further ones.
  static func make(
    of server: any Engine, where condition: String, _ values: [String: SQLValue]
  ) throws -> (connection: Connection, last: Int64?) {
    let copy = try Connection(path: "", mode: .memory)
    try copy.execute(tables)
    try copy.execute("BEGIN")
    let digest = try Statement(copy, "INSERT INTO digest VALUES (?, ?, ?, ?, ?, ?, ?)")
    let model = try Statement(copy, "INSERT OR IGNORE INTO model VALUES (?, ?)")
    let context = try Statement(copy, "INSERT OR IGNORE INTO context VALUES (?, ?, ?, ?)")
    let source = try Statement(copy, "INSERT OR IGNORE INTO source VALUES (?, ?)")
    let failure = try Statement(copy, "INSERT INTO failure VALUES (?, ?, ?, ?, ?, ?)")
    var (bytes, last): (Int, Int64?) = (0, nil)
    try server.forEachRow(
      """
      SELECT d.id, d.recorded_at, d.model, d.context, d.source, d.number, d.errors, m.name,
        x.release, x.environment, x.operation, s.identity
      FROM \(DigestQuery.names) WHERE \(condition)
      """, values
    ) { row in
      func texts(_ columns: ClosedRange<Int32>) -> [SQLValue] {
        columns.map { SQLValue(row.text(at: $0)) }
      }
      let ids = (0...5).map { SQLValue(row.optionalInteger(at: $0)) }
      try digest.run(ids + texts(6...6))
      try model.run([ids[2]] + texts(7...7))
      try context.run([ids[3]] + texts(8...10))
      try source.run([ids[4]] + texts(11...11))
      bytes += row.text(at: 6)?.utf8.count ?? 0
      last = bytes < maximumBytes ? nil : row.integer(at: 0)
      return last == nil
    }
    let failures = try copy.rows(
      "SELECT DISTINCT failure FROM (\(OccurrenceRows.sql(where: "true")))"
    ) { $0.integer(at: 0) }
    try server.forEachRow(
      """
      SELECT f.id, f.coding_path, f.kind, f.expected_type, f.novel_value, f.value_type
      FROM failure AS f WHERE f.id IN (SELECT value FROM json_each(:failures))
      """, [":failures": .integers(failures)]
    ) { row in
      try failure.run([.integer(row.integer(at: 0))] + (1...5).map { SQLValue(row.text(at: $0)) })
      return true
    }
    return (copy, last)
  }
}
