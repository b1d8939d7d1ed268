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
    redact: DigestStore.Redaction? = nil
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
  func redacted(by redact: @escaping DigestStore.Redaction) -> Self {
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

extension DigestStore {
  /// The type of ``Configuration-swift.struct/redact``.
  typealias Redaction = @Sendable (ErrorDigest.Entry) -> ErrorDigest.Entry?

  /// Returns an imported digest with each error passed through `redact`.
  func redacted(_ record: DigestRecord) -> DigestRecord {
    configuration.redact.map { record.redacted(by: $0) } ?? record
  }
}
