import ResilientDecoding

/// Identifies a failure of a model without making the pattern of its path, for caches.
///
/// An index and an unknown index differ, and so do keys of dictionaries, although their patterns
/// are equal. So a failure may have several identities.
struct FailureIdentity: Hashable {
  private let path: ErrorDigest.Path
  private let kind: ErrorDigest.Kind
  private let expectedType: BinaryString?
  private let novelValue: BinaryString?
  private let valueType: BinaryString?
  private let body: ErrorDigest.FoundValue.ValueType?

  init(_ record: RecordedError) {
    path = record.path
    kind = record.kind
    expectedType = record.expectedType.map(BinaryString.init)
    novelValue = record.novelValue.map(BinaryString.init)
    valueType = record.valueType.map(BinaryString.init)
    body = record.body
  }

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.kind == rhs.kind && lhs.body == rhs.body && lhs.novelValue == rhs.novelValue
      && lhs.expectedType == rhs.expectedType && lhs.valueType == rhs.valueType
      && lhs.path.components.elementsEqual(rhs.path.components) { $0.isAlike($1) }
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(expectedType)
    hasher.combine(novelValue)
    hasher.combine(valueType)
    hasher.combine(path.components.count)
    for component in path.components { component.hashPattern(into: &hasher) }
  }
}

extension RecordedError {
  /// The same failure without keys of dictionaries, which are not part of its identity.
  var withoutDictionaryKeys: Self {
    var record = self
    record.path = ErrorDigest.Path(
      path.components.map { component in
        if case .dictionaryKey = component { .dictionaryKey("") } else { component }
      })
    return record
  }
}

extension ErrorDigest.Path.Component {
  /// Whether both components are equal in a pattern.
  fileprivate func isAlike(_ other: Self) -> Bool {
    switch (self, other) {
    case (.key(let key), .key(let otherKey)): BinaryString(key) == BinaryString(otherKey)
    case (.index, .index), (.dictionaryKey, .dictionaryKey): true
    case (.anyIndex, .anyIndex), (.anyDictionaryKey, .anyDictionaryKey): true
    default: false
    }
  }

  fileprivate func hashPattern(into hasher: inout Hasher) {
    switch self {
    case .key(let key): BinaryString(key).hash(into: &hasher)
    case .index, .anyIndex: hasher.combine(0 as UInt8)
    case .dictionaryKey, .anyDictionaryKey: hasher.combine(1 as UInt8)
    }
  }
}
