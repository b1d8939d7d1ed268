import ResilientDecoding

extension NovelValueCount {
  /// Whether this stands for the values that were too many to be told apart.
  ///
  /// They are counted exactly, all in one row: see ``DigestStore/limitsHit(matching:)``.
  public var isOverflow: Bool {
    novelValue == Overflow.value && valueType == nil || model == Overflow.model
  }

  /// Whether the value was longer than a store keeps, and this is its beginning with a mark.
  ///
  /// Whoever sends a text with such a mark makes it look like one that was cut.
  public var isCut: Bool { ValueLimit.hasCut(novelValue) }
}

extension ModelCount {
  /// Whether this stands for the models that were too many to be told apart.
  ///
  /// They are counted exactly, all in one row: see ``DigestStore/limitsHit(matching:)``.
  public var isOverflow: Bool { model == Overflow.model }
}

extension FailureCount {
  /// Whether this stands for what was too much to be told apart: values, paths or models.
  ///
  /// They are counted exactly, all in one row: see ``DigestStore/limitsHit(matching:)``.
  public var isOverflow: Bool {
    hasOtherValues || hasOtherPaths || model == Overflow.model
  }

  /// Whether its novel value stands for many.
  var hasOtherValues: Bool {
    kind == ErrorDigest.Kind.unknownNovelValue.rawValue && novelValue == Overflow.value
      && valueType == nil && expectedType == nil
  }

  /// Whether its path stands for many.
  var hasOtherPaths: Bool {
    kind == ErrorDigest.Kind.other.rawValue && codingPath == Overflow.codingPath
      && novelValue == nil && expectedType == nil
  }
}
