/// The error for a damaged file.
struct FileDamage: Error {
  /// The error of SQLite.
  let error: SQLiteError

  /// The file that was examined. No other file is set aside for this damage.
  let file: FileIdentity?

  /// Whether it cannot be a failed read, which SQLite reports as damage, too: the file is empty.
  var isCertain = false

  /// Whether a new connection has found damage again where an earlier one did.
  func confirms(_ earlier: FileDamage?) -> Bool {
    isCertain || earlier.map { $0.file == file } ?? false
  }

  /// Runs `body`, and adds the identity of the file to an error about damage.
  ///
  /// Ignores files that were moved: they may only look damaged, because other processes write
  /// them.
  static func catching<Value>(
    on connection: Connection, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch let error as SQLiteError where error.isDamage {
      let place = connection.place()
      guard place != .moved else { throw error }
      throw FileDamage(
        error: error, file: connection.files?.database, isCertain: place == .emptied)
    }
  }
}
