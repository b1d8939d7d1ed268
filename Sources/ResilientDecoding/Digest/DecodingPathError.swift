/// What went wrong at a path, with a piece of the payload that it went wrong in.
///
/// Its description is one line, such as
/// `keyNotFound at object.repo.owner: "name" in {"id": 1, "login": "anviking"}`. Beware where it is
/// logged: it may hold up to 200 characters of the payload.
public struct DecodingPathError: Error {
  /// What went wrong.
  public let kind: ErrorDigest.Kind

  /// The place from the root of the payload: of a missing key, the object that should have it.
  public let path: ErrorDigest.Path

  /// The type that was expected there, or the missing key in quotes; nil where nobody can tell.
  public let expected: String?

  /// The beginning of what is there instead, much like JSON; nil when there is nothing.
  public let found: String?

  /// The error of the decoder, which is what a reporter reads.
  public let underlyingError: DecodingError
}

extension DecodingPathError {
  /// Explains an error of decoding; nil for any other, and for one that explains itself.
  ///
  /// - Parameters:
  ///   - error: what was thrown.
  ///   - type: what was to be decoded.
  ///   - place: where it was to be decoded, from the root.
  ///   - decoder: the one where the path begins.
  init?(
    _ error: any Error,
    decoding type: Any.Type,
    at place: [any CodingKey],
    from decoder: any Decoder
  ) {
    guard let error = DecodingError(error, at: place) else { return nil }
    let incident = Incident(
      error, at: RecoveryPlace([]), decoding: nil,
      mayRepeatMissingKeys: decoder.mayRepeatMissingKeys)
    let codingPath = incident.codingPath
    let place = ErrorDigest.Path(place)
    // One that is not on the way comes from elsewhere, as from a decoder inside of an `init(from:)`.
    let isOnTheWay = codingPath.starts(with: place) || place.starts(with: codingPath)
    var path = isOnTheWay ? codingPath : place
    underlyingError = error
    kind = incident.kind
    if case .keyNotFound(let key, _) = error {
      if isOnTheWay { path.components.removeLast() }
      expected = key.stringValue.jsonQuoted
    } else {
      expected =
        (incident.expectedType ?? (path == place ? type : nil)).map { typeName($0).inPlainWords }
    }
    self.path = path
    let start = decoder.codingPath.count
    found = decoder.descendant(at: path.components.dropFirst(start)).map {
      ValueExcerpt(of: $0).text
    }
  }
}

extension DecodingPathError: CustomStringConvertible {
  /// The error in one line.
  public var description: String {
    let place = path.components.isEmpty ? "the root" : path.description
    let rest: String
    if kind == .keyNotFound {
      rest = (expected ?? "a key") + (found.map { " in \($0)" } ?? "")
    } else {
      let expectation = expected.map { "expected \($0), " } ?? ""
      rest = "\(expectation)found \(found ?? "nothing")\(reason)"
    }
    return "\(kind.rawValue) at \(place): \(rest)".onOneLine
  }

  /// Why the data make no sense, which only the decoder knows.
  private var reason: String {
    guard kind == .dataCorrupted, case .dataCorrupted(let context) = underlyingError else {
      return ""
    }
    return " (\(context.debugDescription))"
  }
}

extension DecodingError {
  /// Takes an error for what it will be.
  ///
  /// Foundation makes a `DecodingError` of its own errors, those about numbers and text, only when
  /// they leave the decoder.
  fileprivate init?(_ error: any Error, at place: [any CodingKey]) {
    switch error {
    case let error as DecodingError:
      self = error
    case _ where typeName(type(of: error)) == "Foundation.JSONError":
      self = .dataCorrupted(
        Context(
          codingPath: place,
          debugDescription: "The decoder cannot read it.",
          underlyingError: error
        )
      )
    default:
      return nil
    }
  }
}

extension String {
  /// The name of a type, but for what decoders call any object or array, and for what may be null.
  fileprivate var inPlainWords: String {
    switch self {
    case "Dictionary<String, Any>": "an object"
    case "Array<Any>": "an array"
    case _ where hasPrefix("Optional<"):
      String(dropFirst("Optional<".count).dropLast()).inPlainWords
    default: self
    }
  }
}

extension Decoder {
  /// A decoder of what is at the end of a path, or nil when nothing is, or it cannot be had.
  ///
  /// Walking to an element costs no more than decoding all before it has, on the way to the error.
  fileprivate func descendant(
    at path: ArraySlice<ErrorDigest.Path.Component>
  ) -> (any Decoder)? {
    // It is only to say what is there, of an error that is told in any case.
    path.reduce(self as (any Decoder)?) { decoder, component in
      switch component {
      case .key(let key), .dictionaryKey(let key): try? decoder?.member(key)
      case .index(let index): try? decoder?.element(index)
      case .anyIndex, .anyDictionaryKey: nil
      }
    }
  }

  private func member(_ name: String) throws -> (any Decoder)? {
    let container = try container(keyedBy: PathKey.self)
    let key = PathKey(name)
    return container.contains(key) ? try container.superDecoder(forKey: key) : nil
  }

  private func element(_ index: Int) throws -> (any Decoder)? {
    var container = try unkeyedContainer()
    var element: (any Decoder)?
    for _ in 0...max(0, index) {
      guard !container.isAtEnd else { return nil }
      element = try container.superDecoder()
    }
    return element
  }
}
