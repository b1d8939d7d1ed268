import ResilientDecoding

/// A digest that waits to be written.
// Sendable: variables are only touched under the lock of the queue that holds the digest.
final class PendingWrite: @unchecked Sendable {
  enum Outcome {
    case written
    case failed(any Error)
  }

  let record: DigestRecord

  /// The digest that the record was made from, for `onWriteFailure`.
  let digest: ErrorDigest

  /// Whether a thread waits for the outcome. If not, the writing thread reports a failure.
  var hasWaiter = false

  /// Whether `onWriteFailure` recorded it. If it fails, too, it is counted but not reported, to
  /// avoid an endless loop.
  var isOfReport = false

  /// Nil until the write was attempted.
  var outcome: Outcome?

  init(_ record: DigestRecord, of digest: ErrorDigest) {
    self.record = record
    self.digest = digest
  }

  /// The approximate memory use, in bytes.
  var bytes: Int {
    record.failures.reduce(256) { $0 + $1.bytes }
  }
}

extension FailureRecord {
  /// The approximate memory use, in bytes, including the entry that the record was made from.
  fileprivate var bytes: Int {
    let texts = [expectedType, novelValue, message, found?.text]
    let keys = path.components.reduce(0) { $0 + ($1.key?.utf8.count ?? 0) + 32 }
    return texts.reduce(512 + keys) { $0 + ($1?.utf8.count ?? 0) }
  }
}
