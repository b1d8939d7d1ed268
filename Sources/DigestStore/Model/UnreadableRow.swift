/// A row that SQLite can read, but whose contents this library cannot. The rest of the file is not
/// affected.
///
/// It is not a ``SQLiteError``, so that no file is quarantined because of one row.
struct UnreadableRow: Error, CustomStringConvertible {
  /// The problem, without any contents of the row.
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
