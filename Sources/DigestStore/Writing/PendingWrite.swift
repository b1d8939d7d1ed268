import ResilientDecoding

/// A digest on its way into the file.
// Sendable: what changes is only touched under the lock of the queue that it is in.
final class PendingWrite: @unchecked Sendable {
  enum Outcome {
    case written
    case failed(any Error)
  }

  let record: DigestRecord

  /// What it will be written as, if that is known already.
  let encoded: EncodedDigest?

  /// The digest that the record was made of, for `onWriteFailure`.
  let digest: ErrorDigest

  /// Whether a thread waits for the outcome; otherwise whoever writes it tells of a failure.
  var hasWaiter = false

  /// Nil until it has been tried.
  var outcome: Outcome?

  init(_ record: DigestRecord, as encoded: EncodedDigest?, of digest: ErrorDigest) {
    self.record = record
    self.encoded = encoded
    self.digest = digest
  }

  /// About how much memory it takes, in bytes.
  var bytes: Int {
    record.entries.reduce(256) { $0 + $1.bytes }
      + record.omissions.reduce(0) { $0 + $1.failure.bytes }
  }
}

extension FailureRecord {
  /// About how much memory it takes, with the entry that it was made of.
  fileprivate var bytes: Int {
    let texts = [expectedType, novelValue, message, found?.text]
    let keys = path.components.reduce(0) { $0 + ($1.key?.utf8.count ?? 0) + 32 }
    return texts.reduce(512 + keys) { $0 + ($1?.utf8.count ?? 0) }
  }
}
