package import ResilientDecoding
import ResilientPlatform

/// A failure of a model as texts: its identity, and its sample.
package struct StoredFailure: Sendable {
  /// The pattern, such as `items[].kind`.
  package let codingPath: String

  /// The raw value of an `ErrorDigest.Kind`.
  package let kind: String
  package let expectedType: String?
  package let novelValue: String?
  package let valueType: String?

  /// The sample. Not part of the identity, unless it is what a whole body is instead of JSON.
  package let foundType: String?
  package let foundValue: String?
}

extension StoredFailure {
  /// The columns of `failure AS f` that ``init(_:at:)`` reads.
  static let columns = """
    f.coding_path, f.kind, f.expected_type, f.novel_value, f.value_type, f.found_type, f.found_value
    """

  /// The columns of `failure AS f` that sort the failures of a model.
  static let order = """
    f.coding_path, f.novel_value NULLS FIRST, f.kind, f.expected_type NULLS FIRST, \
    f.value_type NULLS FIRST, f.found_type NULLS FIRST
    """

  /// The number of ``columns``.
  static let columnCount: Int32 = 7

  init(_ row: borrowing some Row & ~Copyable, at first: Int32 = 0) {
    self.init(
      codingPath: row.text(at: first) ?? "", kind: row.text(at: first + 1) ?? "",
      expectedType: row.text(at: first + 2), novelValue: row.text(at: first + 3),
      valueType: row.text(at: first + 4), foundType: row.text(at: first + 5),
      foundValue: row.text(at: first + 6))
  }
}

extension StoredFailure {
  /// The SQL condition that a column has what a whole body is instead of JSON. That is part of the
  /// identity, and stays where a sample is deleted.
  package static func isOfBody(_ column: String) -> String {
    let bodies = ErrorDigest.FoundValue.ValueType.allCases.filter(\.isOfBody)
    return "\(column) IN (\(bodies.map { "'\($0.rawValue)'" }.joined(separator: ", ")))"
  }

  /// The SQL assignments that delete the sample of `failure`.
  package static let withoutSample = """
    message = NULL, found_type = CASE WHEN \(isOfBody("found_type")) THEN found_type END, \
    found_value = NULL, sampled_at = NULL
    """
}

extension ErrorDigest.Kind {
  /// The kind of a stored failure; `other` for one of a later version.
  init(stored text: String) { self = Self(rawValue: text) ?? .other }
}

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

/// Identifies a failure in all stores: 16 bytes of a hash.
///
/// A novel value at a path is one failure, whatever the kind of the error and its expected type. So
/// a digest that has the value under two expected types counts once. A conversion, which is no
/// error, is another failure. So is each kind of body that isn't JSON.
package struct FailureKey: Hashable, Sendable {
  let bytes: [UInt8]

  /// - Parameters:
  ///   - model: the name of the model.
  ///   - pattern: the pattern of the failure's path.
  ///   - record: an error, with its texts cut.
  init(model: String, pattern: String, _ record: RecordedError) {
    self.init(
      model: model, pattern: pattern, kind: record.kind, expectedType: record.expectedType,
      novelValue: record.novelValue, valueType: record.valueType, body: record.body)
  }

  init(
    model: String, pattern: String, kind: ErrorDigest.Kind, expectedType: String?,
    novelValue: String?, valueType: String?, body: ErrorDigest.FoundValue.ValueType?
  ) {
    let identity: [String?] =
      novelValue == nil
      ? [kind.rawValue, expectedType] + (body.map { [$0.rawValue] } ?? [])
      : [ErrorKinds.others.contains(kind) ? kind.rawValue : nil, novelValue, valueType]
    // The length before each text, so that no two identities have the same bytes.
    var message: [UInt8] = []
    for text in [model, pattern] + identity {
      guard let text else {
        message.append(0)
        continue
      }
      message.append(1)
      withUnsafeBytes(of: UInt32(text.utf8.count).littleEndian) { message.append(contentsOf: $0) }
      message.append(contentsOf: text.utf8)
    }
    bytes = Array(SHA256.digest(message).prefix(16))
  }

  /// - Parameter foundType: the type of a sample, which identifies the failure if it is that of a body.
  init(
    model: String, pattern: String, kind: ErrorDigest.Kind, expectedType: String?,
    novelValue: String?, valueType: String?, foundType: ErrorDigest.FoundValue.ValueType?
  ) {
    self.init(
      model: model, pattern: pattern, kind: kind, expectedType: expectedType,
      novelValue: novelValue, valueType: valueType,
      body: novelValue == nil && foundType?.isOfBody == true ? foundType : nil)
  }

  var value: SQLValue { .blob(bytes) }

  /// The first hexadecimal digits, by which a person names a failure. A letter takes the place of the
  /// first one, so that no spreadsheet reads a number, such as 00123456 or 1234e567.
  var short: String {
    let letters = Array("ghjkmnpqrsabcdef")
    let digits = Array(bytes.prefix(Self.shortCount / 2)).hexadecimal
    return String(letters[Int(bytes[0] >> 4)]) + digits.dropFirst()
  }

  /// The whole key in hexadecimal digits.
  package var text: String { bytes.hexadecimal }

  /// The number of characters in ``short``.
  static let shortCount = 8
}

extension StoredFailure {
  /// The key of the failure, as far as its names are those of this version.
  func key(ofModel model: String) -> FailureKey {
    let type = foundType.flatMap(ErrorDigest.FoundValue.ValueType.init)
    return FailureKey(
      model: model, pattern: codingPath, kind: ErrorDigest.Kind(stored: kind),
      expectedType: expectedType, novelValue: novelValue, valueType: valueType, foundType: type)
  }
}

/// The kinds of occurrences that are errors: all but conversions and reports on keys.
///
/// Only errors count in rates, and in reports that name no kind.
package enum ErrorKinds {
  /// The kinds of occurrences that aren't errors.
  package static let others: [ErrorDigest.Kind] = [.converted, .missingKey, .unknownKey]

  /// The SQL condition that a column has the kind of an error.
  package static func condition(_ column: String) -> String {
    "\(column) NOT IN (\(others.map { "'\($0.rawValue)'" }.joined(separator: ", ")))"
  }
}
