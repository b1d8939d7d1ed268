/// The member of a value that could not be decoded.
///
/// The errors of Foundation's decoders do not always name it. A malformed `.iso8601` date fails
/// with the path of the enclosing object, a number that does not fit its type with an empty path,
/// and most errors name the type that the member's `init(from:)` decodes instead of the member's
/// own. After an error, the value is decoded again with a ``TracingDecoder`` to find the call that
/// fails.
struct FailedMember: Sendable {
  /// The path from the root of the document.
  let codingPath: [any CodingKey]

  /// The member's type.
  let type: Any.Type

  /// Decodes a value again to find the member that fails.
  ///
  /// Nil unless decoding a member throws an equal error.
  ///
  /// - Parameters:
  ///   - type: The type of the value that could not be decoded.
  ///   - decoder: A decoder at its place.
  ///   - error: The error.
  init?<Value: Decodable>(of type: Value.Type, from decoder: any Decoder, after error: any Error) {
    guard decoder.hasTypedScalars, decoder.codingPath.count <= Trace.maximumDepth else {
      return nil
    }
    let trace = Trace()
    do {
      // Errors that the value recovers from were reported the first time.
      try ResilientDecodingErrorReporter.$current.withValue(.discarding) {
        try Trace.$current.withValue(trace) {
          _ = try decoder.singleValueContainer().decode(Traced<Value>.self)
        }
      }
      return nil
    } catch let repeated {
      guard let failure = trace.failure, failure.error.isSame(as: repeated),
        repeated.isSame(as: error)
      else { return nil }
      codingPath = failure.codingPath
      self.type = failure.type
    }
  }
}

extension Error {
  /// Whether both errors are the same case with the same path and texts.
  fileprivate func isSame(as other: any Error) -> Bool {
    String(reflecting: decoderError) == String(reflecting: other.decoderError)
  }

  /// The decoder's error, also if another error explains it.
  private var decoderError: any Error { (self as? DecodingPathError)?.underlyingError ?? self }
}
