/// One step of the schema. Once released, a migration never changes; a later one corrects it.
struct Migration: Sendable {
  /// The `user_version` of a file after this step.
  let version: Int64
  let sql: String
}
