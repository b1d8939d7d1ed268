import ResilientDecoding

/// An error to be written.
struct RecordedError {
  /// The exact path, or the pattern of errors that are only counted.
  var path: ErrorDigest.Path
  var kind: ErrorDigest.Kind
  var expectedType: String?
  var novelValue: String?
  var valueType: String?
  var message: String?

  /// The found value. Not part of the failure's identity, unless it is a whole body.
  var found: ErrorDigest.FoundValue?

  /// How often it occurred: more than once only for errors that are only counted.
  var times = 1
}

extension RecordedError {
  /// The type of a body that is not JSON, such as `html`; nil for any other failure.
  var body: ErrorDigest.FoundValue.ValueType? {
    guard novelValue == nil, let type = found?.type, type.isOfBody else { return nil }
    return type
  }

  /// Makes a record from an entry; nil if `redact` removes it.
  init?(_ entry: ErrorDigest.Entry, redactedBy redact: DigestStore.Redaction?) {
    var entry = entry
    if let redact {
      guard var redacted = redact(entry) else { return nil }
      // The type of a body is part of the failure's identity, and contains no text of the payload.
      if let body = entry.failure.body, redacted.foundValue == nil {
        redacted.foundValue = ErrorDigest.FoundValue(type: body, text: nil)
      }
      entry = redacted
    }
    self.init(
      path: entry.codingPath.withoutNegativeIndices,
      kind: entry.kind,
      expectedType: entry.expectedType,
      novelValue: entry.novelValue?.text,
      valueType: entry.novelValue?.type,
      message: entry.message,
      found: entry.foundValue?.withoutTextOfContainer
    )
  }

  /// Returns the error as changed by `redact`; nil if `redact` removes it.
  func redacted(by redact: @escaping DigestStore.Redaction) -> Self? {
    let novelValue = novelValue.map { ErrorDigest.NovelValue(text: $0, type: valueType ?? "") }
    let entry = ErrorDigest.Entry(
      codingPath: path, kind: kind, expectedType: expectedType, novelValue: novelValue,
      foundValue: found, message: message ?? "")
    guard var record = Self(entry, redactedBy: redact) else { return nil }
    // An error without a message or value type still has none.
    if message == nil, record.message?.isEmpty == true { record.message = nil }
    if valueType == nil, record.valueType?.isEmpty == true { record.valueType = nil }
    if times > 1 { record.count(times) }
    return record
  }

  /// Makes the error one of those that are only counted: at the pattern of its path.
  mutating func count(_ times: Int) {
    path = path.generalized
    self.times = times
  }

  /// Returns the error with all texts cut to a limit, and without NULs where the file cannot store
  /// them.
  func cut(to limit: ValueLimit) -> Self {
    Self(
      path: path.cut(to: limit),
      kind: kind,
      expectedType: expectedType.map(limit.cut),
      novelValue: novelValue.map(limit.cut),
      valueType: valueType.map(limit.cut),
      message: message.map { limit.cut($0.withoutNUL) },
      found: found.map { found in
        let isNovelValue = found.text.map(BinaryString.init) == novelValue.map(BinaryString.init)
        return ErrorDigest.FoundValue(
          type: found.type,
          text: found.text.map { limit.cut(isNovelValue ? $0 : $0.withoutNUL) }
        )
      },
      times: times
    )
  }
}

extension String {
  /// The text with the symbol ␀ for each NUL, because SQLite's JSON functions would end it there.
  var withoutNUL: String { replacingScalars("\0", with: "\u{2400}") }
}

extension ErrorDigest.Path {
  /// The path with an unknown index in the place of each negative one, which the file cannot store.
  fileprivate var withoutNegativeIndices: Self {
    func isNegative(_ component: Component) -> Bool {
      if case .index(..<0) = component { true } else { false }
    }
    guard components.contains(where: isNegative) else { return self }
    return Self(components.map { isNegative($0) ? .anyIndex : $0 })
  }
}

extension ErrorDigest.FoundValue {
  /// The found value without a text that its type cannot have.
  fileprivate var withoutTextOfContainer: Self {
    type.mayHaveText ? self : Self(type: type, text: nil)
  }
}
