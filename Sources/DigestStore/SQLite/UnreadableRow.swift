/// A row that SQLite reads, and whose contents this library cannot: the rest of the file is not affected.
///
/// It is no ``SQLiteError``, so that no file is set aside for one row.
struct UnreadableRow: Error, CustomStringConvertible {
  /// What is wrong, without a word of what the row holds.
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension UnreadableRow {
  /// A digest that would be more rows of a table than anyone can read, and that no import takes.
  static let tooManyErrors = UnreadableRow("it has more errors than an export may")
}
