/// One step of the schema. Once released, a migration never changes: a later one mends it.
struct Migration {
  /// The `user_version` of a file that has it.
  let version: Int64
  let sql: String
}

extension Migration {
  /// All steps in their order.
  static let all = [tables]

  /// The version that this code reads and writes.
  static let currentVersion = all.map(\.version).max() ?? 0
}
