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

extension ErrorDigest {
  /// One error: where it occurred, where it was recovered from, and what was found.
  ///
  /// A digest's own entries never change. The properties that may hold payload text can be set, to
  /// make a copy without it.
  public struct Entry: Sendable {
    /// Where the error occurred, such as `items[1].address.zip`; a missing key is the last
    /// component.
    public var codingPath: Path

    /// The property or element that was recovered, such as `items[1]`.
    public internal(set) var recoveryPath: Path

    /// What went wrong.
    public let kind: Kind

    /// The expected type, module-qualified unless it is the standard library's.
    ///
    /// Nil if the error does not name one, as for a missing key deep in an element.
    public var expectedType: String?

    /// The raw value that the expected type does not have.
    public var novelValue: NovelValue?

    /// What the payload holds at ``codingPath``; nil for a missing key, and if it cannot be read.
    public var foundValue: FoundValue?

    /// The error's own message, worded by the decoder; it can change between versions of the
    /// decoder. About a number that does not fit its type, the library's, without the number.
    public var message: String

    /// The error itself; for errors that were only counted, an error with just the message.
    public let error: any Error

    /// Whether the observers have been called with this entry.
    var isObserved = false

    /// The failure under which this error is counted.
    public var failure: Failure {
      Failure(
        codingPath: codingPath,
        kind: kind,
        expectedType: expectedType,
        novelValue: novelValue,
        body: foundValue?.type
      )
    }

    /// Whether ``ErrorDigest/errors`` excludes this entry.
    var isHiddenByDefault: Bool {
      kind == .converted || kind == .missingKey || kind == .unknownKey
        || error is UnknownNovelValueError
    }
  }
}

extension ErrorDigest.Entry {
  /// Creates an entry for an error of code that uses no decoder, such as a hand-written parser.
  ///
  /// - Parameters:
  ///   - codingPath: Where the error occurred.
  ///   - kind: What went wrong.
  ///   - recoveryPath: The property or element that was recovered; the default is `codingPath`.
  ///   - expectedType: The expected type, by its module-qualified name.
  ///   - novelValue: The raw value that the expected type does not have.
  ///   - foundValue: What the payload holds at `codingPath`.
  ///   - message: The error's message.
  ///   - error: The error; the default is an error with just the message, and for a novel value an
  ///     ``UnknownNovelValueError``.
  public init(
    codingPath: ErrorDigest.Path,
    kind: ErrorDigest.Kind,
    recoveryPath: ErrorDigest.Path? = nil,
    expectedType: String? = nil,
    novelValue: ErrorDigest.NovelValue? = nil,
    foundValue: ErrorDigest.FoundValue? = nil,
    message: String,
    error: (any Error)? = nil
  ) {
    self.codingPath = codingPath
    self.recoveryPath = recoveryPath ?? codingPath
    self.kind = kind
    self.expectedType = expectedType
    self.novelValue = novelValue
    self.foundValue = foundValue
    self.message = message
    let novelText = kind == .unknownNovelValue ? novelValue?.text : nil
    self.error =
      error ?? novelText.map(UnknownNovelValueError.init) ?? MessageError(description: message)
  }

  /// Creates an entry about a key that no property decodes.
  init(unknownKey path: ErrorDigest.Path) {
    self.init(codingPath: path, kind: .unknownKey, message: "No property decodes \(path)")
  }

  /// Creates one entry for all errors of a failure that were only counted.
  package init(_ omission: ErrorDigest.Omission) {
    self.init(
      codingPath: omission.failure.codingPath,
      kind: omission.failure.kind,
      expectedType: omission.failure.expectedType,
      novelValue: omission.failure.novelValue,
      foundValue: omission.failure.body.map { ErrorDigest.FoundValue(type: $0, text: nil) },
      message: omission.message
    )
  }
}

extension ErrorDigest.Entry: Encodable {
  private enum CodingKeys: CodingKey {
    case codingPath, recoveryPath, kind, expectedType, novelValue, foundValue, message
  }

  /// Encodes all but ``error``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(codingPath, forKey: .codingPath)
    try container.encode(recoveryPath, forKey: .recoveryPath)
    try container.encode(kind, forKey: .kind)
    try container.encodeIfPresent(expectedType, forKey: .expectedType)
    try container.encodeIfPresent(novelValue, forKey: .novelValue)
    try container.encodeIfPresent(foundValue, forKey: .foundValue)
    try container.encode(message, forKey: .message)
  }
}

/// The error of an entry that was only counted, or that another process recorded.
private struct MessageError: Error, CustomStringConvertible {
  let description: String
}
