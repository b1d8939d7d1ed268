import ResilientPlatform

/// Follows a decode: remembers the innermost member whose error is being thrown, and the keys that
/// models ask for.
package final class Trace {
  static var current: Trace? { DecodeState.current?.trace }

  /// The greatest depth in a document at which keys are followed. Each level takes more stack than
  /// without a trace.
  private static let maximumDepth = 40

  /// A call that failed: the member's path, the type asked for, and the error.
  typealias Failure = (codingPath: [any CodingKey], type: Any.Type, error: any Error)

  /// The innermost member whose error was thrown last.
  private(set) var failure: Failure?

  /// Whether that error comes from a value that was too deep to trace, so that the member is
  /// unknown.
  private(set) var isFailureUnknown = false

  /// The keys at the place of the value that is decoded next; nil if keys are not followed.
  private(set) var next: ObjectKeys?

  /// Whether the library itself reads the payload, to explain an error.
  fileprivate(set) var isPaused = false

  /// - Parameter keys: The keys of the root; nil to follow no keys.
  init(keys: ObjectKeys? = nil) {
    next = keys
  }

  /// Decodes the next value with a tracing decoder, or as without a trace if it is too deep.
  ///
  /// A search ends with an error at a value that is too deep.
  ///
  /// - Throws: The error of `decode` or `decodeUntraced`.
  func decode<Value>(
    from decoder: any Decoder,
    _ decode: (TracingDecoder) throws -> Value,
    untraced decodeUntraced: () throws -> Value
  ) throws -> Value {
    if let next, next.depth > Self.maximumDepth || Stack.isHalfUsed {
      do {
        return try decodeUntraced()
      } catch {
        isFailureUnknown = true
        throw error
      }
    }
    try decoder.checkStack()
    return try decode(TracingDecoder(base: decoder, trace: self, keys: next))
  }

  /// Decodes a member, and remembers it if that fails.
  ///
  /// - Parameter keys: The keys at the member's place; nil if keys are not followed.
  /// - Throws: The error that `decode` throws.
  func decode<Value>(
    _ type: Any.Type,
    at codingPath: @autoclosure () -> [any CodingKey],
    with keys: ObjectKeys?,
    _ decode: () throws -> Value
  ) throws -> Value {
    guard !isPaused else { return try decode() }
    let enclosing = next
    next = keys
    defer { next = enclosing }
    // A member that failed before this one was recovered.
    forgetFailure()
    do {
      let value = try decode()
      forgetFailure()
      return value
    } catch {
      failure = failure ?? (codingPath(), modelType(type), error)
      throw error
    }
  }

  private func forgetFailure() { (failure, isFailureUnknown) = (nil, false) }

  /// Decodes a value with these keys as ``next``.
  func following<Value>(_ keys: ObjectKeys?, _ decode: () throws -> Value) rethrows -> Value {
    let enclosing = next
    next = keys
    defer { next = enclosing }
    return try decode()
  }

  /// Reads the payload to explain an error; no model asks for the keys.
  package static func pausing<Result>(_ read: () throws -> Result) rethrows -> Result {
    try current.pausing(read)
  }
}

extension Trace? {
  /// Reads the payload to explain an error; no model asks for the keys.
  func pausing<Result>(_ read: () throws -> Result) rethrows -> Result {
    guard let self, !self.isPaused else { return try read() }
    self.isPaused = true
    defer { self.isPaused = false }
    return try read()
  }
}
