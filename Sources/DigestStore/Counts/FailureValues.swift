/// The failures in a file, and which of them have the same novel value.
///
/// Both are fixed once a failure exists, so that cached values stay valid.
struct FailureValues {
  /// The largest id of a failure.
  private(set) var last: Int64 = 0

  /// The value ids of the failures that are not the first with their novel value: the id of the
  /// first, or nil for a failure without a novel value.
  private(set) var valueIDs: [Int64: Int64?] = [:]

  init() {}

  /// Reads all failures of a file.
  init(_ connection: Connection) throws {
    last = try connection.integer("SELECT max(id) FROM failure") ?? 0
    try add(connection, "SELECT id, value_id FROM failure WHERE value_id IS NOT id")
  }

  /// Reads the failures added since the last read.
  mutating func update(_ connection: Connection) throws {
    let newest = try connection.integer("SELECT max(id) FROM failure") ?? 0
    guard newest > last else { return }
    // `NOT INDEXED` makes SQLite search by id, so that it reads only the new rows.
    try add(
      connection,
      """
      SELECT id, value_id FROM failure NOT INDEXED WHERE id > \(last) AND value_id IS NOT id
      """)
    last = newest
  }

  /// The first failure with the novel value of a failure; nil if it has none.
  func valueID(of failure: Int64) -> Int64? { valueIDs[failure] ?? failure }

  /// Whether a failure with this id exists.
  func contains(_ failure: Int64) -> Bool { failure > 0 && failure <= last }

  private mutating func add(_ connection: Connection, _ sql: String) throws {
    let statement = try Statement(connection, sql)
    while try statement.step() {
      valueIDs.updateValue(statement.optionalInteger(at: 1), forKey: statement.integer(at: 0))
    }
  }
}
