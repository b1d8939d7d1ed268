extension BadMember {
  /// Finds the member of a value that failed.
  ///
  /// Nil unless decoding a member throws an equal error.
  ///
  /// - Parameters:
  ///   - type: The type of the value that could not be decoded.
  ///   - decoder: A decoder at its place.
  ///   - error: The error.
  ///   - place: The value's place.
  init?<Value: Decodable>(
    of type: Value.Type, from decoder: any Decoder, after error: any Error, at place: RecoveryPlace
  ) {
    let traced = decoder as? TracingDecoder
    let thrown =
      if let trace = traced?.trace, !trace.isMemberUnknown {
        trace.thrown
      } else {
        decoder.isFoundations ? Self.search(for: type, from: decoder.untraced) : nil
      }
    guard let thrown, thrown.error.isSame(as: error) else { return nil }
    (path, self.type) = (place.tail(of: thrown.codingPath), thrown.type)
  }

  /// Decodes a value again, and returns the error with the member that throws it.
  private static func search<Value: Decodable>(
    for type: Value.Type, from decoder: any Decoder
  ) -> Trace.ThrownError? {
    let trace = Trace()
    do {
      // Errors that the value recovers from were reported the first time.
      try DecodeState.with(reporter: .discarding, trace: trace) {
        _ = try decoder.singleValueContainer().decode(Traced<Value>.self)
      }
      return nil
    } catch {
      // An initializer may recover from a member's error and then throw its own.
      return trace.thrown.flatMap { $0.error.isSame(as: error) ? $0 : nil }
    }
  }

  /// Whether a value that recovers is skipped, because it belongs to the document that is searched.
  ///
  /// - Parameter decoder: A decoder at the value's place.
  static func skips(_ decoder: @autoclosure () -> (any Decoder)?) -> Bool {
    DecodeState.current?.reporter === ResilientDecodingErrorReporter.discarding
      && decoder() is TracingDecoder
  }
}
