#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a store could not keep in one hour, for one reason.
public struct Loss: Sendable, Hashable {
  /// Why: the text of one of the reasons below, or of one that a later version knows.
  public let reason: String
  /// The beginning of the hour, in UTC.
  public let hour: Date
  /// How many digests; of ``redacted`` those that have lost something.
  public let digests: Int
  /// How many errors they had.
  public let occurrences: Int
  /// What else is known of it, such as the name of a file that was set aside.
  public let note: String?
}

extension Loss {
  /// The disk was full, the file locked or broken; not counted anywhere else.
  public static let failedWrite = PendingLosses.Reason.failedWrite.rawValue
  /// More was handed over than could be written in time; not counted anywhere else.
  public static let overflow = PendingLosses.Reason.overflow.rawValue
  /// Too old, or the file too large: the digests are gone, and every report still counts them.
  public static let evicted = PendingLosses.Reason.evicted.rawValue
  /// The file too large: the day's counts are gone, and only reports on all time have them.
  public static let undated = PendingLosses.Reason.undated.rawValue
  /// The file was broken and set aside under the name in ``note``, with as many digests as could
  /// still be told; none of them is counted any more.
  public static let quarantined = PendingLosses.Reason.quarantined.rawValue
  /// Someone has moved, deleted or replaced the file; what was in it is counted wherever it is now.
  public static let movedAway = PendingLosses.Reason.movedAway.rawValue
  /// A process that writes in the background ended without closing the store, and lost the digests
  /// that waited in its memory. Nobody knows how many: the numbers are 0.
  public static let notClosed = PendingLosses.Reason.notClosed.rawValue
  /// The app did not want it to be written; not counted anywhere else.
  public static let redacted = PendingLosses.Reason.redacted.rawValue
}

extension DigestStore {
  /// Tells what is missing in the counts, the oldest first: the file knows what it does not have.
  ///
  /// What is counted in memory is entered with the next digest that is written, or when the store is
  /// closed; until then no report knows of it.
  ///
  /// - Parameter filter: only its window counts; an hour that is partly in it counts as a whole.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func losses(matching filter: DigestFilter = DigestFilter()) throws -> [Loss] {
    try read { try $0.losses(matching: filter) }
  }

}

extension Connection {
  /// Reads the losses in a filter's window, the oldest first.
  func losses(matching filter: DigestFilter) throws -> [Loss] {
    let window = filter.window
    return try rows(
      """
      SELECT reason, hour, digests, occurrences, note FROM loss
      WHERE hour >= max(0, :first - iif(reason = 'undated', 23, 0)) AND hour <= min(:last, \(Moment.latest.hour))
      ORDER BY hour, reason
      """,
      [
        ":first": .integer(window.since?.hour ?? 0),
        ":last": .integer(window.until.map { ($0.milliseconds - 1) / Moment.hour } ?? .max),
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
  }
}
