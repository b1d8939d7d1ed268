/// A step of the schema. A released migration never changes; a later one corrects it.
struct Migration: Sendable {
  /// The `user_version` of a file after this step.
  let version: Int64
  let sql: String
}
