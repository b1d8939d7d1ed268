import DigestStore

/// The tables of a fleet in ClickHouse, all in one database.
///
/// Every row that a push writes replaces the row with the same key, so a push can be repeated or cut off
/// anywhere. Where the tables are spread over a cluster, each is a `Distributed` table over local ones,
/// whose names end with `_local`.
enum ClickHouseSchema {
  /// The version of the tables.
  static let version = 1

  /// The largest count that a store has.
  static let maximumCount: Int64 = 1 << 53

  /// The longest part of the time in one partition of the counts, in hours.
  static let partition: Int64 = 2_160

  struct Table {
    let name: String

    /// The columns with their types, in order.
    let columns: [(name: String, type: String)]

    /// The rows with the same key replace each other. The one with the largest version remains.
    let key: String
    let version: String
    var partition = ""

    /// An expression that assigns rows to shards.
    let shard: String

    /// How many rows the server reads at least to find one: its default, or fewer where rows are looked up.
    var granularity = 8_192

    var columnList: String { columns.map(\.name).joined(separator: ", ") }

    /// The table without replaced rows, up to where other conditions can follow.
    ///
    /// ClickHouse 18 needs a condition on a column: without one, it does not read the columns of the key.
    func latest(in database: String) -> String {
      "\(database).\(name) FINAL WHERE \(version) >= 0"
    }
  }

  /// The fleet. Made first, so that tables without it are not a fleet's.
  static let fleet = Table(
    name: "fleet",
    columns: [
      ("schema", "UInt32"), ("cluster", "String"), ("is_replicated", "UInt8"),
      // Before this hour, only counts by day are kept.
      ("first_hour", "Int64"), ("version", "UInt64"),
    ],
    key: "schema", version: "version", shard: "toUInt64(schema)")

  /// The stores.
  static let source = Table(
    name: "source",
    columns: [
      ("id", "UInt64"), ("identity", "String"), ("name", "String"), ("role", "String"),
      // Increases with every push.
      ("revision", "UInt64"),
      // The last digest that is counted. The next push recognizes the file by it.
      ("last_digest", "Int64"), ("last_recorded_at", "Int64"),
      // The time of the last error that the store has counted.
      ("last_moment", "Int64"),
      // The errors and digests of the store that the fleet counts, up to the last digest.
      ("occurrences", "UInt64"), ("digests", "UInt64"),
      // The number up to which digests were sent themselves, or evicted before that.
      ("digests_through", "Int64"),
      // The store dropped hours before it that were never sent: only days are complete there.
      ("coarse_before", "Int64"),
      // The last numbers of failures and models whose names have arrived.
      ("last_failure", "Int64"), ("last_model", "Int64"),
      // By the clock of the machine that pushed first; the stores are exported in this order.
      ("first_pushed_at", "Int64"),
      // By the server's clock.
      ("pushed_at", "Int64"),
    ],
    key: "identity", version: "revision", shard: "id")

  /// The last digest of each push that brought any.
  static let push = Table(
    name: "push",
    columns: [("source", "UInt64"), ("last_digest", "Int64"), ("last_recorded_at", "Int64")],
    key: "(source, last_digest)", version: "last_recorded_at", shard: "source")

  static let loss = Table(
    name: "loss",
    columns: [
      ("source", "UInt64"), ("reason", "String"), ("hour", "Int64"), ("digests", "UInt64"),
      ("occurrences", "UInt64"), ("note", "Nullable(String)"), ("revision", "UInt64"),
    ],
    key: "(source, reason, hour)", version: "revision", shard: "source")

  /// The counts of a store as of its last push, packed as in the store's file.
  static let pack = Table(
    name: "pack",
    columns: [
      ("source", "UInt64"),
      // 0 for failures, 1 for models, 2 for clean decodes of models.
      ("counted", "UInt8"),
      // The hours in the period; 0 for all time, -1 for a list of merged releases.
      ("span", "Int8"), ("start", "UInt32"),
      ("has_release", "UInt8"), ("release", "String"), ("mark", "Int64"),
      // As of the store; empty if the store no longer has it, as has_cells says without reading them.
      ("has_cells", "UInt8"), ("cells", "String"),
      // As of the table counts; empty if that is the same.
      ("counted_cells", "Nullable(String)"),
      ("revision", "UInt64"),
    ],
    key: "(source, counted, span, start, has_release, release)", version: "revision",
    partition: "(span, intDiv(start, \(partition)))", shard: "source", granularity: 256)

  /// The subject of a row in the table `counts`.
  enum Counted: UInt8 {
    case failures = 0
    case models = 1
    case decodes = 2

    /// The failures of a model with the same kind, together.
    case kinds = 3

    /// A failure of all time, in all releases together.
    case totals = 4

    init(_ subject: PackedCounts.Subject) {
      self =
        switch subject {
        case .failures: .failures
        case .models: .models
        case .decodes: .decodes
        }
    }
  }

  /// The counts of a store, as rows.
  static let counts = Table(
    name: "counts",
    columns: [
      ("counted", "UInt8"), ("span", "UInt8"), ("start", "UInt32"),
      // A failure, a model where models or decodes are counted, or the beginning of a model and a kind.
      ("id", "FixedString(16)"),
      // A hash of the release and the source. The key is shorter with it than with both.
      ("pair", "UInt64"),
      ("release", "UInt64"), ("source", "UInt64"),
      // The first failure with the same novel value, and the model.
      ("value", "FixedString(16)"), ("model", "FixedString(16)"),
      // The model and the coding path, or any failure of a kind; and the kind. Reports count by them.
      ("place", "FixedString(16)"), ("kind", "UInt64"),
      ("occurrences", "UInt64"),
      // A count changes only with another digest, so the largest number of digests is the latest count.
      ("digests", "UInt64"), ("shared_digests", "UInt64"), ("first_seen", "Int64"),
      ("last_seen", "Int64"),
    ],
    key: "(counted, span, start, id, pair)", version: "digests",
    partition: "(span, intDiv(start, \(partition)))",
    shard: shardOfFailure, granularity: 1_024)

  /// Assigns a failure's counts and names to one shard, and all failures with the same novel value to the
  /// same. So each shard can rank its own failures and values alone.
  private static let shardOfFailure =
    "reinterpretAsUInt64(if(value = \(FleetID.none.sql), id, value))"

  /// The names. The first that arrives stays, as the versions decrease.
  static let model = Table(
    name: "model", columns: [("id", "FixedString(16)"), ("name", "String"), ("version", "UInt64")],
    key: "id", version: "version", shard: "reinterpretAsUInt64(id)")

  static let release = Table(
    name: "release", columns: [("id", "UInt64"), ("name", "String"), ("version", "UInt64")],
    key: "id", version: "version", shard: "id")

  static let failure = Table(
    name: "failure",
    columns: [
      ("id", "FixedString(16)"),
      // Equal for failures with the same novel value; zeros for none.
      ("value", "FixedString(16)"),
      ("model", "FixedString(16)"), ("coding_path", "String"), ("path_format", "String"),
      ("kind", "String"), ("expected_type", "Nullable(String)"),
      ("novel_value", "Nullable(String)"), ("value_type", "Nullable(String)"),
      ("message", "Nullable(String)"), ("found_type", "Nullable(String)"),
      ("found_value", "Nullable(String)"), ("version", "UInt64"),
    ],
    key: "id", version: "version", shard: shardOfFailure, granularity: 1_024)

  /// Consecutive digests of a store, as lines of NDJSON.
  static let digestPage = Table(
    name: "digest_page",
    columns: [
      ("source", "UInt64"), ("first_number", "Int64"), ("last_number", "Int64"),
      ("first_recorded_at", "Int64"), ("last_recorded_at", "Int64"), ("digests", "UInt64"),
      // The failures in the digests.
      ("failures", "Array(FixedString(16))"), ("lines", "String"),
    ],
    key: "(source, first_number)", version: "last_number",
    partition: "intDiv(last_recorded_at, \(partition * 3_600_000))", shard: "source")

  static let tables = [
    fleet, source, push, loss, pack, counts, model, release, failure, digestPage,
  ]
}

extension ClickHouseSchema.Table {
  /// The statements that make the table.
  ///
  /// - Parameters:
  ///   - database: the database, whose name needs no quotation marks.
  ///   - cluster: the cluster on whose servers the table is made; nil for this server alone.
  func statements(in database: String, cluster: String?, isReplicated: Bool) -> [String] {
    let local = "\(database).\(name)\(cluster == nil ? "" : "_local")"
    let onCluster = cluster.map { " ON CLUSTER \($0.sqlLiteral)" } ?? ""
    let place = "/clickhouse/tables/{shard}/\(database)/\(name)".sqlLiteral
    let arguments =
      (isReplicated ? [place, "'{replica}'"] : []) + [version]
    let columns = columns.map { "\($0.name) \($0.type)" }.joined(separator: ", ")
    let made = """
      CREATE TABLE IF NOT EXISTS \(local)\(onCluster) (\(columns)) \
      ENGINE = \(isReplicated ? "Replicated" : "")ReplacingMergeTree(\(arguments.joined(separator: ", "))) \
      \(partition.isEmpty ? "" : "PARTITION BY \(partition) ")ORDER BY \(key) \
      SETTINGS index_granularity = \(granularity)
      """
    guard let cluster else { return [made] }
    return [
      made,
      """
      CREATE TABLE IF NOT EXISTS \(database).\(name)\(onCluster) (\(columns)) \
      ENGINE = Distributed(\(cluster.sqlLiteral), \(database), \(name)_local, \(shard))
      """,
    ]
  }
}
