import ResilientDecoding

/// Where a digest comes from, besides its store. An empty name is none.
struct DigestContext {
  var release: String
  var environment: String
  var operation: String

  init(release: String? = nil, environment: String? = nil, operation: String? = nil) {
    self.release = release ?? ""
    self.environment = environment ?? ""
    self.operation = operation ?? ""
  }

  /// Returns the context with each name changed.
  func map(_ change: (String) -> String) -> Self {
    Self(
      release: change(release), environment: change(environment), operation: change(operation))
  }

  /// The names of the columns of `context`, and of the members of a line of NDJSON.
  var members: [(column: String, name: String)] {
    [("release", release), ("environment", environment), ("operation", operation)]
  }
}

/// Names are compared by their bytes, as in the file.
extension DigestContext: Hashable {
  static func == (lhs: Self, rhs: Self) -> Bool {
    BinaryString(lhs.release) == BinaryString(rhs.release)
      && BinaryString(lhs.environment) == BinaryString(rhs.environment)
      && BinaryString(lhs.operation) == BinaryString(rhs.operation)
  }

  func hash(into hasher: inout Hasher) {
    for member in members { hasher.combine(BinaryString(member.name)) }
  }
}

/// A value or failure that stands for many, because there are too many different ones.
///
/// It is recognized by its text alone, so that it is the same in a view, in an export and in a
/// store that imports it. A payload with the same text looks like one of these, but no count
/// becomes wrong.
enum Overflow {
  /// There are too many novel values for the model and path.
  case ofValues
  /// There are too many failures for the file.
  case ofFailures

  static let value = "(other values)"
  static let path = "(other paths)"
  static let model = "(other models)"
  static let release = "(other releases)"
  static let environment = "(other environments)"
  static let operation = "(other operations)"

  /// The pattern of the path that stands for all others.
  static let codingPath = ErrorDigest.Path([.key(path)]).description

  /// The SQL condition for a row of `failure` that stands for many.
  ///
  /// SQLite uses the index `failure_overflow` only for the same condition. To change the condition,
  /// add a migration.
  static let failureCondition = """
    value_type IS NULL AND expected_type IS NULL \
    AND (novel_value = '\(value)' OR coding_path = '\(codingPath)')
    """
}
