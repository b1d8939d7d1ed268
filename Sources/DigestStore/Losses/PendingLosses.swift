import ResilientDecoding

/// Counts what could not be kept, until a transaction writes it.
///
/// It outlives the connections of a store: what one could not write, the next one does.
final class PendingLosses: Sendable {
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

    /// A process that writes in the background ended without closing the store.
    case notClosed = "not closed"

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
    static let none = Self(digests: 0, occurrences: 0)

    var digests: Int
    var occurrences: Int
  }

  private struct State {
    var counts: [Key: Count] = [:]
    var quarantines: [DigestStore.Quarantine] = []
  }

  private let state = Locked(State())

  /// What has been counted that the file does not say yet.
  var pending: [Key: Count] { state.withLock { $0.counts } }

  /// Counts a digest that was not written, and what of it would not have been anyway.
  func count(_ reason: Reason, of record: DigestRecord) {
    let hour = record.recordedAt.hour
    add(Count(digests: 1, occurrences: record.occurrences), to: Key(reason: reason, hour: hour))
    if record.redacted > 0 {
      add(Count(digests: 1, occurrences: record.redacted), to: Key(reason: .redacted, hour: hour))
    }
  }

  func add(_ count: Count, to key: Key) {
    state.withLock { state in
      let known = state.counts[key] ?? .none
      state.counts[key] = Count(
        digests: known.digests.adding(count: count.digests),
        occurrences: known.occurrences.adding(count: count.occurrences))
    }
  }

  /// Remembers a file that was set aside, until ``takeQuarantines()``.
  func add(_ quarantine: DigestStore.Quarantine) {
    state.withLock { $0.quarantines.append(quarantine) }
  }

  /// Removes and returns the files that were set aside.
  func takeQuarantines() -> [DigestStore.Quarantine] {
    state.withLock { state in
      defer { state.quarantines = [] }
      return state.quarantines
    }
  }

  /// Keeps others from counting around a fork.
  func beginFork() {
    state.lock { _ in }
  }

  /// Goes on; what was counted is the parent's to write.
  func endFork(inChild isChild: Bool) {
    state.unlock { if isChild { $0 = State() } }
  }

  /// Subtracts what a committed transaction has written; more may have been counted since.
  func remove(_ written: [Key: Count]) {
    guard !written.isEmpty else { return }
    state.withLock { state in
      for (key, count) in written {
        guard let known = state.counts[key] else { continue }
        let rest = Count(
          digests: known.digests - count.digests,
          occurrences: known.occurrences - count.occurrences)
        state.counts[key] = rest == .none ? nil : rest
      }
    }
  }
}
