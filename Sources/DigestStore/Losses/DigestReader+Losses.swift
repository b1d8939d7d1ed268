public import ResilientPlatform

/// The digests and errors that a store lost in one hour, for one reason.
public struct Loss: Sendable, Hashable {
  /// The reason: one of the constants below, or one that a later version adds.
  public let reason: String
  /// The beginning of the hour, in UTC.
  public let hour: Date
  /// The number of digests. For ``redacted``, the number of digests that lost some errors.
  public let digests: Int
  /// The number of errors in them.
  public let occurrences: Int
  /// More information, such as the name of a quarantined file.
  public let note: String?
}

extension Loss {
  /// The disk was full, or the file locked or damaged. No report counts these errors.
  public static let failedWrite = PendingLosses.Reason.failedWrite.rawValue
  /// More digests waited to be written than may be kept in memory. No report counts these errors.
  public static let overflow = PendingLosses.Reason.overflow.rawValue
  /// The digests were too old or the file too large. The digests are deleted, but every report
  /// still counts them.
  public static let evicted = PendingLosses.Reason.evicted.rawValue
  /// The file was too large. The counts of the day are deleted; only reports on all time include
  /// them.
  public static let undated = PendingLosses.Reason.undated.rawValue
  /// The file was damaged and renamed to the name in ``note``. The numbers are the digests and
  /// errors that could still be read in it. No report counts them.
  public static let quarantined = PendingLosses.Reason.quarantined.rawValue
  /// Someone moved, deleted or replaced the file. Reports on the moved file still count its
  /// contents.
  public static let movedAway = PendingLosses.Reason.movedAway.rawValue
  /// A process that writes in the background ended without closing the store, and lost the digests
  /// waiting in its memory. Their number is unknown, so both numbers are 0.
  public static let notClosed = PendingLosses.Reason.notClosed.rawValue
  /// The app's `redact` closure removed the errors. No report counts them.
  public static let redacted = PendingLosses.Reason.redacted.rawValue
}

extension DigestReader {
  /// Returns the losses recorded in the file, oldest first.
  ///
  /// A store counts new losses in memory, and writes them with the next digest or when it closes;
  /// until then no report includes them.
  ///
  /// - Parameter filter: only its window is used. An hour that is partly in it counts as a whole.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func losses(matching filter: DigestFilter = DigestFilter()) throws -> [Loss] {
    try read { try $0.losses(matching: filter) }
  }

}

extension Connection {
  /// Reads the losses in a filter's window, the oldest first, and those of processes that have ended
  /// and that no writer has found yet.
  func losses(matching filter: DigestFilter) throws -> [Loss] {
    let window = filter.window
    let (first, last) = (
      window.since?.hour ?? 0, window.until.map { ($0.milliseconds - 1) / Moment.hour } ?? .max
    )
    let ended = try Set(endedProcesses().map(\.hour)).filter { first <= $0 && $0 <= last }
      .map { hour in
        Loss(
          reason: Loss.notClosed, hour: Moment(milliseconds: hour * Moment.hour).date, digests: 0,
          occurrences: 0, note: nil)
      }
    let losses = try rows(
      """
      SELECT reason, hour, digests, occurrences, note FROM loss
      WHERE hour >= max(0, :first - iif(reason = 'undated', 23, 0)) AND hour <= min(:last, \(Moment.latest.hour))
      ORDER BY hour, reason
      """,
      [
        ":first": .integer(first), ":last": .integer(last),
      ]
    ) { row in
      Loss(
        reason: row.text(at: 0) ?? "",
        hour: Moment(milliseconds: row.integer(at: 1) * Moment.hour).date,
        digests: Int(clamping: row.count(at: 2)),
        occurrences: Int(clamping: row.count(at: 3)),
        note: row.text(at: 4)
      )
    }
    let found = ended.filter { !losses.contains($0) }
    return found.isEmpty
      ? losses : (losses + found).sorted { ($0.hour, $0.reason) < ($1.hour, $1.reason) }
  }
}
