/// What one flush of a reporter returns: the errors of one decode.
public struct ErrorDigest: Sendable {
  /// The errors in the order in which they were met; those under one dictionary by their key.
  ///
  /// At most as many as the reporter holds: see ``omissions``.
  public let entries: [Entry]

  /// The errors that came after the reporter was full, counted by failure.
  public let omissions: [Omission]

  /// How many errors were reported: the entries and all that was only counted.
  public var errorCount: Int {
    omissions.reduce(entries.count) { $0 + $1.count }
  }

  /// The errors that are worth an alarm: without novel values of types that are not frozen.
  public var errors: [any Error] {
    errors(includeUnknownNovelValueErrors: false)
  }

  /// The errors of the entries, in their order.
  public func errors(includeUnknownNovelValueErrors: Bool) -> [any Error] {
    entries.lazy
      .filter { includeUnknownNovelValueErrors || !$0.isHiddenByDefault }
      .map(\.error)
  }
}

extension ErrorDigest {
  /// The distinct thing that goes wrong, over and over: what errors are counted by.
  public struct Failure: Sendable, Hashable {
    /// Where it happens, as a pattern: `items[].kind`.
    public internal(set) var codingPath: Path

    /// What goes wrong.
    public internal(set) var kind: Kind

    /// The type that is expected, as far as it is known.
    public internal(set) var expectedType: String?

    /// The raw value that the expected type does not have.
    public internal(set) var novelValue: NovelValue?
  }

  /// Errors of one failure that a full reporter has only counted.
  ///
  /// When there are too many different failures as well, they are counted without their novel
  /// values, and in the end all as one of kind `other` at the empty path.
  public struct Omission: Sendable, Hashable {
    /// What they have in common.
    public let failure: Failure

    /// The message of the first one.
    public let message: String

    /// How many there were.
    public internal(set) var count: Int
  }
}
