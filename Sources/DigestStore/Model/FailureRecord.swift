import ResilientDecoding

/// One error on its way into the file.
struct FailureRecord {
  /// Exact in an entry, a pattern in an omission.
  var path: ErrorDigest.Path
  var kind: ErrorDigest.Kind
  var expectedType: String?
  var novelValue: String?
  var valueType: String?
  var message: String?

  /// What the payload had in this place: no part of what the failure is.
  var found: ErrorDigest.FoundValue?
}

extension FailureRecord {
  /// What is to be written of an entry; nil when nothing is.
  init?(_ entry: ErrorDigest.Entry, redactedBy redact: DigestStore.Redaction?) {
    var entry = entry
    if let redact {
      guard let redacted = redact(entry) else { return nil }
      entry = redacted
    }
    self.init(
      path: entry.codingPath,
      kind: entry.kind,
      expectedType: entry.expectedType,
      novelValue: entry.novelValue?.text,
      valueType: entry.novelValue?.type,
      message: entry.message,
      found: entry.foundValue
    )
  }

  /// The error as `redact` wants it to be written; nil when it is not to be.
  func redacted(by redact: @escaping DigestStore.Redaction) -> Self? {
    let novelValue = novelValue.map { ErrorDigest.NovelValue(text: $0, type: valueType ?? "") }
    let entry = ErrorDigest.Entry(
      codingPath: path, kind: kind, expectedType: expectedType, novelValue: novelValue,
      foundValue: found, message: message ?? "")
    guard var record = Self(entry, redactedBy: redact) else { return nil }
    // What had no message and no type still has none.
    if message == nil, record.message?.isEmpty == true { record.message = nil }
    if valueType == nil, record.valueType?.isEmpty == true { record.valueType = nil }
    return record
  }

  /// What was found, as the file has it.
  var keptFound: KeptFoundValue? {
    found.map { KeptFoundValue($0, novelValue: novelValue) }
  }

  /// The error with all of its texts cut, and without what the file cannot hold.
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
      }
    )
  }
}

extension String {
  /// The text with a picture for each NUL, at which SQLite's JSON functions would end it.
  fileprivate var withoutNUL: String { replacingScalars("\0", with: "\u{2400}") }
}
