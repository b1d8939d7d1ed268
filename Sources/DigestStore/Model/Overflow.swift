import ResilientDecoding

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

extension RecordedError {
  /// Returns the error as counted under an overflow. Keeps its found value and message.
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
      // What is no error does not become one.
      if !ErrorKinds.others.contains(kind) { record.kind = .other }
      record.novelValue = nil
      if record.body != nil { record.found = nil }
    }
    return record
  }

  /// The overflow that the error is counted under; nil for an ordinary error.
  var overflow: Overflow? {
    guard expectedType == nil, valueType == nil else { return nil }
    if kind == .unknownNovelValue, novelValue == Overflow.value { return .ofValues }
    let isOther = kind == .other || ErrorKinds.others.contains(kind)
    return isOther && novelValue == nil && path.components == [.key(Overflow.path)]
      ? .ofFailures : nil
  }
}
