/// Statements for a server of ClickHouse, over HTTP. Not thread-safe.
///
/// A statement is a request of its own: there are no transactions, so two statements may see different
/// states.
final class ClickHouseConnection {
  /// The URL without its password and parameters, for messages.
  let name: String

  /// The database of the fleet's tables. It has no character that would have to be quoted.
  let database: String

  let user: String

  /// Whether the user's profile permits settings, as far as is known.
  private var mayChangeSettings = true

  /// Whether to read no replica that lags behind by more than some seconds, so that no answer lacks what was
  /// written before that.
  var refusesLaggingReplicas = false

  private let client: HTTPClient

  /// - Throws: ``FleetError`` for a URL that cannot be used. The first statement connects.
  init(_ url: String) throws {
    let url = try ClickHouseURL(url)
    name = url.name
    database = url.database
    user = url.user
    // Not in the URL, which the server writes into its log.
    client = try HTTPClient(
      url.address,
      headers: ["X-ClickHouse-User": url.user, "X-ClickHouse-Key": url.password])
  }

  /// Runs a statement that returns rows, and reads each.
  func rows<Row>(
    _ sql: String, _ read: (inout RowBinaryReader) throws -> Row
  ) throws -> [Row] {
    var rows: [Row] = []
    try forEachRow(sql) { rows.append(try read(&$0)) }
    return rows
  }

  /// Runs a statement that returns rows, and passes each to `body`, which must read it whole.
  func forEachRow(_ sql: String, _ body: (inout RowBinaryReader) throws -> Void) throws {
    var rows = try answer(to: sql)
    while !rows.isAtEnd { try body(&rows) }
  }

  /// Runs a statement that returns rows.
  ///
  /// - Parameter isByShard: whether no group has rows on several shards, so that each shard can finish its
  ///   groups, sort and limit them, instead of sending all of them to the first server.
  func answer(to sql: String, isByShard: Bool = false) throws -> RowBinaryReader {
    let settings = isByShard ? [("distributed_group_by_no_merge", "1")] : []
    return RowBinaryReader(
      try post(Array("\(sql) FORMAT RowBinary".utf8), ifPermitted: settings))
  }

  /// Runs a statement that returns nothing of interest.
  func execute(_ sql: String) throws { _ = try post(Array(sql.utf8)) }

  /// Inserts rows into a table of the fleet, and waits until every shard has them.
  ///
  /// - Parameter columns: the columns of the rows, in the order in which they were written.
  func insert(_ rows: RowBinaryWriter, into table: String, _ columns: String) throws {
    guard !rows.bytes.isEmpty else { return }
    _ = try post(
      rows.bytes,
      [
        ("query", "INSERT INTO \(database).\(table) (\(columns)) FORMAT RowBinary"),
        ("insert_distributed_sync", "1"),
        // Rows may come again after they were deleted. Equal ones replace each other anyway.
        ("insert_deduplicate", "0"),
      ])
  }

  /// - Parameter optional: settings without which the answer is the same, only later.
  private func post(
    _ body: [UInt8], _ query: [(name: String, value: String)] = [],
    ifPermitted optional: [(name: String, value: String)] = []
  ) throws -> [UInt8] {
    var query = query
    // The server answers when it has finished, so that an error has a status of its own.
    query.append(("wait_end_of_query", "1"))
    if mayChangeSettings {
      var settings =
        optional + [
          // The first replica of each shard that answers, so that what was written is read from the same
          // one. Another one may lag behind it.
          ("load_balancing", "in_order"),
          // Filters may have hundreds of long names, and a statement names each of the chosen stores: the
          // default is 256 KiB.
          ("max_query_size", String(64 << 20)),
        ]
      if refusesLaggingReplicas {
        settings += [
          ("max_replica_delay_for_distributed_queries", "10"),
          ("fallback_to_stale_replicas_for_distributed_queries", "0"),
        ]
      }
      let answer = try client.post(body, query + settings)
      if answer.status == 200 { return answer.body }
      let error = ClickHouseError(answer)
      // READONLY, SETTING_CONSTRAINT_VIOLATION
      guard [164, 452].contains(error.code) else { throw error }
      mayChangeSettings = false
    }
    let answer = try client.post(body, query)
    guard answer.status == 200 else { throw ClickHouseError(answer) }
    return answer.body
  }
}

extension String {
  /// The text as a literal of ClickHouse's SQL.
  var sqlLiteral: String {
    var literal = "'"
    for scalar in unicodeScalars {
      switch scalar {
      case "'": literal += "\\'"
      case "\\": literal += "\\\\"
      case "\0": literal += "\\0"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "'"
  }
}
