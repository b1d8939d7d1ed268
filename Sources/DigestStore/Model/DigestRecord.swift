import ResilientDecoding

/// A digest to be written, recorded here or imported.
struct DigestRecord {
  /// The largest number of errors that one element of a digest counts.
  static let maximumCount = 100_000_000

  /// The id of an imported digest. A digest recorded here has none.
  var id: DigestID?
  var recordedAt: Moment
  var model: String
  var context: DigestContext

  /// The errors in their order. Those that are only counted come last.
  var errors: [RecordedError]

  /// The number of additional errors, which `redact` removed.
  var redacted = 0

  /// The number of errors to be written.
  var occurrences: Int { errors.sum(of: \.times) }
}

extension DigestRecord {
  init(
    _ digest: ErrorDigest,
    model: String,
    context: DigestContext,
    at moment: Moment,
    redact: Redaction? = nil
  ) {
    self.init(recordedAt: moment, model: model, context: context, errors: [])
    errors.reserveCapacity(digest.entries.count)
    for entry in digest.entries {
      add(RecordedError(entry, redactedBy: redact), times: 1)
    }
    for omission in digest.omissions where omission.count > 0 {
      let times = min(omission.count, DigestRecord.maximumCount)
      var error = RecordedError(ErrorDigest.Entry(omission), redactedBy: redact)
      error?.count(times)
      add(error, times: times)
    }
  }

  /// Returns the digest with each error passed through `redact`.
  func redacted(by redact: @escaping Redaction) -> Self {
    var record = self
    record.errors = []
    for error in errors {
      record.add(error.redacted(by: redact), times: error.times)
    }
    return record
  }

  /// Adds an error, or counts it as redacted.
  private mutating func add(_ error: RecordedError?, times: Int) {
    guard let error else {
      redacted = redacted.adding(count: times)
      return
    }
    errors.append(error)
  }
}

/// The type of a configuration's `redact`.
typealias Redaction = @Sendable (ErrorDigest.Entry) -> ErrorDigest.Entry?

/// An error to be written.
struct RecordedError {
  /// The exact path, or the pattern of errors that are only counted.
  var path: ErrorDigest.Path
  var kind: ErrorDigest.Kind
  var expectedType: String?
  var novelValue: String?
  var valueType: String?
  var message: String?

  /// The type that does not have the novel value, if known.
  var typeWithoutNovelValue: Any.Type?

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
  init?(_ entry: ErrorDigest.Entry, redactedBy redact: Redaction?) {
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
      typeWithoutNovelValue: entry.typeWithoutNovelValue,
      found: entry.foundValue?.withoutTextOfContainer
    )
  }

  /// Returns the error as changed by `redact`; nil if `redact` removes it.
  func redacted(by redact: @escaping Redaction) -> Self? {
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
      typeWithoutNovelValue: typeWithoutNovelValue,
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
