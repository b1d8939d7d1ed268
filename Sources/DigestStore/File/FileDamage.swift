/// The error for a damaged file.
struct FileDamage: Error {
  /// The error of SQLite.
  let error: SQLiteError

  /// The file that was examined. No other file is set aside for this damage.
  let file: FileIdentity?

  /// Runs `body`, and adds the identity of the file to an error about damage.
  ///
  /// Ignores files that were moved: they may only look damaged, because other processes write
  /// them.
  static func catching<Value>(
    on connection: Connection, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch let error as SQLiteError where error.isDamage && connection.place() != .moved {
      throw FileDamage(error: error, file: connection.files?.database)
    }
  }
}
