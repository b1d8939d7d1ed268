import ResilientDecoding

/// A digest that waits to be written.
// Sendable: variables are only touched under the lock of the queue that holds the digest.
final class PendingWrite: @unchecked Sendable {
  let record: DigestRecord

  /// The digest that the record was made from, for `onWriteFailure`.
  let digest: ErrorDigest

  /// Whether a thread waits for the digest. If not, the writing thread reports a failure.
  var hasWaiter = false

  /// Whether `onWriteFailure` recorded it. If it fails, too, it is counted but not reported, to
  /// avoid an endless loop.
  var isOfReport = false

  /// The failure for the waiting thread to report. A digest that waits for a busy file keeps it, so
  /// that the wait is reported only once.
  var failure: DigestStore.WriteFailure?

  init(_ record: DigestRecord, of digest: ErrorDigest) {
    self.record = record
    self.digest = digest
  }

  /// The approximate memory use, in bytes.
  var bytes: Int {
    record.errors.reduce(256) { $0 + $1.bytes }
  }

  /// The failure to report for a lost digest; nil for one that is not reported.
  func failure(_ error: DigestStoreError) -> DigestStore.WriteFailure? {
    isOfReport
      ? nil
      : DigestStore.WriteFailure(error: error, isKept: false, model: record.model, digest: digest)
  }

  /// The failure to report for a digest that waits for a busy file; nil for one that is not
  /// reported.
  func failure(keptAfter error: DigestStoreError) -> DigestStore.WriteFailure? {
    isOfReport
      ? nil
      : DigestStore.WriteFailure(
        error: error.ofKeptDigest, isKept: true, model: record.model, digest: digest)
  }
}

extension DigestStoreError {
  /// The error of a busy file, with what the store does for the digest in place of a remedy.
  fileprivate var ofKeptDigest: Self {
    let remedy = "; try again"
    let reason = description.dropLast(description.hasSuffix(remedy) ? remedy.count : 0)
    return Self(
      code, "\(reason); the digest is not in the file yet, but the store keeps it and tries again")
  }
}

extension RecordedError {
  /// The approximate memory use, in bytes, including the entry that the record was made from.
  fileprivate var bytes: Int {
    let texts = [expectedType, novelValue, message, found?.text]
    let keys = path.components.reduce(0) { $0 + ($1.key?.utf8.count ?? 0) + 32 }
    return texts.reduce(512 + keys) { $0 + ($1?.utf8.count ?? 0) }
  }
}
