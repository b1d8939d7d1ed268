import ResilientDecoding

/// A digest on its way into the file, recorded here or imported.
struct DigestRecord {
  /// The id under which it came from elsewhere.
  var id: String?
  var recordedAt: Moment
  var model: String
  var release: String?

  /// Its errors in their order.
  var entries: [FailureRecord]

  /// What was only counted.
  var omissions: [(failure: FailureRecord, count: Int)]

  /// How many errors it had besides, which are not to be written.
  var redacted = 0

  /// How many errors are to be written.
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
    for entry in digest.entries {
      add(FailureRecord(entry, redactedBy: redact))
    }
    for omission in digest.omissions {
      add(FailureRecord(ErrorDigest.Entry(omission), redactedBy: redact), count: omission.count)
    }
  }

  /// The digest as `redact` wants it to be written.
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

  /// Adds an error, unless it is not to be written.
  private mutating func add(_ entry: FailureRecord?) {
    guard let entry else {
      redacted += 1
      return
    }
    entries.append(entry)
  }

  /// Adds what was only counted, unless it is not to be written.
  private mutating func add(_ failure: FailureRecord?, count: Int) {
    guard var failure else {
      redacted += count
      return
    }
    failure.path = failure.path.generalized
    omissions.append((failure, count))
  }
}
