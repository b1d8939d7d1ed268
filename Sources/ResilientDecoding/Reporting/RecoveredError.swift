/// A recovered error whose texts are not formatted yet.
package struct RecoveredError {
  private(set) var error: any Error
  let place: RecoveryPlace

  package private(set) var kind = ErrorDigest.Kind.other

  /// The model's type that was expected where the error occurred, if known.
  package private(set) var expectedType: Any.Type?

  /// The type that the error names. An `init(from:)` or the decoder tried to decode it.
  private var typeInError: Any.Type?

  private(set) var novel: UnknownNovelValueError?
  private(set) var foundValue: ErrorDigest.FoundValue?

  /// The type of the value that was replaced or left out.
  private let recoveredType: Any.Type?

  /// Whether the error has the path at which it occurred.
  private var hasCodingPath = false

  /// Whether the error is about a value of the payload, and not about a key or the whole document.
  private var isAboutValue = false

  /// Whether little of the stack is left to read the value again.
  private var isTooDeep = false

  /// A decoder of the document, if there is one.
  fileprivate let document: (any Decoder)?

  /// The path from the place of the recovery to that of the error.
  private(set) var tail: [any CodingKey] = []

  /// - Parameters:
  ///   - error: The error.
  ///   - place: The place of the recovery.
  ///   - type: The type to decode there.
  ///   - kind: A kind that overrides the error's own.
  ///   - document: A decoder of the document, if there is one.
  package init(
    _ error: any Error,
    at place: RecoveryPlace,
    decoding type: Any.Type?,
    as kind: ErrorDigest.Kind? = nil,
    in document: (any Decoder)?
  ) {
    self.error = error
    self.place = place
    recoveredType = type
    self.document = document
    read(error)
    // A place has one expected type, whether it holds null, a novel value or anything else.
    expectedType = (tail.isEmpty ? type : nil).map(modelType) ?? typeInError
    if let kind { self.kind = kind }
  }

  /// Reads the value that the payload holds there, and finds the member that failed where the error
  /// does not name it.
  ///
  /// - Parameters:
  ///   - decoder: A decoder at the place of the recovery.
  ///   - needsFoundValue: Whether the found value is needed, not just the failure.
  ///   - reporter: The reporter that remembers members, if any.
  mutating func inspect(
    with decoder: any Decoder, needsFoundValue: Bool, for reporter: ResilientDecodingErrorReporter?
  ) {
    isAboutValue = true
    // The path of a missing key is complete, and holds no value.
    guard kind != .keyNotFound, kind != .missingKey else { return }
    // An error about data may have the path of the enclosing object, and names no type.
    let mayBeAboutMember = !isTooDeep && (!hasCodingPath || kind == .dataCorrupted)
    guard needsFoundValue || mayBeAboutMember || mayBeMissingKey else { return }
    var found = finding(with: decoder)
    if mayBeAboutMember, !tail.isEmpty || found.value?.isContainer == true,
      findMember(with: decoder, for: reporter)
    {
      found = finding(with: decoder)
    }
    if let value = found.value,
      hasCodingPath || !value.isContainer || decoder.isUnreadableObject
    {
      set(value)
    }
    correctKind(by: found)
  }

  /// Whether a value of null may be the null that stands for a missing key in a `superDecoder`.
  private var mayBeMissingKey: Bool { kind == .valueNotFound && !tail.isEmpty }

  private func finding(with decoder: any Decoder) -> Finding {
    let mayBeNovel = kind == .dataCorrupted && novel == nil
    return Finding(at: tail, below: decoder, expecting: mayBeNovel ? expectedType : nil)
  }

  /// Corrects the kind by what the payload holds.
  ///
  /// The error stays the decoder's: like that of a frozen type, it is not hidden.
  private mutating func correctKind(by found: Finding) {
    if mayBeMissingKey, found.isKeyMissing {
      kind = .keyNotFound
    } else if let novelValue = found.novelValue {
      kind = .unknownNovelValue
      novel = UnknownNovelValueError(novelValue: novelValue)
    }
  }

  /// Finds the member that could not be decoded.
  ///
  /// - Returns: False if it is not known for certain.
  private mutating func findMember(
    with decoder: any Decoder, for reporter: ResilientDecodingErrorReporter?
  ) -> Bool {
    guard let type = recoveredType as? any Decodable.Type else { return false }
    func search() -> BadMember? {
      let member = BadMember(of: type, from: decoder, after: error, at: place)
      guard let path = member?.path, path.count >= max(1, tail.count),
        zip(path, tail).allSatisfy({ $0.stringValue.hasSameScalars(as: $1.stringValue) })
      else { return nil }
      return member
    }
    let key = FailureKey(pattern: pattern, kind: kind, type: type)
    // A trace has the member already.
    let isTraced = (decoder as? TracingDecoder)?.trace.thrown != nil
    guard
      let member = isTraced ? search() : reporter.map({ $0.badMember(key, search) }) ?? search()
    else { return false }
    tail += member.path.dropFirst(tail.count)
    hasCodingPath = true
    expectedType = modelType(member.type)
    return true
  }

  /// Sets the found value, and corrects the kind by it.
  ///
  /// In a format in which every scalar is text, decoders throw the same error for all wrong values.
  private mutating func set(_ foundValue: ErrorDigest.FoundValue) {
    self.foundValue = foundValue
    switch (foundValue.type, kind) {
    case (.null, .typeMismatch):
      kind = .valueNotFound
    case (.null, .unknownNovelValue):
      kind = .valueNotFound
      // Null is not a novel value, and must not be hidden like one.
      error = DecodingError.valueNotFound(
        expectedType ?? Any.self,
        DecodingError.Context(
          codingPath: novel?.codingPath ?? [],
          debugDescription: "There is null where a value is required",
          underlyingError: error
        )
      )
      novel = nil
    case (.number, .typeMismatch) where typeInError is any Numeric.Type:
      kind = .dataCorrupted
    default: break
    }
  }

  /// The error's own message, but for a number's: decoders quote the number.
  var message: String {
    if case DecodingError.dataCorrupted = error, isAboutValue, expectedType is any Numeric.Type {
      return Self.messageAboutNumber
    }
    return Self.message(of: error)
  }

  private static let messageAboutNumber =
    "The number or text is not valid, or does not fit its type."

  static func message(of error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.typeMismatch(_, let context), DecodingError.dataCorrupted(let context):
      context.debugDescription
    case let error as UnknownNovelValueError: error.description
    case let error as any ExplainingError: Self.message(of: error.underlyingError)
    case _ where error.isFoundations: messageAboutNumber
    default: String(describing: error)
    }
  }

  /// A key that is equal for repeats of a failure; nil if only the failure itself can tell.
  var failureKey: FailureKey? {
    novel == nil ? FailureKey(pattern: pattern, kind: kind, type: expectedType) : nil
  }

  /// The failure under which the error is counted.
  var failure: ErrorDigest.Failure {
    ErrorDigest.Failure(
      codingPath: pattern.named(by: document),
      kind: kind,
      expectedType: expectedType.map(typeName),
      novelValue: novelValue
    )
  }

  private var pattern: ErrorDigest.Path {
    guard !tail.isEmpty else { return place.pattern }
    return ErrorDigest.Path(
      place.pattern.components + tail.map { ErrorDigest.Path.Component($0).generalized })
  }

  /// The path of the error, with the model's names of keys.
  package var modelPath: ErrorDigest.Path {
    let path = place.path
    return tail.isEmpty
      ? path : ErrorDigest.Path(path.components + tail.map(ErrorDigest.Path.Component.init))
  }

  fileprivate var novelValue: ErrorDigest.NovelValue? {
    novel.map {
      ErrorDigest.NovelValue(
        text: String(describing: $0.novelValue),
        type: typeName(type(of: $0.novelValue))
      )
    }
  }
}

extension ErrorDigest.Entry {
  init(_ recovered: RecoveredError) {
    self.codingPath = recovered.modelPath.named(by: recovered.document)
    let tail = recovered.tail.count
    self.recoveryPath =
      tail == 0 ? codingPath : ErrorDigest.Path(codingPath.components.dropLast(tail))
    self.kind = recovered.kind
    self.expectedType = recovered.expectedType.map(typeName)
    self.novelValue = recovered.novelValue
    self.foundValue = recovered.foundValue
    self.message = recovered.message
    self.error = recovered.error
  }
}

extension RecoveredError {
  private mutating func read(_ error: any Error) {
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      kind = .keyNotFound
      hasCodingPath = true
      let path = context.codingPath
      let mayEndWithKey = document?.isFoundations != true
      tail = place.tail(of: mayEndWithKey ? path.ending(with: key) : path + [key])
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
      if error.isFoundations { kind = .dataCorrupted }
    }
  }

  private mutating func read(
    _ context: DecodingError.Context,
    as kind: ErrorDigest.Kind,
    expecting type: Any.Type?
  ) {
    self.kind = kind
    hasCodingPath = true
    typeInError = type.map(modelType)
    if typeInError != type { error = (error as? DecodingError)?.namingModelType ?? error }
    tail = place.tail(of: context.codingPath)
  }

  private mutating func read(_ error: UnknownNovelValueError) {
    kind = .unknownNovelValue
    if let codingPath = error.codingPath {
      hasCodingPath = true
      tail = place.tail(of: codingPath)
    }
    typeInError = error.expectedType
    novel = error
  }
}

extension [any CodingKey] {
  /// The path to a missing key. The paths of some decoders already end with the key.
  fileprivate func ending(with key: any CodingKey) -> Self {
    guard let last, type(of: last) == type(of: key),
      last.stringValue.hasSameScalars(as: key.stringValue)
    else { return self + [key] }
    return self
  }
}

extension Error {
  /// Whether this is an error of Foundation's about a number or text, which Foundation converts to
  /// a `DecodingError` only when it leaves the decoder.
  package var isFoundations: Bool { typeName(type(of: self)) == "Foundation.JSONError" }
}
