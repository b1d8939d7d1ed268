import ResilientDecoding
import ResilientPlatform

/// Counts losses in memory until a transaction writes them.
///
/// It outlives the connections of a store: if one connection cannot write the losses, the next one
/// does.
final class PendingLosses: Sendable {
  struct LossKey: Hashable {
    let reason: DigestStore.Loss.Reason
    let hour: Int64

    /// More information, such as the name of the quarantined file.
    var note: String?
  }

  struct LossCount: Equatable {
    static let none = Self(digests: 0, occurrences: 0)

    var digests: Int
    var occurrences: Int
  }

  private struct Pending {
    var counts: [LossKey: LossCount] = [:]
    var quarantines: [DigestStore.Quarantine] = []
  }

  private let state = Locked(Pending())

  /// The losses that are not in the file yet.
  var pending: [LossKey: LossCount] { state.withLock { $0.counts } }

  /// Counts a digest that was not written, and separately the errors that `redact` removed from it.
  func count(_ reason: DigestStore.Loss.Reason, of record: DigestRecord) {
    let hour = record.recordedAt.hour
    add(
      LossCount(digests: 1, occurrences: record.occurrences),
      to: LossKey(reason: reason, hour: hour))
    if record.redacted > 0 {
      add(
        LossCount(digests: 1, occurrences: record.redacted),
        to: LossKey(reason: .redacted, hour: hour))
    }
  }

  func add(_ count: LossCount, to key: LossKey) {
    state.withLock { state in
      let known = state.counts[key] ?? .none
      state.counts[key] = LossCount(
        digests: known.digests.adding(count: count.digests),
        occurrences: known.occurrences.adding(count: count.occurrences))
    }
  }

  /// Remembers a quarantined file until ``takeQuarantines()``.
  func add(_ quarantine: DigestStore.Quarantine) {
    state.withLock { $0.quarantines.append(quarantine) }
  }

  /// Removes and returns the quarantined files.
  func takeQuarantines() -> [DigestStore.Quarantine] {
    state.withLock { state in
      defer { state.quarantines = [] }
      return state.quarantines
    }
  }

  /// Subtracts the losses that a committed transaction wrote. More may have been counted meanwhile.
  func remove(_ written: [LossKey: LossCount]) {
    guard !written.isEmpty else { return }
    state.withLock { state in
      for (key, count) in written {
        guard let known = state.counts[key] else { continue }
        let rest = LossCount(
          digests: known.digests - count.digests,
          occurrences: known.occurrences - count.occurrences)
        state.counts[key] = rest == .none ? nil : rest
      }
    }
  }
}

/// Adds losses to the table `loss`.
final class LossTable {
  /// The longest note, in bytes.
  private static let noteLimit = ValueLimit(512)

  private let add: Statement

  init(_ connection: Connection) throws {
    add = try Statement(
      connection,
      """
      INSERT INTO loss (reason, hour, digests, occurrences, note) VALUES (?, ?, ?, ?, ?)
      \(Fold.adding("digests", "occurrences")), note = ifnull(excluded.note, note)
      """)
  }

  /// Adds a loss, inside a transaction.
  func add(_ count: PendingLosses.LossCount, to key: PendingLosses.LossKey) throws {
    try add.run([
      .text(key.reason.rawValue), .integer(key.hour), .integer(Int64(count.digests)),
      .integer(Int64(count.occurrences)), SQLValue(key.note.map(Self.noteLimit.cut)),
    ])
  }
}
