public import ResilientPlatform

extension JSONDecoder {
  /// Decodes JSON that a payload has in a string, as a part of decoding the payload.
  ///
  /// Entries, and a thrown `DecodingError`, have the whole path: that of the string, and the path
  /// within its JSON. Entries go to the reporter and the observers of the enclosing decode; the
  /// `error` of an entry keeps the path within the JSON. Unknown keys are reported if those of the
  /// payload are, once for each pattern.
  ///
  ///     let container = try decoder.container(keyedBy: CodingKeys.self)
  ///     payload = try JSONDecoder().decode(
  ///       Payload.self, fromStringAt: container.superDecoder(forKey: .payload))
  ///
  /// - Parameters:
  ///   - type: The type of the JSON in the string.
  ///   - decoder: A decoder of the string, in the enclosing decode.
  /// - Throws: A `DecodingError` if there is no string or its JSON cannot be decoded; errors that
  ///   an `init(from:)` throws.
  public func decode<T: Decodable>(
    _ type: T.Type, fromStringAt decoder: any Decoder
  ) throws -> T {
    let data = Data(try decoder.singleValueContainer().decode(String.self).utf8)
    let place = decoder.codingPath
    do {
      guard let sink = ErrorSink(of: decoder) else { return try decode(type, from: data) }
      let checkpoint = Checkpoint(maximumEntries: sink.maximumEntries, of: decoder)
      checkpoint.names = PayloadNames(of: data, for: self)
      checkpoint.reportedKeys.formUnion(ReportedKeys(of: decoder.userInfo))
      var string: (PayloadString, ObjectKeys)?
      if let tracing = decoder as? TracingDecoder, let keys = tracing.keys {
        let place = (tracing.trace.string?.place ?? ErrorDigest.Path()).appending(place)
        string = (PayloadString(place: place, names: checkpoint.names), keys)
      } else {
        checkpoint.reportedKeys.remove(.unknown)
      }
      defer {
        if let digest = checkpoint.flushReportedErrors() {
          sink.report(digest.moved(below: ErrorDigest.Path(place)))
        }
      }
      return try checkpoint.collectRecoveredErrors(in: string) {
        try decodeDocument(type, from: data)
      }
    } catch let error as DecodingError {
      throw error.moved(below: place)
    } catch let error as UnknownNovelValueError {
      throw error.moved(below: place)
    }
  }
}

/// A string of a payload whose JSON is being decoded.
struct PayloadString {
  let place: ErrorDigest.Path

  /// The names of the keys in the string, if its decoder converts keys.
  let names: PayloadNames?

  /// Returns the entry about an unknown key in the string.
  func entry(unknownKey path: ErrorDigest.Path) -> ErrorDigest.Entry {
    let depth = place.components.count
    let key = ErrorDigest.Entry(unknownKey: ErrorDigest.Path(Array(path.components[depth...])))
    let digest = ErrorDigest(entries: [key], omissions: [])
    return (names?.renamed(digest) ?? digest).moved(below: place).entries[0]
  }
}

extension ErrorDigest {
  /// The digest of a part of a payload, as that of the payload. Its names are final.
  func moved(below place: Path) -> Self {
    Self(
      entries: entries.map { entry in
        let path = Path(place.components + entry.codingPath.components)
        // The message names the key too.
        var moved = entry.kind == .unknownKey ? Entry(unknownKey: path) : entry
        moved.codingPath = path
        moved.recoveryPath = Path(place.components + entry.recoveryPath.components)
        moved.foundValue = entry.foundValue
        moved.isObserved = entry.isObserved
        moved.convertibleDepth = place.components.count
        return moved
      },
      omissions: omissions.map { omission in
        var failure = omission.failure
        failure.codingPath = Path(place.generalized.components + failure.codingPath.components)
        return Omission(failure: failure, message: omission.message, count: omission.count)
      })
  }
}

extension DecodingError {
  fileprivate func moved(below place: [any CodingKey]) -> Self {
    switch self {
    case .typeMismatch(let type, let context): .typeMismatch(type, context.moved(below: place))
    case .valueNotFound(let type, let context): .valueNotFound(type, context.moved(below: place))
    case .keyNotFound(let key, let context): .keyNotFound(key, context.moved(below: place))
    case .dataCorrupted(let context): .dataCorrupted(context.moved(below: place))
    @unknown default: self
    }
  }
}

extension DecodingError.Context {
  fileprivate func moved(below place: [any CodingKey]) -> Self {
    let underlying = (underlyingError as? UnknownNovelValueError)?.moved(below: place)
    return Self(
      codingPath: place + codingPath, debugDescription: debugDescription,
      underlyingError: underlying ?? underlyingError)
  }
}

extension UnknownNovelValueError {
  fileprivate func moved(below place: [any CodingKey]) -> Self {
    Self(novelValue: novelValue, expected: expectedType, codingPath: place + (codingPath ?? []))
  }
}
