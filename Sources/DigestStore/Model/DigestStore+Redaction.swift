import ResilientDecoding

extension DigestStore {
  /// The type of ``Configuration-swift.struct/redact``.
  typealias Redaction = @Sendable (ErrorDigest.Entry) -> ErrorDigest.Entry?

  /// Returns an imported digest with each error passed through `redact`.
  func redacted(_ record: DigestRecord) -> DigestRecord {
    configuration.redact.map { record.redacted(by: $0) } ?? record
  }
}
