/// What an error says about the payload, from the error alone.
///
/// Decoders throw the same error for different faults, such as a missing key and a null. What the
/// payload holds tells them apart: see ``kind(holding:)``.
struct ErrorClaim {
  /// The error, with the model's types.
  private(set) var error: any Error

  private(set) var kind = ErrorDigest.Kind.other

  /// Where the error occurred, with a missing key at the end; nil if the error does not say.
  private(set) var codingPath: [any CodingKey]?

  /// The type that an `init(from:)` or the decoder tried to decode, if the error names it.
  private(set) var type: Any.Type?

  private(set) var novel: UnknownNovelValueError?

  /// Whether little of the stack is left to read the value again.
  private(set) var isTooDeep = false

  /// - Parameters:
  ///   - error: The error.
  ///   - kind: A kind that overrides the error's own.
  init(_ error: any Error, as kind: ErrorDigest.Kind? = nil) {
    self.error = error
    read(error)
    if let kind { self.kind = kind }
  }

  /// The kind by what the error says and what the payload holds; the first row that fits.
  func kind(holding found: PayloadFinding) -> ErrorDigest.Kind {
    switch (kind, found.value?.type) {
    // In a format in which every scalar is text, a wrong value is of the wrong type.
    case (.typeMismatch, .null): .valueNotFound
    case (.typeMismatch, .number) where type is any Numeric.Type: .dataCorrupted
    // Null is not a novel value, and must not be hidden like one.
    case (.unknownNovelValue, .null): .valueNotFound
    // A `superDecoder` for a missing key has null.
    case (.valueNotFound, _) where found.isKeyMissing: .keyNotFound
    // The error of a type that is not `ResilientRawRepresentable`. It is not hidden, like that of a
    // frozen type.
    case (.dataCorrupted, _) where found.novelValue != nil: .unknownNovelValue
    default: kind
    }
  }

  private mutating func read(_ error: any Error) {
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      kind = .keyNotFound
      codingPath = context.codingPath + [key]
    case DecodingError.valueNotFound(let type, let context):
      read(context, as: .valueNotFound, expecting: type)
    case DecodingError.typeMismatch(let type, let context):
      read(context, as: .typeMismatch, expecting: type)
    case DecodingError.dataCorrupted(let context):
      read(context, as: .dataCorrupted, expecting: nil)
      isTooDeep = context.isNestedTooDeeply
      if let novel = context.underlyingError as? UnknownNovelValueError { read(novel) }
    case let error as UnknownNovelValueError:
      read(error)
    case let error as any ExplainingError:
      read(error.underlyingError)
    default:
      if error.isJSONError { kind = .dataCorrupted }
    }
  }

  private mutating func read(
    _ context: DecodingError.Context,
    as kind: ErrorDigest.Kind,
    expecting type: Any.Type?
  ) {
    self.kind = kind
    codingPath = context.codingPath
    self.type = type.map(modelType)
    if self.type != type { error = (error as? DecodingError)?.namingModelType ?? error }
  }

  private mutating func read(_ error: UnknownNovelValueError) {
    kind = .unknownNovelValue
    codingPath = error.codingPath ?? codingPath
    type = error.expectedType
    novel = error
  }
}

extension ErrorClaim {
  static let messageAboutNumber = "The number or text is not valid, or does not fit its type."

  /// The message of an error, as its decoder words it.
  static func message(of error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.typeMismatch(_, let context), DecodingError.dataCorrupted(let context):
      context.debugDescription
    case let error as UnknownNovelValueError: error.description
    case let error as any ExplainingError: message(of: error.underlyingError)
    case _ where error.isJSONError: messageAboutNumber
    default: String(describing: error)
    }
  }
}

extension Error {
  /// Whether this is an error of Foundation's about a number or text, which Foundation converts to
  /// a `DecodingError` only when it leaves the decoder.
  package var isJSONError: Bool { typeName(type(of: self)) == "Foundation.JSONError" }

  /// Whether both errors are the same case with the same path and texts.
  func isSame(as other: any Error) -> Bool {
    String(reflecting: decoderError) == String(reflecting: other.decoderError)
  }
}
