/// One step of the schema. Once released, a migration never changes: a later one mends it.
struct Migration: Sendable {
  /// The `user_version` of a file that has it.
  let version: Int64
  let sql: String

  /// What is left to do that SQL cannot, in the same transaction.
  var finish: @Sendable (Connection) throws -> Void = { _ in }

  /// What makes a file without it look to one connection as though it had it, for reports on a
  /// file that is not to be written: temporary views, which hide tables of the same name.
  var readingWithout = ""
}

extension Migration {
  /// All steps in their order.
  static let all = [tables, foundValues, packedTallies, modelTallies, samples]

  /// The version that this code reads and writes.
  static let currentVersion = all.map(\.version).max() ?? 0
}
