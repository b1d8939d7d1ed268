import ResilientDecoding

/// A digest to be written, recorded here or imported.
struct DigestRecord {
  /// The largest number of errors of one digest.
  static let maximumCount = 100_000_000

  /// The id of an imported digest.
  var id: String?
  var recordedAt: Moment
  var model: String
  var release: String?

  /// The errors in their order.
  var entries: [FailureRecord]

  /// The errors that are only counted, by failure.
  var omissions: [(failure: FailureRecord, count: Int)]

  /// The number of additional errors, which `redact` removed.
  var redacted = 0

  /// The number of errors to be written.
  var occurrences: Int {
    entries.count.adding(count: omissions.sum(of: \.count))
  }
}

extension DigestRecord {
  init(
    _ digest: ErrorDigest,
    model: String,
    release: String?,
    at moment: Moment,
    redact: DigestStore.Redaction? = nil
  ) {
    self.init(recordedAt: moment, model: model, release: release, entries: [], omissions: [])
    entries.reserveCapacity(digest.entries.count)
    for entry in digest.entries {
      add(FailureRecord(entry, redactedBy: redact))
    }
    for omission in digest.omissions where omission.count > 0 {
      add(
        FailureRecord(ErrorDigest.Entry(omission), redactedBy: redact),
        count: min(omission.count, DigestRecord.maximumCount))
    }
  }

  /// Returns the digest with each error passed through `redact`.
  func redacted(by redact: @escaping DigestStore.Redaction) -> Self {
    var record = self
    record.entries = []
    record.omissions = []
    for failure in entries {
      record.add(failure.redacted(by: redact))
    }
    for (failure, count) in omissions {
      record.add(failure.redacted(by: redact), count: count)
    }
    return record
  }

  /// Adds an error, or counts it as redacted.
  private mutating func add(_ entry: FailureRecord?) {
    guard let entry else {
      redacted += 1
      return
    }
    entries.append(entry)
  }

  /// Adds counted errors, or counts them as redacted.
  private mutating func add(_ failure: FailureRecord?, count: Int) {
    guard var failure else {
      redacted = redacted.adding(count: count)
      return
    }
    failure.path = failure.path.generalized
    omissions.append((failure, count))
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
