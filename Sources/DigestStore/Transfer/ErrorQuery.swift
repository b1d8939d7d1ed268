import ResilientDecoding

/// A statement on digests that returns a row for each error.
///
/// SQLite reads the JSON of the errors. The digests of a server are copied into memory for it: see
/// ``DigestCopy``.
struct ErrorQuery: Sendable {
  /// The columns after the id of the digest, whether the row can be read, and how often the error
  /// counts. Those of an error are null in the only row of a digest without errors.
  let columns: String

  /// The first of ``columns``.
  static let firstColumn: Int32 = 3

  /// The statement. Rows of a digest follow one another.
  ///
  /// - Parameters:
  ///   - digests: the condition on `digest AS d`, and the order.
  ///   - models: the condition on `model AS m`.
  func sql(digests: String, models: String) -> String {
    func element(_ index: Int) -> String { "iif(e.type = 'array', e.value ->> \(index), NULL)" }
    // LIMIT -1 keeps SQLite from merging the two levels: the order stays, the JSON is read once,
    // and the checks see values, and never raise.
    return """
      SELECT d.id, \(Self.isReadable), d.times, \(columns)
      FROM (
        SELECT d.id, d.recorded_at, d.model, d.context, d.source, d.origin, d.number,
          e.key AS position, \(OccurrenceRows.failure()) AS failure, \(OccurrenceRows.times()) AS times,
          \(element(1)) AS coding_path, \(element(3)) AS found_type, \(element(4)) AS found_value
        FROM digest AS d
        LEFT JOIN json_each(iif(\(OccurrenceRows.isArray("d.errors")), d.errors, '[0]')) AS e
        WHERE \(digests)
        LIMIT -1
      ) AS d
      \(Self.names) LEFT JOIN origin AS o ON o.id = d.origin
      LEFT JOIN failure AS f ON f.id = d.failure
      WHERE \(models)
      """
  }

  /// The joins of the names of `digest AS d`.
  static let names = """
    LEFT JOIN model AS m ON m.id = d.model LEFT JOIN context AS x ON x.id = d.context
    LEFT JOIN source AS s ON s.id = coalesce(d.source, 1)
    """

  /// Whether a row can be read. The columns of a left join are null where it found nothing.
  private static let isReadable = """
    CAST(d.recorded_at AS bigint) \
    BETWEEN \(Moment.earliest.milliseconds) AND \(Moment.latest.milliseconds)
    AND s.identity IS NOT NULL AND (d.origin IS NULL OR o.identity IS NOT NULL) AND m.name IS NOT NULL AND x.release IS NOT NULL
    AND (d.position IS NULL OR f.id IS NOT NULL AND ifnull(\(OccurrenceRows.isCounted), false))
    """

  /// The exact path of an error, or the pattern if a full digest only counted it.
  private static let codingPath = "ifnull(d.coding_path, f.coding_path)"

  /// The found value. It is not stored again if it is the novel value.
  private static let foundValue: String = {
    let types = ErrorDigest.FoundValue.ValueType.allCases.filter(\.mayHaveText)
    return """
      iif(d.found_type IN (\(types.map { "'\($0.rawValue)'" }.joined(separator: ", "))), \
      ifnull(d.found_value, f.novel_value), NULL)
      """
  }()
}

extension ErrorQuery {
  private static let digestID = DigestID.text(identity: "ifnull(o.identity, s.identity)")

  /// The columns of ``occurrences(_:)`` after those of the view `occurrences`: the pattern of the
  /// path, and whether the filter selects the failure.
  static let (pattern, isMatching): (Int32, Int32) = (firstColumn + 14, firstColumn + 15)

  /// The columns of the view `occurrences`, in order.
  static func occurrences(_ filter: DigestFilter) -> Self {
    Self(
      columns: """
        \(digestID), d.recorded_at, nullif(x.release, ''), m.name, \(codingPath),
        f.kind, f.expected_type, f.novel_value, f.value_type, d.found_type, \(foundValue), d.times,
        nullif(x.environment, ''), nullif(x.operation, ''),
        f.coding_path, f.id IS NOT NULL AND \(filter.failureCondition())
        """)
  }

  /// The beginning of a digest's line of NDJSON, only in its first row; the JSON of the error; and
  /// whether the filter selects the failure.
  static func lines(_ filter: DigestFilter) -> Self {
    let beginning = [
      "'{\"id\":' || json_quote(\(digestID))",
      """
      ',"recordedAt":"' || strftime('%Y-%m-%dT%H:%M:%fZ', d.recorded_at / 1000.0, 'unixepoch') || '"'
      """,
      member("model", "m.name"), member("release", "nullif(x.release, '')"),
      member("environment", "nullif(x.environment, '')"),
      member("operation", "nullif(x.operation, '')"), "',\"errors\":['",
    ]
    let error = [
      "'{\"path\":' || json_quote(CAST(\(codingPath) AS text))",
      // Only if there are dictionary keys, which cannot be recognized in the path.
      member("pattern", "iif(instr(f.coding_path, '*'), f.coding_path, NULL)"),
      member("kind", "f.kind"), member("novelValue", "f.novel_value"),
      member("novelValueType", "f.value_type"), member("expectedType", "f.expected_type"),
      member("foundType", "CAST(d.found_type AS text)"),
      member("foundValue", "CAST(\(foundValue) AS text)"),
      "iif(d.times > 1, ',\"count\":' || d.times, '') || '}'",
    ]
    return Self(
      columns: """
        iif(ifnull(d.position, 0) = 0, \(beginning.joined(separator: "\n || ")), NULL),
        iif(f.id IS NULL, NULL, \(error.joined(separator: "\n || "))),
        \(filter.choosesFailures ? filter.failureCondition() : "true")
        """)
  }

  /// A member after another one; empty if its value is null.
  private static func member(_ name: String, _ value: String) -> String {
    "iif(\(value) IS NULL, '', ',\"\(name)\":' || json_quote(\(value)))"
  }
}

/// Digests of a server with their names and failures, in a database in memory.
enum DigestCopy {
  /// The most bytes of errors of a copy, so that hostile digests do not fill the memory.
  static let maximumBytes = 1 << 20

  private static let tables = """
    CREATE TABLE digest (id INTEGER PRIMARY KEY, recorded_at INTEGER, model INTEGER,
      context INTEGER, source INTEGER, origin INTEGER, number INTEGER, errors TEXT);
    CREATE TABLE model (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE context (id INTEGER PRIMARY KEY, source INTEGER, release TEXT, environment TEXT,
      operation TEXT);
    CREATE TABLE source (id INTEGER PRIMARY KEY, identity TEXT, name TEXT);
    CREATE TABLE origin (id INTEGER PRIMARY KEY, identity TEXT);
    CREATE TABLE failure (id INTEGER PRIMARY KEY, coding_path TEXT, kind TEXT, expected_type TEXT,
      novel_value TEXT, value_type TEXT);
    """

  /// Copies digests, up to a number of bytes.
  ///
  /// - Parameters:
  ///   - condition: the condition on `digest AS d` with ``ErrorQuery/names``, and the order.
  ///   - values: the values of its parameters.
  /// - Returns: the copy, and the id of the last digest; nil if there are no further ones.
  static func make(
    of server: any Engine, where condition: String, _ values: [String: SQLValue]
  ) throws -> (connection: Connection, last: Int64?) {
    let copy = try Connection(path: "", mode: .memory)
    try copy.execute(tables)
    try copy.execute("BEGIN")
    let digest = try Statement(copy, "INSERT INTO digest VALUES (?, ?, ?, ?, ?, NULL, ?, ?)")
    let model = try Statement(copy, "INSERT OR IGNORE INTO model VALUES (?, ?)")
    let context = try Statement(copy, "INSERT OR IGNORE INTO context VALUES (?, ?, ?, ?, ?)")
    let source = try Statement(copy, "INSERT OR IGNORE INTO source VALUES (?, ?, ?)")
    let failure = try Statement(copy, "INSERT INTO failure VALUES (?, ?, ?, ?, ?, ?)")
    var (bytes, last): (Int, Int64?) = (0, nil)
    try server.forEachRow(
      """
      SELECT d.id, d.recorded_at, d.model, d.context, d.source, d.number, d.errors, m.name,
        x.release, x.environment, x.operation, s.identity, s.name
      FROM digest AS d \(ErrorQuery.names) WHERE \(condition)
      """, values
    ) { row in
      func texts(_ columns: ClosedRange<Int32>) -> [SQLValue] {
        columns.map { SQLValue(row.text(at: $0)) }
      }
      let ids = (0...5).map { SQLValue(row.optionalInteger(at: $0)) }
      try digest.run(ids + texts(6...6))
      try model.run([ids[2]] + texts(7...7))
      try context.run([ids[3], ids[4]] + texts(8...10))
      try source.run([ids[4]] + texts(11...12))
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
