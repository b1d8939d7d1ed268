/// An error and the place that it was recovered from, before any of it is put into words.
struct Incident {
  private(set) var error: any Error
  let place: RecoveryPlace

  private(set) var kind = ErrorDigest.Kind.other

  /// The type of the model's that was to be decoded where the error happened, as far as it is known.
  private(set) var expectedType: Any.Type?

  /// The type that the error names: what the model's own type, or the decoder, asks for.
  private var typeInError: Any.Type?

  private(set) var novel: UnknownNovelValueError?
  private(set) var foundValue: ErrorDigest.FoundValue?

  /// What was given up for the error.
  private var recoveredType: Any.Type?

  /// Whether the error says where it happened.
  private var knowsItsPlace = false

  /// How the path goes on from the place of the recovery to that of the error.
  private(set) var tail: ArraySlice<any CodingKey> = []

  /// - Parameters:
  ///   - type: what was to be decoded in that place.
  ///   - kind: what it is called in spite of what the error says.
  ///   - mayRepeatMissingKeys: whether a missing key can be in the path of the error already.
  init(
    _ error: any Error,
    at place: RecoveryPlace,
    decoding type: Any.Type?,
    as kind: ErrorDigest.Kind? = nil,
    mayRepeatMissingKeys: Bool
  ) {
    self.error = error
    self.place = place
    read(error, mayRepeatMissingKeys: mayRepeatMissingKeys)
    recoveredType = type
    // One place has one type, whether it holds null, a novel value or something else altogether.
    expectedType = (tail.isEmpty ? type : nil).map(modelType) ?? typeInError
    if let kind { self.kind = kind }
  }

  /// Looks for the member that the error is about, and at what is there instead.
  ///
  /// - Parameters:
  ///   - decoder: of the place of the recovery.
  ///   - wantsFoundValue: whether more than the failure is asked for.
  mutating func look(from decoder: any Decoder, wantsFoundValue: Bool) {
    // The path to a missing key is whole, and tells no other value to look at.
    guard kind != .keyNotFound else { return }
    let mayBeAboutMember = !knowsItsPlace || kind == .dataCorrupted
    if !tail.isEmpty { findMember(from: decoder) }
    guard wantsFoundValue || mayBeAboutMember else { return }
    var foundValue = ErrorDigest.FoundValue(at: tail, below: decoder)
    if mayBeAboutMember, tail.isEmpty, foundValue?.isContainer == true, findMember(from: decoder) {
      foundValue = ErrorDigest.FoundValue(at: tail, below: decoder)
    }
    guard let foundValue, knowsItsPlace || !foundValue.isContainer else { return }
    find(foundValue)
  }

  /// Finds the member that could not be decoded; false when it is not known for sure.
  @discardableResult
  private mutating func findMember(from decoder: any Decoder) -> Bool {
    guard let type = recoveredType as? any Decodable.Type,
      let member = FailedMember(of: type, from: decoder, after: error)
    else { return false }
    let path = place.tail(of: member.codingPath)
    guard path.count >= max(1, tail.count),
      zip(path, tail).allSatisfy({ $0.stringValue.hasSameScalars(as: $1.stringValue) })
    else { return false }
    tail = path
    knowsItsPlace = true
    expectedType = modelType(member.type)
    return true
  }

  /// Calls the error by its name, now that it is known what is there.
  ///
  /// A decoder of a format in which everything is text has one word for all that is wrong with it.
  private mutating func find(_ foundValue: ErrorDigest.FoundValue) {
    self.foundValue = foundValue
    switch (foundValue.type, kind) {
    case (.null, .typeMismatch):
      kind = .valueNotFound
    case (.null, .unknownNovelValue):
      kind = .valueNotFound
      // Null is no value that the type does not have: it is not to be hidden like one.
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

  /// What the error says of itself.
  var message: String { Self.message(of: error) }

  private static func message(of error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.typeMismatch(_, let context), DecodingError.dataCorrupted(let context):
      context.debugDescription
    case let error as UnknownNovelValueError: error.description
    case let error as DecodingPathError: Self.message(of: error.underlyingError)
    default: String(describing: error)
    }
  }

  /// What tells at a glance that errors are counted as one failure.
  struct Glance {
    fileprivate let pattern: ErrorDigest.Path
    fileprivate let kind: ErrorDigest.Kind
    fileprivate let expectedType: Any.Type?

    static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.kind == rhs.kind && lhs.expectedType == rhs.expectedType && lhs.pattern == rhs.pattern
    }
  }

  /// Nil for an error that has to be looked at more closely.
  var glance: Glance? {
    guard tail.isEmpty, novel == nil else { return nil }
    return Glance(pattern: place.pattern, kind: kind, expectedType: expectedType)
  }

  /// What the error is counted as.
  var failure: ErrorDigest.Failure {
    ErrorDigest.Failure(
      codingPath: tail.isEmpty
        ? place.pattern
        : ErrorDigest.Path(
          place.pattern.components + tail.map { ErrorDigest.Path.Component($0).generalized }
        ),
      kind: kind,
      expectedType: expectedType.map(typeName),
      novelValue: novelValue
    )
  }

  var codingPath: ErrorDigest.Path {
    let path = place.path
    return tail.isEmpty
      ? path : ErrorDigest.Path(path.components + tail.map(ErrorDigest.Path.Component.init))
  }

  var novelValue: ErrorDigest.NovelValue? {
    novel.map {
      ErrorDigest.NovelValue(
        text: String(describing: $0.novelValue),
        type: typeName(type(of: $0.novelValue))
      )
    }
  }
}

extension Incident {
  private mutating func read(_ error: any Error, mayRepeatMissingKeys: Bool) {
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      kind = .keyNotFound
      knowsItsPlace = true
      let path = context.codingPath
      tail = place.tail(of: mayRepeatMissingKeys ? path.ending(with: key) : path + [key])
    case DecodingError.valueNotFound(let type, let context):
      read(context, as: .valueNotFound, expecting: type)
    case DecodingError.typeMismatch(let type, let context):
      read(context, as: .typeMismatch, expecting: type)
    case DecodingError.dataCorrupted(let context):
      read(context, as: .dataCorrupted, expecting: nil)
      if let novel = context.underlyingError as? UnknownNovelValueError { read(novel) }
    case let error as UnknownNovelValueError:
      read(error)
    case let error as DecodingPathError:
      read(error.underlyingError, mayRepeatMissingKeys: mayRepeatMissingKeys)
    default:
      // A number that does not fit, which Foundation makes a `DecodingError` of at the end only.
      if typeName(type(of: error)) == "Foundation.JSONError" { kind = .dataCorrupted }
    }
  }

  private mutating func read(
    _ context: DecodingError.Context,
    as kind: ErrorDigest.Kind,
    expecting type: Any.Type?
  ) {
    self.kind = kind
    knowsItsPlace = true
    typeInError = type.map(modelType)
    tail = place.tail(of: context.codingPath)
  }

  private mutating func read(_ error: UnknownNovelValueError) {
    kind = .unknownNovelValue
    if let codingPath = error.codingPath {
      knowsItsPlace = true
      tail = place.tail(of: codingPath)
    }
    typeInError = error.expectedType
    novel = error
  }
}

extension [any CodingKey] {
  /// The path to a missing key, which some decoders have at the end already.
  fileprivate func ending(with key: any CodingKey) -> Self {
    guard let last, type(of: last) == type(of: key),
      last.stringValue.hasSameScalars(as: key.stringValue)
    else { return self + [key] }
    return self
  }
}
