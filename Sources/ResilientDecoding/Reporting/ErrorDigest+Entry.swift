extension ErrorDigest {
  /// One error: where it happened, where it was recovered from, and what was found.
  public struct Entry: Sendable {
    /// Where the error happened, as in `items[1].address.zip`; a missing key's path ends with it.
    public let codingPath: Path

    /// What was given up for it, as in `items[1]`: the property or element that was recovered.
    public let recoveryPath: Path

    /// What went wrong.
    public let kind: Kind

    /// The type that was expected, module-qualified unless it is the standard library's.
    ///
    /// Nil where the error does not say, as for a missing key deep in an element.
    public let expectedType: String?

    /// The raw value that the expected type does not have.
    public let novelValue: NovelValue?

    /// What the payload has in this place instead; nil for a missing key, and where nobody can tell.
    public let foundValue: FoundValue?

    /// What the error says of itself; the wording is the decoder's and changes with its versions.
    public let message: String

    /// The error itself.
    public let error: any Error

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
  public struct NovelValue: Sendable, Hashable {
    /// The value, as `String(describing:)` has it.
    public let text: String

    /// The type of the raw value, as in `String` or `Int`.
    public let type: String

    package init(text: String, type: String) {
      self.text = text
      self.type = type
    }
  }
}

extension ErrorDigest.Entry {
  /// Reads off an error what it says.
  ///
  /// - Parameters:
  ///   - error: what was thrown.
  ///   - recoveryPath: where it was recovered from.
  ///   - type: what was to be decoded there.
  init(
    _ error: any Error,
    recoveryPath: ErrorDigest.Path,
    decoding type: Any.Type?,
    found foundValue: ErrorDigest.FoundValue? = nil
  ) {
    let facts = Facts(error)
    // Decoders differ in how much of the path they put into an error. One that does not begin with
    // the place of the recovery comes from elsewhere, as from a decoder inside of an `init(from:)`.
    let codingPath = facts.codingPath.map(ErrorDigest.Path.init) ?? recoveryPath
    self.codingPath = codingPath.starts(with: recoveryPath) ? codingPath : recoveryPath
    self.recoveryPath = recoveryPath
    self.kind = facts.kind
    self.expectedType =
      (facts.expectedType ?? (self.codingPath == recoveryPath ? type : nil)).map(typeName)
    self.novelValue = facts.novel.map {
      ErrorDigest.NovelValue(
        text: String(describing: $0.novelValue),
        type: typeName(Swift.type(of: $0.novelValue))
      )
    }
    self.foundValue = foundValue
    self.message = facts.message
    self.error = error
  }
}

/// What an error says of itself.
private struct Facts {
  var kind = ErrorDigest.Kind.other
  var codingPath: [any CodingKey]?
  var expectedType: Any.Type?
  var message: String
  var novel: UnknownNovelValueError?

  init(_ error: any Error) {
    switch error {
    case let error as DecodingError:
      message = ""
      read(error)
    case let error as UnknownNovelValueError:
      message = error.description
      read(error)
    default:
      message = String(describing: error)
      // A number that does not fit, which Foundation makes a `DecodingError` of at the end only.
      if typeName(type(of: error)) == "Foundation.JSONError" { kind = .dataCorrupted }
    }
  }

  private mutating func read(_ error: DecodingError) {
    switch error {
    case .keyNotFound(let key, let context):
      read(context, as: .keyNotFound)
      codingPath = context.codingPath + [key]
    case .valueNotFound(let type, let context):
      read(context, as: .valueNotFound)
      expectedType = type
    case .typeMismatch(let type, let context):
      read(context, as: .typeMismatch)
      expectedType = type
    case .dataCorrupted(let context):
      read(context, as: .dataCorrupted)
      if let novel = context.underlyingError as? UnknownNovelValueError { read(novel) }
    @unknown default:
      message = String(describing: error)
    }
  }

  private mutating func read(_ context: DecodingError.Context, as kind: ErrorDigest.Kind) {
    self.kind = kind
    codingPath = context.codingPath
    message = context.debugDescription
  }

  private mutating func read(_ error: UnknownNovelValueError) {
    kind = .unknownNovelValue
    codingPath = error.codingPath ?? codingPath
    expectedType = error.expectedType
    novel = error
  }
}
