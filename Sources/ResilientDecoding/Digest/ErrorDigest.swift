/// The errors of one decode, as one flush of a reporter returns them.
public struct ErrorDigest: Sendable, Encodable {
  /// The errors in the order in which they occurred; errors in one dictionary are sorted by key.
  ///
  /// Holds at most as many entries as the reporter allows: see ``omissions``.
  public let entries: [Entry]

  /// The errors that occurred after the reporter was full, counted by failure.
  public let omissions: [Omission]

  /// Creates a digest, for example to test how an app handles one.
  public init(entries: [Entry], omissions: [Omission] = []) {
    self.entries = entries
    self.omissions = omissions
  }

  /// The number of reported errors: all entries, and all errors that were only counted.
  public var errorCount: Int {
    omissions.reduce(entries.count) {
      let (sum, isTooLarge) = $0.addingReportingOverflow(max(0, $1.count))
      return isTooLarge ? .max : sum
    }
  }

  /// The errors that deserve an alarm: excludes conversions, reported missing and unknown keys, and
  /// novel values of types that are not frozen.
  public var errors: [any Error] {
    errors(includeUnknownNovelValueErrors: false)
  }

  /// Returns the errors of the entries, in order.
  public func errors(includeUnknownNovelValueErrors: Bool) -> [any Error] {
    entries.lazy
      .filter { includeUnknownNovelValueErrors || !$0.isHiddenByDefault }
      .map(\.error)
  }
}
