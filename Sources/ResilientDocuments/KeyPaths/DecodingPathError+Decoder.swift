import ResilientDecoding

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
    guard let error = DecodingError(error, at: place) else { return nil }
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
    found = Trace.pausing {
      keys.reduce(decoder as (any Decoder)?) { $0?.decoder(at: $1) }
        .map { ValueExcerpt(of: $0).text }
    }
  }
}

extension DecodingError {
  /// Converts an internal error of Foundation as Foundation itself would.
  fileprivate init?(_ error: any Error, at place: [any CodingKey]) {
    switch error {
    case let error as DecodingError:
      self = error
    case _ where error.isJSONError:
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
