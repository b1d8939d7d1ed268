import ResilientDecoding

/// What is counted as one because there are too many different ones.
///
/// It is known by its text and by nothing else, so that it is the same in a view, in an export and
/// in the store that this is imported to. Whoever sends such a text makes a row look like one of
/// these; no count is wrong for that.
enum Overflow {
  /// A novel value that is one too many for its model and path.
  case ofValues
  /// A failure that is one too many for the file.
  case ofFailures

  static let value = "(other values)"
  static let path = "(other paths)"
  static let model = "(other models)"
  static let release = "(other releases)"

  /// The pattern of the one path that stands for all others.
  static let codingPath = ErrorDigest.Path([.key(path)]).description

  /// The condition on a row of `failure` that may stand for many, in SQL.
  ///
  /// By the same condition SQLite knows that the index `failure_overflow` has all of them: to change
  /// it takes a migration.
  static let failureCondition = """
    value_type IS NULL AND expected_type IS NULL \
    AND (novel_value = '\(value)' OR coding_path = '\(codingPath)')
    """
}

extension FailureRecord {
  /// The error as one of many: what was found and its message stay its own.
  func counted(as overflow: Overflow) -> Self {
    var record = self
    record.expectedType = nil
    record.valueType = nil
    switch overflow {
    case .ofValues:
      record.kind = .unknownNovelValue
      record.novelValue = Overflow.value
    case .ofFailures:
      record.path = ErrorDigest.Path([.key(Overflow.path)])
      record.kind = .other
      record.novelValue = nil
    }
    return record
  }

  /// What it is one of, if it stands for many.
  var overflow: Overflow? {
    guard expectedType == nil, valueType == nil else { return nil }
    if kind == .unknownNovelValue, novelValue == Overflow.value { return .ofValues }
    let isOther = kind == .other && novelValue == nil
    return isOther && path.components == [.key(Overflow.path)] ? .ofFailures : nil
  }
}
