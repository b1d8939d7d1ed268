import ResilientDecoding

extension DigestStore.ModelCount {
  /// Whether this row counts the models over a limit.
  ///
  /// They are counted exactly, all in one row: see ``DigestReader/reachedLimits(matching:)``.
  public var isOverflow: Bool { model == Overflow.model }
}

extension DigestStore.FailureCount {
  /// Whether this row counts values, failures or models over a limit.
  ///
  /// They are counted exactly, all in one row: see ``DigestReader/reachedLimits(matching:)``.
  public var isOverflow: Bool {
    hasOtherValues || hasOtherPaths || model == Overflow.model
  }

  /// Whether the store kept only the beginning of the novel value, followed by a mark.
  ///
  /// A payload that contains such a mark looks like a truncated value too.
  public var isCut: Bool { novelValue.map(ValueLimit.hasCut) ?? false }

  /// Whether the found value is only the beginning of what came.
  package var hasCutFoundValue: Bool {
    foundValue.map { ValueLimit.hasCut($0) || $0.hasSuffix("…") } ?? false
  }

  /// Whether this counts the novel values over the limit of a path.
  var hasOtherValues: Bool {
    kind == .unknownNovelValue && novelValue == Overflow.value
      && valueType == nil && expectedType == nil
  }

  /// Whether this counts the failures over the limit of a file.
  var hasOtherPaths: Bool {
    kind == .other && codingPath == Overflow.codingPath
      && novelValue == nil && expectedType == nil
  }
}
