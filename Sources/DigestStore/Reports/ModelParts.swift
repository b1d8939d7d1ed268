/// How a report divides models: by a name of the context, or not at all.
struct ModelParts {
  private let column: String?

  init(_ name: DigestStore.ContextName?) { column = name?.rawValue }

  /// Models as a whole.
  static let none = Self(nil)

  var splits: Set<Counts.Split> { column == nil ? [] : [.context] }

  /// The expression for a part's name; empty for models as a whole.
  var name: String { column.map { "x.\($0)" } ?? "''" }

  /// The join of `context AS x` that the expression needs.
  ///
  /// - Parameter alias: a relation with the column `context`.
  func join(_ alias: String) -> String {
    column == nil ? "" : "CROSS JOIN context AS x ON x.id = \(alias).context"
  }
}

/// A model, or a part of it.
struct ModelPart: Hashable {
  let model: Int64
  let name: BinaryString

  /// Reads the columns for the id of the model and ``ModelParts/name``.
  init(_ row: borrowing some Row & ~Copyable) {
    model = row.integer(at: 0)
    name = BinaryString(row.text(at: 1) ?? "")
  }
}
