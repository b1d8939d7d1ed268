import ResilientDecoding

/// A digest that waits to be written.
// Sendable: the variables are only touched under the lock of the queue that holds the digest.
final class PendingWrite: @unchecked Sendable {
  /// Who waits for a digest.
  enum Waiter {
    case thread

    /// Nobody, so the writing thread reports a failure. The value is what a thread has reported or
    /// is about to: that the digest waits for a busy file, or that it is lost.
    case none(reported: DigestStore.WriteFailure?)
  }

  /// Whether `onWriteFailure` is running here.
  @TaskLocal static var isReporting = false

  let record: DigestRecord

  /// The digest that the record was made from, for `onWriteFailure`.
  let digest: ErrorDigest

  /// Whether `onWriteFailure` recorded it. If it fails, too, it is counted but not reported, to
  /// avoid an endless loop.
  let isOfReport: Bool

  /// Changed by ``WriteTurns`` alone.
  var waiter = Waiter.none(reported: nil)

  init(_ record: DigestRecord, of digest: ErrorDigest) {
    self.record = record
    self.digest = digest
    isOfReport = Self.isReporting
  }

  /// The approximate memory use, in bytes.
  var bytes: Int { record.errors.reduce(256) { $0 + $1.bytes } }

  var isAwaited: Bool { if case .thread = waiter { true } else { false } }

  /// The failure to report; nil if it is not reported.
  ///
  /// - Parameter isKept: whether the digest waits for a busy file. Otherwise it is lost.
  func failure(_ error: DigestStoreError, isKept: Bool = false) -> DigestStore.WriteFailure? {
    guard !isOfReport else { return nil }
    return DigestStore.WriteFailure(
      error: isKept ? error.ofKeptDigest : error, isKept: isKept, model: record.model,
      digest: digest)
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
