import DigestStore
import ResilientPlatform

/// The tables of a fleet, in a database of ClickHouse.
///
/// A push only inserts rows. Of the rows with the same key, the one with the largest version
/// counts. A version is the number of the last counted digest, then the time of the push. Rows
/// without counts stand for deleted ones. An interrupted push can be repeated: `push_rows` lists
/// the pushes that have not ended.
///
/// Reports read views that have the names and columns of the tables in a store's file. A view
/// leaves out rows that were replaced, and adds up those of context 0. Ids are hashes, which need
/// no table to look them up and no server that gives them.
enum ClickHouseSchema {
  /// The version of the tables that this build reads and writes.
  static let version: Int64 = 1

  /// The names of the tables with counts.
  static let tablesOfCounts = CountTable.allCases.map { "\($0.name)_rows" }

  /// The statements that make the tables of the connection's database.
  ///
  /// - Parameter identity: 32 hexadecimal digits.
  static func statements(identity: String) -> [String] {
    names + CountTable.allCases.flatMap(statements) + digests + views
      + [
        "INSERT INTO fleet SELECT 1, \(version), '\(identity)' WHERE NOT EXISTS (SELECT 1 FROM fleet)",
        "INSERT INTO source_rows SELECT 1, identity, '', 0, 0, 0, 0 FROM store",
      ]
  }

  private static let names = [
    """
    CREATE TABLE IF NOT EXISTS fleet (id Int64, version Int64, identity String)
    ENGINE = MergeTree ORDER BY id
    """,
    // All digests are counted.
    """
    CREATE VIEW IF NOT EXISTS store AS
    SELECT id, version, identity, toInt64(\(Int64.max - 1)) AS folded FROM fleet ORDER BY identity LIMIT 1
    """,
    table(
      "source",
      """
      id Int64, identity String, name String, counted Int64, counted_at Int64,
      pushed_at Int64, version UInt64
      """, version: "version", key: "identity"),
    """
    CREATE TABLE IF NOT EXISTS push_rows (source Int64, began_at Int64, is_done UInt8)
    ENGINE = ReplacingMergeTree(is_done) ORDER BY (source, began_at)
    """,
    table("model", "id Int64, name String", key: "id"),
    table(
      "context",
      "id Int64, source Int64, release String, environment String, operation String", key: "id"),
    // The first sample stays.
    table(
      "failure",
      """
      version UInt64 DEFAULT \(UInt64.max) - toUInt64(toUnixTimestamp64Micro(now64(6))),
      id Int64, key String, model Int64, coding_path String, kind String,
      expected_type Nullable(String), novel_value Nullable(String), value_type Nullable(String),
      message Nullable(String), found_type Nullable(String), found_value Nullable(String),
      sampled_at Nullable(Int64)
      """, version: "version", key: "id"),
    view(
      "source", of: ["id", "identity", "name", "counted", "counted_at", "pushed_at"]),
    view("model", of: ["id"] + NameTable.model.columns),
    view("context", of: ["id"] + NameTable.context.columns),
    view("failure", of: ["id"] + NameTable.failure.columns),
  ]

  private static let digests = [
    // Ids are in the order of time. Those of two sources may be equal.
    table(
      "digest",
      """
      id Int64, recorded_at Int64, model Int64, context Int64, source Int64, number Int64,
      errors String, INDEX digest_of_time recorded_at TYPE minmax GRANULARITY 1
      """, key: "(id, source, number)"),
    view("digest", of: ["id", "recorded_at", "model", "context", "source", "number", "errors"]),
    // The errors of digests. An element that no store writes counts nothing.
    """
    CREATE VIEW IF NOT EXISTS occurrence AS
    SELECT d.id AS id, d.recorded_at AS recorded_at, d.model AS model, d.context AS context,
      toInt64(bitShiftRight(sipHash64(d.id, d.source, d.number), 1)) AS digest,
      assumeNotNull(toInt64OrNull(JSONExtractArrayRaw(error)[1])) AS failure,
      if(
        JSONExtractArrayRaw(error)[3] IN ('', 'null'), 1,
        assumeNotNull(toInt64OrNull(JSONExtractArrayRaw(error)[3]))) AS times
    FROM digest AS d ARRAY JOIN JSONExtractArrayRaw(d.errors) AS error
    WHERE failure > 0 AND times > 0 AND times < 1000000000
    """,
    """
    CREATE TABLE IF NOT EXISTS loss (
      hour Int64, reason String, digests Int64, occurrences Int64, note Nullable(String)
    ) ENGINE = MergeTree ORDER BY (reason, hour)
    """,
  ]

  /// The number of low bits of an id that distinguish digests of a millisecond.
  static let idBits: Int64 = 21

  private static func table(
    _ name: String, _ columns: String, version: String = "", key: String
  ) -> String {
    """
    CREATE TABLE IF NOT EXISTS \(name)_rows (\(columns))
    ENGINE = ReplacingMergeTree(\(version)) ORDER BY \(key) SETTINGS index_granularity = 1024
    """
  }

  private static func view(_ name: String, of columns: [String]) -> String {
    """
    CREATE VIEW IF NOT EXISTS \(name) AS SELECT \(columns.joined(separator: ", ")) FROM \(name)_rows FINAL
    """
  }

  private static func statements(of table: CountTable) -> [String] {
    let (name, key, isCounted) = (table.name, table.key, "\(table.counts[0]) > 0")
    let columns = table.columns.map { "\($0) Int64" }
    func list(_ columns: [String]) -> String { columns.joined(separator: ", ") }
    let sums =
      table.counts.map { "sum(r.\($0)) AS \($0)" }
      + zip(["min", "max"], table.times).map { "\($0)(r.\($1)) AS \($1)" }
    return [
      """
      CREATE TABLE IF NOT EXISTS \(name)_rows (
        \(list(columns)), counted Int64, pushed_at Int64,
        version UInt256 DEFAULT bitShiftLeft(toUInt256(counted), 64) + toUInt64(pushed_at),
        INDEX context_range context TYPE minmax
      ) ENGINE = ReplacingMergeTree(version) ORDER BY (\(list(key + ["context"])))
      SETTINGS index_granularity = 1024
      """,
      """
      CREATE VIEW IF NOT EXISTS \(name) AS
      SELECT \(list(table.columns)) FROM \(name)_rows FINAL WHERE \(isCounted)
      UNION ALL
      SELECT toInt64(0) AS context, \(list(key.map { "r.\($0) AS \($0)" } + sums))
      FROM (SELECT * FROM \(name)_rows FINAL WHERE \(isCounted)) AS r
      GROUP BY \(list(key.map { "r.\($0)" }))
      """,
    ]
  }
}
