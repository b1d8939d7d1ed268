import ResilientDecoding

extension DigestStore {
  /// What ``Configuration-swift.struct/redact`` is.
  typealias Redaction = @Sendable (ErrorDigest.Entry) -> ErrorDigest.Entry?

  /// The store to which this task imports just now, and whose lock it thus holds.
  @TaskLocal private static var importing: ObjectIdentifier?

  /// A digest that is imported, as `redact` wants it to be written.
  ///
  /// An import is one transaction however long it is, so that `redact` runs in the middle of it.
  func redacted(_ record: DigestRecord) -> DigestRecord {
    guard let redact = configuration.redact else { return record }
    return Self.$importing.withValue(ObjectIdentifier(self)) { record.redacted(by: redact) }
  }

  /// Refuses to wait for a lock that this task holds itself.
  func checkIsNotImporting() throws {
    guard Self.importing == ObjectIdentifier(self) else { return }
    throw DigestStoreError(
      .busy,
      "\(path): redact records into the store to which it sees an import; let it record elsewhere"
    )
  }
}
