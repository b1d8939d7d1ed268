/// Which failures there are, and which of them are of the same novel value.
///
/// Neither ever changes for a failure that there is, so that what was read stays right.
struct FailureValues {
  /// The last failure.
  private(set) var last: Int64 = 0

  /// The failures that are no novel value (nil), or not the first of theirs (its first).
  private(set) var notFirst: [Int64: Int64?] = [:]

  init() {}

  /// Reads what the file has.
  init(_ connection: Connection) throws {
    last = try connection.integer("SELECT max(id) FROM failure") ?? 0
    try add(connection, "SELECT id, value_id FROM failure WHERE value_id IS NOT id")
  }

  /// Reads the failures that have come since.
  mutating func update(_ connection: Connection) throws {
    let newest = try connection.integer("SELECT max(id) FROM failure") ?? 0
    guard newest > last else { return }
    // By their ids: the others need not be looked at.
    try add(
      connection,
      """
      SELECT id, value_id FROM failure NOT INDEXED WHERE id > \(last) AND value_id IS NOT id
      """)
    last = newest
  }

  /// Whether there is a failure of this number.
  func contains(_ failure: Int64) -> Bool { failure > 0 && failure <= last }

  private mutating func add(_ connection: Connection, _ sql: String) throws {
    let statement = try Statement(connection, sql)
    while try statement.step() {
      notFirst.updateValue(statement.optionalInteger(at: 1), forKey: statement.integer(at: 0))
    }
  }
}
