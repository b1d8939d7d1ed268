/// The error for a damaged file.
struct FileDamage: Error {
  /// The error of SQLite.
  let error: SQLiteError

  /// The file that was examined. No other file is set aside for this damage.
  let file: FileIdentity?

  /// Whether no further check is needed.
  var isCertain = false

  /// Whether the file is sound without its log.
  var isOfLogAlone = false

  /// Runs `body`, and adds the identity of the file to an error about damage.
  ///
  /// Ignores files that were moved: they may only look damaged, because other processes write
  /// them.
  static func catching<Value>(
    on connection: Connection, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch let error as SQLiteError where error.isDamage && connection.place() == .unchanged {
      throw FileDamage(error: error, file: connection.files?.database)
    }
  }
}
