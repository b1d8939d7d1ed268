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

  /// How many errors it tells of.
  var occurrences: Int {
    omissions.reduce(entries.count) { $0 + $1.count }
  }
}

extension DigestRecord {
  init(_ digest: ErrorDigest, model: String, release: String?, at moment: Moment) {
    self.init(
      recordedAt: moment,
      model: model,
      release: release,
      entries: digest.entries.map {
        FailureRecord($0.failure, at: $0.codingPath, $0.message, found: $0.foundValue)
      },
      omissions: digest.omissions.map {
        (FailureRecord($0.failure, at: $0.failure.codingPath, $0.message), $0.count)
      }
    )
  }
}

extension FailureRecord {
  fileprivate init(
    _ failure: ErrorDigest.Failure,
    at path: ErrorDigest.Path,
    _ message: String,
    found: ErrorDigest.FoundValue? = nil
  ) {
    self.init(
      path: path,
      kind: failure.kind,
      expectedType: failure.expectedType,
      novelValue: failure.novelValue?.text,
      valueType: failure.novelValue?.type,
      message: message,
      found: found
    )
  }
}
