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
    let recovered = RecoveredError(
      error, at: RecoveryPlace([]), decoding: nil,
      mayRepeatMissingKeys: decoder.mayRepeatMissingKeys)
    let codingPath = recovered.codingPath
    let place = ErrorDigest.Path(place)
    // An unrelated path is from another decoder, such as one that an `init(from:)` created.
    let isOnTheWay = codingPath.starts(with: place) || place.starts(with: codingPath)
    var path = isOnTheWay ? codingPath : place
    underlyingError = error
    kind = recovered.kind
    if case .keyNotFound(let key, _) = error {
      if isOnTheWay { path.components.removeLast() }
      expected = key.stringValue.jsonQuoted
    } else {
      expected =
        (recovered.expectedType ?? (path == place ? type : nil)).map { typeName($0).inPlainWords }
    }
    self.path = path
    let start = decoder.codingPath.count
    found = decoder.descendant(at: path.components.dropFirst(start)).map {
      ValueExcerpt(of: $0).text
    }
  }
}

extension DecodingError {
  /// Converts an internal error of Foundation as Foundation itself would.
  ///
  /// Foundation converts its own errors about numbers and text to a `DecodingError` only when they
  /// leave the decoder.
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
  /// The name of a type, without `Optional`; decoders' types for any object or array in words.
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
  /// Returns a decoder at the end of a path, or nil if there is none.
  ///
  /// Walking to an element costs no more than decoding the elements before it did.
  fileprivate func descendant(
    at path: ArraySlice<ErrorDigest.Path.Component>
  ) -> (any Decoder)? {
    // Failures are ignored: the error is thrown anyway, then without an excerpt.
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
