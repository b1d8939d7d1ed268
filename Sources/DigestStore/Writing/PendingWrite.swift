import ResilientDecoding

/// Why a digest is not in the file.
struct WriteError {
  let error: DigestStoreError

  /// Whether the digest waits for a busy file. Otherwise it is lost.
  let isKept: Bool
}

/// A digest that waits to be written.
// Sendable: the variables are only touched under the lock of the queue that holds the digest.
final class PendingWrite: @unchecked Sendable {
  /// Who waits for a digest.
  enum Waiter {
    case thread

    /// Nobody, so the writing thread reports an error. The value is what a thread has reported or
    /// is about to.
    case none(reported: WriteError?)
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
}

extension RecordedError {
  /// The approximate memory use, in bytes, including the entry that the record was made from.
  fileprivate var bytes: Int {
    let texts = [expectedType, novelValue, message, found?.text]
    let keys = path.components.reduce(0) { $0 + ($1.key?.utf8.count ?? 0) + 32 }
    return texts.reduce(512 + keys) { $0 + ($1?.utf8.count ?? 0) }
  }
}
