/// The member of a value that could not be decoded.
///
/// The errors of Foundation's decoders do not always name it. A malformed `.iso8601` date fails with
/// the path of the enclosing object, a number that does not fit its type with an empty path, and most
/// errors have the type that the member's `init(from:)` asks for instead of the member's own. After an
/// error the dropped value is decoded once more, with a ``TracingDecoder``, to find the call that fails.
struct FailedMember: Sendable {
  /// The path from the root of the document.
  let codingPath: [any CodingKey]

  /// The type that was asked for.
  let type: Any.Type

  private let error: any Error

  /// How deep in a document a value may be to be decoded once more.
  ///
  /// So a value is decoded at most as often as there are places around it at which it is given up:
  /// the time stays linear in the size of the document.
  static let maximumDepth = 20

  /// Decodes once more what could not be decoded.
  ///
  /// Nil unless that fails with the same error, thrown by a decoder that was asked for a member.
  ///
  /// - Parameters:
  ///   - type: the type of the value that was given up.
  ///   - decoder: of its place.
  ///   - error: why it was given up.
  init?<Value: Decodable>(of type: Value.Type, from decoder: any Decoder, after error: any Error) {
    guard decoder.hasTypedScalars, decoder.codingPath.count <= Self.maximumDepth else { return nil }
    let trace = Trace()
    do {
      // Whatever the value recovers from was reported the first time.
      try ResilientDecodingErrorReporter.$current.withValue(.unheard) {
        try Trace.$current.withValue(trace) {
          _ = try decoder.singleValueContainer().decode(Traced<Value>.self)
        }
      }
      return nil
    } catch let repeated {
      guard let member = trace.failedMember, member.error.isSame(as: repeated),
        repeated.isSame(as: error)
      else { return nil }
      self = member
    }
  }

  fileprivate init(codingPath: [any CodingKey], type: Any.Type, error: any Error) {
    self.codingPath = codingPath
    self.type = type
    self.error = error
  }
}

/// Remembers the innermost member whose error is on its way up.
final class Trace: Sendable {
  @TaskLocal static var current: Trace?

  private let failed = Locked<FailedMember?>(nil)

  var failedMember: FailedMember? { failed.withLock { $0 } }

  /// Decodes a member, and remembers it when that fails.
  ///
  /// - Throws: what `decode` throws.
  func decode<Value>(
    _ type: Any.Type,
    at codingPath: @autoclosure () -> [any CodingKey],
    _ decode: () throws -> Value
  ) throws -> Value {
    // A member that failed before this one was recovered from.
    failed.withLock { $0 = nil }
    do {
      let value = try decode()
      failed.withLock { $0 = nil }
      return value
    } catch {
      let member = FailedMember(codingPath: codingPath(), type: type, error: error)
      failed.withLock { $0 = $0 ?? member }
      throw error
    }
  }
}

extension Error {
  /// Whether both are of the same case, with the same path and texts.
  fileprivate func isSame(as other: any Error) -> Bool {
    String(reflecting: ofDecoder) == String(reflecting: other.ofDecoder)
  }

  /// The error that a decoder has thrown, also where it is explained by another.
  private var ofDecoder: any Error { (self as? DecodingPathError)?.underlyingError ?? self }
}
