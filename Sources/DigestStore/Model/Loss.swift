public import ResilientPlatform

extension DigestStore {
  /// The digests and errors that a store lost in one hour, for one reason.
  public struct Loss: Sendable, Hashable, Codable {
    /// The reason.
    public let reason: Reason
    /// The beginning of the hour, in UTC.
    public let hour: Date
    /// The number of digests. For ``Reason-swift.struct/redacted``, the number of digests that lost
    /// some errors.
    public let digests: Int
    /// The number of errors in them.
    public let occurrences: Int
    /// More information, such as the name of a quarantined file.
    public let note: String?

    /// The reason for a loss: one of the constants, or one that a later version adds.
    public struct Reason: RawRepresentable, ExpressibleByStringLiteral, CustomStringConvertible,
      Sendable, Hashable, Codable
    {
      /// The reason as the view `losses` has it.
      public let rawValue: String

      /// Makes a reason, for example to compare with one of a later version.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// Makes a reason from a literal.
      public init(stringLiteral rawValue: String) { self.rawValue = rawValue }

      /// The raw value.
      public var description: String { rawValue }

      /// The disk was full, the file not writable, or locked until the store was closed. No report
      /// counts these errors.
      public static let failedWrite: Self = "failed write"
      /// More digests waited to be written than may be kept in memory. No report counts these
      /// errors.
      public static let overflow: Self = "overflow"
      /// The digests were too old or the file too large. The digests are deleted, but every report
      /// still counts them.
      public static let evicted: Self = "evicted"
      /// The file was too large. The counts of the day are deleted; only reports on all time
      /// include them.
      public static let undated: Self = "undated"
      /// The file was damaged and renamed to the name in ``note``. No
      /// report counts its contents.
      public static let quarantined: Self = "quarantined"
      /// Someone moved, deleted or replaced the file. Reports on the moved file still count its
      /// contents.
      public static let movedAway: Self = "moved away"
      /// The file was too large. The counts of the release in ``note`` are deleted; only the counts
      /// of all releases include them.
      public static let unattributed: Self = "unattributed"
      /// Folding, eviction or a checkpoint failed with the error in ``note``. No digest is lost, and
      /// reports count all of them.
      public static let failedMaintenance: Self = "failed maintenance"
      /// The digests were deleted before they were uploaded. In the app's store, every report still
      /// counts them; in the collector, none does, and the number of errors is not known.
      public static let notSent: Self = "not sent"
      /// The app's `redact` closure removed the errors. No report counts them.
      public static let redacted: Self = "redacted"
    }
  }
}
