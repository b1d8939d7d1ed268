extension ErrorDigest {
  /// One error: where it happened, where it was recovered from, and what was found.
  ///
  /// A digest's own entries never change. What can be set is what may hold something of a payload,
  /// so that a copy can be made without it.
  public struct Entry: Sendable {
    /// Where the error happened, as in `items[1].address.zip`; a missing key's path ends with it.
    public var codingPath: Path

    /// What was given up for it, as in `items[1]`: the property or element that was recovered.
    public internal(set) var recoveryPath: Path

    /// What went wrong.
    public let kind: Kind

    /// The type that was expected, module-qualified unless it is the standard library's.
    ///
    /// Nil where the error does not say, as for a missing key deep in an element.
    public var expectedType: String?

    /// The raw value that the expected type does not have.
    public var novelValue: NovelValue?

    /// What the payload has in this place instead; nil for a missing key, and where nobody can tell.
    public var foundValue: FoundValue?

    /// What the error says of itself; the wording is the decoder's and changes with its versions.
    public var message: String

    /// The error itself; of what was only counted one that says the message.
    public let error: any Error

    /// Whether the observer has heard of it.
    var isObserved = false

    /// What this error is counted as.
    public var failure: Failure {
      Failure(
        codingPath: codingPath.generalized,
        kind: kind,
        expectedType: expectedType,
        novelValue: novelValue
      )
    }

    /// Whether ``ErrorDigest/errors`` leaves this entry out.
    var isHiddenByDefault: Bool {
      kind == .converted || error is UnknownNovelValueError
    }
  }

  /// What went wrong, in words that stay the same from version to version.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// A required key is missing.
    case keyNotFound
    /// There is null, or nothing, where a value is required.
    case valueNotFound
    /// The value is of another type, or has another shape.
    case typeMismatch
    /// The value is of the right type and makes no sense: no URL, no number that fits, no JSON.
    case dataCorrupted
    /// A raw value for which `init(rawValue:)` returned nil, of a frozen type or not.
    case unknownNovelValue
    /// The value had to be converted: it is right, but the backend should know.
    case converted
    /// An error that is not of decoding.
    case other
  }

  /// A raw value that a type does not have.
  ///
  /// Two are equal when their texts have the same Unicode scalars, and their types are the same.
  public struct NovelValue: Sendable, Hashable {
    /// The value, as `String(describing:)` has it.
    public let text: String

    /// The type of the raw value, as in `String` or `Int`.
    public let type: String

    /// Makes a novel value, such as one to write in the place of another.
    public init(text: String, type: String) {
      self.text = text
      self.type = type
    }

    /// Compares type and text, the text by its Unicode scalars: precomposed and decomposed letters differ.
    public static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.text.hasSameScalars(as: rhs.text) && lhs.type == rhs.type
    }
  }
}

extension ErrorDigest.Entry {
  init(_ incident: Incident) {
    self.codingPath = incident.codingPath
    self.recoveryPath = incident.place.path
    self.kind = incident.kind
    self.expectedType = incident.expectedType.map(typeName)
    self.novelValue = incident.novelValue
    self.foundValue = incident.foundValue
    self.message = incident.message
    self.error = incident.error
  }
}

extension ErrorDigest.Entry {
  /// Makes an entry of errors of which only this is known.
  package init(
    codingPath: ErrorDigest.Path,
    kind: ErrorDigest.Kind,
    expectedType: String?,
    novelValue: ErrorDigest.NovelValue?,
    foundValue: ErrorDigest.FoundValue?,
    message: String
  ) {
    self.codingPath = codingPath
    self.recoveryPath = codingPath
    self.kind = kind
    self.expectedType = expectedType
    self.novelValue = novelValue
    self.foundValue = foundValue
    self.message = message
    self.error = CountedError(description: message)
  }

  /// Makes an entry for all errors of a failure that were only counted.
  package init(_ omission: ErrorDigest.Omission) {
    self.init(
      codingPath: omission.failure.codingPath,
      kind: omission.failure.kind,
      expectedType: omission.failure.expectedType,
      novelValue: omission.failure.novelValue,
      foundValue: nil,
      message: omission.message
    )
  }
}

/// Stands for errors that were only counted, or that another process had.
private struct CountedError: Error, CustomStringConvertible {
  let description: String
}
