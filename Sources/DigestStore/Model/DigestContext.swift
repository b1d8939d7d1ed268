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
