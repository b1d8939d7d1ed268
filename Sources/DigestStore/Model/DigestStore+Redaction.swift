import ResilientDecoding

extension DigestStore {
  /// What ``Configuration-swift.struct/redact`` is.
  typealias Redaction = @Sendable (ErrorDigest.Entry) -> ErrorDigest.Entry?

  /// A digest that is imported, as `redact` wants it to be written.
  func redacted(_ record: DigestRecord) -> DigestRecord {
    configuration.redact.map { record.redacted(by: $0) } ?? record
  }
}
