import ResilientDecoding

/// Counts what could not be kept, until a transaction writes it.
///
/// It outlives the connections of a store: what one could not write, the next one does.
final class Ledger: Sendable {
  /// Why something was not kept.
  enum Reason: String {
    /// The disk was full, the file locked or broken.
    case failedWrite = "failed write"

    /// More was handed over than may wait in memory.
    case overflow

    /// It had become too old or the file too large; it is still in the tallies.
    case evicted

    /// The tallies of its day had to go; it is still in those of all time.
    case undated

    /// The file was damaged and has been set aside, with all that was in it.
    case quarantined

    /// Someone else has moved or deleted the file.
    case movedAway = "moved away"

    /// The app did not want it to be written.
    case redacted
  }

  struct Key: Hashable {
    let reason: Reason
    let hour: Int64

    /// Where it can be found.
    var note: String?
  }

  struct Count: Equatable {
    var digests: Int
    var occurrences: Int
  }

  private let counts = Locked<[Key: Count]>([:])

  /// What has been counted that the file does not say yet.
  var pending: [Key: Count] { counts.withLock { $0 } }

  /// Counts a digest that was not written, and what of it would not have been anyway.
  func count(_ reason: Reason, of record: DigestRecord) {
    let hour = record.recordedAt.hour
    add(Count(digests: 1, occurrences: record.occurrences), to: Key(reason: reason, hour: hour))
    if record.redacted > 0 {
      add(Count(digests: 1, occurrences: record.redacted), to: Key(reason: .redacted, hour: hour))
    }
  }

  func add(_ count: Count, to key: Key) {
    counts.withLock { counts in
      let known = counts[key] ?? Count(digests: 0, occurrences: 0)
      counts[key] = Count(
        digests: known.digests + count.digests,
        occurrences: known.occurrences + count.occurrences)
    }
  }

  /// Keeps others from counting around a fork.
  func beginFork() {
    counts.lock { _ in }
  }

  /// Goes on; what was counted is the parent's to write.
  func endFork(inChild isChild: Bool) {
    counts.unlock { if isChild { $0 = [:] } }
  }

  /// Takes off what a committed transaction has written; more may have been counted since.
  func remove(_ written: [Key: Count]) {
    guard !written.isEmpty else { return }
    counts.withLock { counts in
      for (key, count) in written {
        guard let known = counts[key] else { continue }
        let rest = Count(
          digests: known.digests - count.digests,
          occurrences: known.occurrences - count.occurrences)
        counts[key] = rest == Count(digests: 0, occurrences: 0) ? nil : rest
      }
    }
  }
}
