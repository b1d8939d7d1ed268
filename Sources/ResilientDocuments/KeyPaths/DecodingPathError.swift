public import ResilientDecoding

/// An error at a decoding path, with an excerpt of the payload there.
///
/// Its description is one line, such as
/// `keyNotFound at object.repo.owner: "name" in {"id": 1, "login": "anviking"}`.
/// It may contain up to 200 characters of the payload: consider where you log it.
public struct DecodingPathError: ExplainingError {
  /// What went wrong.
  public let kind: ErrorDigest.Kind

  /// The place, from the root of the payload; for a missing key, the object that should have it.
  public let path: ErrorDigest.Path

  /// The expected type, or the missing key in quotes; nil if unknown.
  public let expected: String?

  /// The beginning of the value found there, in a notation like JSON; nil if there is none.
  public let found: String?

  /// The decoder's error, from which a reporter makes its entry.
  public let underlyingError: DecodingError
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

  /// The decoder's reason why the data is invalid.
  private var reason: String {
    guard kind == .dataCorrupted, case .dataCorrupted(let context) = underlyingError else {
      return ""
    }
    return " (\(context.debugDescription))"
  }
}

extension DecodingPathError {
  /// Explains a decoding error; nil for any other error.
  ///
  /// - Parameters:
  ///   - error: The error that was thrown.
  ///   - type: The type to decode.
  ///   - place: The place to decode from, from the root.
  ///   - decoder: The decoder at which the path begins.
  init?(
    _ error: any Error,
    decoding type: Any.Type,
    at place: [any CodingKey],
    from decoder: any Decoder
  ) {
    guard let error = error.decodingError(at: place) else { return nil }
    let recovered = RecoveredError(error, at: RecoveryPlace([]), decoding: nil, in: decoder)
    let codingPath = recovered.modelPath
    let place = ErrorDigest.Path(place)
    // An unrelated path is from another decoder, such as one that an `init(from:)` created.
    let isRelated = codingPath.starts(with: place) || place.starts(with: codingPath)
    var path = isRelated ? codingPath : place
    underlyingError = error
    kind = recovered.kind
    if case .keyNotFound(let key, _) = error {
      if isRelated { path.components.removeLast() }
      expected = key.stringValue.jsonQuoted
    } else {
      expected =
        (recovered.expectedType ?? (path == place ? type : nil)).map {
          typeName($0).readableTypeName
        }
    }
    self.path = path
    let start = decoder.codingPath.count
    let keys = path.components.dropFirst(start)
    found = keys.reduce(decoder.untraced as (any Decoder)?) { $0?.decoder(at: $1) }
      .map { ValueExcerpt(of: $0).text }
  }
}

extension Error {
  /// The decoder's error; an internal one of Foundation becomes what it is outside of the decoder.
  fileprivate func decodingError(at place: [any CodingKey]) -> DecodingError? {
    guard !(self is DecodingError), isJSONError else { return self as? DecodingError }
    return .dataCorrupted(
      DecodingError.Context(
        codingPath: place, debugDescription: "The decoder cannot read it.", underlyingError: self))
  }
}

extension String {
  /// The name of a type, without `Optional`; decoders' types for any object or array in words.
  fileprivate var readableTypeName: String {
    switch self {
    case "Dictionary<String, Any>": "an object"
    case "Array<Any>": "an array"
    case _ where hasPrefix("Optional<"):
      String(dropFirst("Optional<".count).dropLast()).readableTypeName
    default: self
    }
  }
}
