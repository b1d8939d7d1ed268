/// A recovered error: what the error says, and what the payload holds there. Its texts are not
/// formatted yet.
package struct RecoveredError {
  private let claim: ErrorClaim
  let place: RecoveryPlace

  /// What the payload holds; nothing if it was not read.
  private var found = PayloadFinding()

  package private(set) var kind: ErrorDigest.Kind

  /// The model's type that was expected where the error occurred, if known.
  package private(set) var expectedType: Any.Type?

  /// The type of the value that was replaced or left out.
  private let recoveredType: Any.Type?

  /// Whether the error is about a value of the payload, and not about a key or the whole document.
  private var isAboutValue = false

  /// A decoder of the document, if there is one.
  fileprivate let document: (any Decoder)?

  /// The path from the place of the recovery to that of the error.
  private(set) var tail: [any CodingKey]

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
    claim = ErrorClaim(error, as: kind)
    self.kind = claim.kind
    self.place = place
    recoveredType = type
    self.document = document
    if var path = claim.codingPath {
      if claim.kind == .keyNotFound, document?.isFoundations != true {
        path = path.withoutRepeatedKey
      }
      tail = place.tail(of: path)
    } else {
      tail = []
    }
    // A place has one expected type, whether it holds null, a novel value or anything else.
    expectedType = (tail.isEmpty ? type : nil).map(modelType) ?? claim.type
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
    var hasPath = claim.codingPath != nil
    // An error about data may have the path of the enclosing object, and names no type.
    let mayBeAboutMember = !claim.isTooDeep && (!hasPath || kind == .dataCorrupted)
    let mayBeMissingKey = kind == .valueNotFound && !tail.isEmpty
    guard needsFoundValue || mayBeAboutMember || mayBeMissingKey else { return }
    found = finding(with: decoder)
    if mayBeAboutMember, !tail.isEmpty || found.value?.isContainer == true,
      findMember(with: decoder, for: reporter)
    {
      hasPath = true
      found = finding(with: decoder)
    }
    if !hasPath, found.value?.isContainer == true, !decoder.untraced.isUnreadableObject {
      found.value = nil
    }
    kind = claim.kind(holding: found)
  }

  private func finding(with decoder: any Decoder) -> PayloadFinding {
    let mayBeNovel = kind == .dataCorrupted && claim.novel == nil
    return PayloadFinding(
      at: tail, below: decoder.untraced, expecting: mayBeNovel ? expectedType : nil)
  }

  /// Finds the member that could not be decoded.
  ///
  /// - Returns: False if it is not known for certain.
  private mutating func findMember(
    with decoder: any Decoder, for reporter: ResilientDecodingErrorReporter?
  ) -> Bool {
    guard let type = recoveredType as? any Decodable.Type else { return false }
    func search() -> BadMember? {
      let member = BadMember(of: type, from: decoder, after: claim.error, at: place)
      guard let path = member?.path, path.count >= max(1, tail.count),
        zip(path, tail).allSatisfy({ $0.stringValue.hasSameScalars(as: $1.stringValue) })
      else { return nil }
      return member
    }
    let key = CollectedFailure(pattern: pattern, kind: kind, type: type)
    // A trace has the member already.
    let isTraced = (decoder as? TracingDecoder)?.trace.thrown != nil
    guard
      let member = isTraced ? search() : reporter.map({ $0.badMember(key, search) }) ?? search()
    else { return false }
    tail += member.path.dropFirst(tail.count)
    expectedType = modelType(member.type)
    return true
  }
}

extension RecoveredError {
  private var isNullForNovelValue: Bool {
    claim.kind == .unknownNovelValue && kind == .valueNotFound
  }

  fileprivate var error: any Error {
    guard isNullForNovelValue else { return claim.error }
    return DecodingError.valueNotFound(
      expectedType ?? Any.self,
      DecodingError.Context(
        codingPath: claim.novel?.codingPath ?? [],
        debugDescription: "There is null where a value is required",
        underlyingError: claim.error
      )
    )
  }

  /// The error's own message, but for a number's: decoders quote the number.
  var message: String {
    if case DecodingError.dataCorrupted = error, isAboutValue, expectedType is any Numeric.Type {
      return ErrorClaim.messageAboutNumber
    }
    return ErrorClaim.message(of: error)
  }

  private var novelValue: ErrorDigest.NovelValue? {
    if isNullForNovelValue { return nil }
    return (found.novelValue ?? claim.novel?.novelValue).map {
      ErrorDigest.NovelValue(text: String(describing: $0), type: typeName(type(of: $0)))
    }
  }

  /// A key that is equal for repeats of a failure; nil if only the failure itself can tell.
  var failureKey: CollectedFailure? {
    let mayBeNovel = found.novelValue != nil || claim.novel != nil
    return mayBeNovel && !isNullForNovelValue
      ? nil : CollectedFailure(pattern: pattern, kind: kind, type: expectedType)
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

  /// The error as an entry of a digest.
  var entry: ErrorDigest.Entry {
    let codingPath = modelPath.named(by: document)
    let recoveryPath =
      tail.isEmpty ? nil : ErrorDigest.Path(codingPath.components.dropLast(tail.count))
    return ErrorDigest.Entry(
      codingPath: codingPath, kind: kind, recoveryPath: recoveryPath,
      expectedType: expectedType.map(typeName), novelValue: novelValue, foundValue: found.value,
      message: message, error: error)
  }
}

extension [any CodingKey] {
  /// The path to a missing key, for a decoder that may have added the key to the path itself.
  fileprivate var withoutRepeatedKey: Self {
    guard let last, let previous = dropLast().last, type(of: last) == type(of: previous),
      last.stringValue.hasSameScalars(as: previous.stringValue)
    else { return self }
    return dropLast()
  }
}
