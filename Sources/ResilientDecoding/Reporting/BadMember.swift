import ResilientPlatform

/// The member of a value that could not be decoded, where the error does not name it.
///
/// A malformed `.iso8601` date fails with the path of the enclosing object, an unknown raw value
/// without its type, and an error of an `init(from:)` of the app's own may have no path. After such
/// an error, the value is decoded again with a ``TracingDecoder`` to find the call that fails. This
/// search skips members that recover by themselves: they do not fail, and their own members have
/// been searched already.
struct BadMember {
  /// The path from the value.
  let path: [any CodingKey]

  /// The member's type.
  let type: Any.Type

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
        decoder.isFoundations ? Self.search(for: type, from: traced?.base ?? decoder) : nil
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

extension Error {
  /// Whether both errors are the same case with the same path and texts.
  func isSame(as other: any Error) -> Bool {
    String(reflecting: decoderError) == String(reflecting: other.decoderError)
  }
}
