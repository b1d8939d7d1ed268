import ResilientPlatform

/// Follows a decode: remembers the innermost member whose error is being thrown, or the keys that
/// models ask for.
// Sendable although `next` and `isPaused` have no lock: they belong to one decode, whose containers
// are not Sendable.
final class Trace: @unchecked Sendable {
  @TaskLocal static var current: Trace?

  /// The greatest depth in a document at which a value is decoded again.
  ///
  /// A value is decoded at most once for each place above it that fails, so this limit keeps the
  /// time linear in the size of the document.
  static let maximumDepth = 20

  /// A call that failed: the member's path, the type asked for, and the error.
  typealias Failure = (codingPath: [any CodingKey], type: Any.Type, error: any Error)

  private let failed = Locked<Failure?>(nil)

  /// Whether failing members are remembered, and not keys.
  private let followsFailures: Bool

  /// The keys at the place of the value that is decoded next; nil if keys are not followed.
  private(set) var next: ObjectKeys?

  /// Whether the library itself reads the payload, to explain an error.
  fileprivate(set) var isPaused = false

  /// - Parameter keys: The keys of the root; nil to follow no keys.
  init(keys: ObjectKeys? = nil) {
    next = keys
    followsFailures = keys == nil
  }

  var failure: Failure? { failed.withLock { $0 } }

  /// Whether a value can be traced. Each level takes stack, so values much deeper than the first
  /// one cannot.
  func reaches(_ decoder: any Decoder) -> Bool {
    (next?.depth ?? decoder.codingPath.count) <= 2 * Self.maximumDepth
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
    guard followsFailures else { return try following(keys, decode) }
    // A member that failed before this one was recovered.
    failed.withLock { $0 = nil }
    do {
      let value = try following(keys, decode)
      failed.withLock { $0 = nil }
      return value
    } catch {
      let failure = (codingPath(), type, error)
      failed.withLock { $0 = $0 ?? failure }
      throw error
    }
  }

  /// Decodes a value with these keys as ``next``.
  func following<Value>(_ keys: ObjectKeys?, _ decode: () throws -> Value) rethrows -> Value {
    let enclosing = next
    next = keys
    defer { next = enclosing }
    return try decode()
  }

  /// Reads the payload to explain an error; no model asks for the keys.
  static func pausing<Result>(_ read: () throws -> Result) rethrows -> Result {
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
