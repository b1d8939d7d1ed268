extension Decoder {
  /// Runs an attempt whose reports count only if it succeeds.
  ///
  /// For a type that tries one form after another: what the first form has reported before it
  /// threw is taken back, and the second begins where the first began.
  ///
  ///     do {
  ///       self = .listing(try decoder.withReportingCheckpoint { try Listing(from: decoder) })
  ///     } catch {
  ///       self = .experience(try Experience(from: decoder))
  ///     }
  ///
  /// - Throws: what `attempt` throws.
  public func withReportingCheckpoint<Value>(_ attempt: () throws -> Value) rethrows -> Value {
    guard let listener = Listener(of: self) else { return try attempt() }
    let checkpoint = Checkpoint(for: listener)
    let value = try checkpoint.collectErrors(attempt)
    if let digest = checkpoint.flushReportedErrors() { listener.report(digest) }
    return value
  }
}

/// Holds what is reported by an attempt until it is known whether the attempt succeeds.
// Sendable as its superclass is, for it adds no state.
final class Checkpoint: ResilientDecodingErrorReporter, @unchecked Sendable {
  init(for listener: Listener) {
    super.init(maximumEntries: listener.maximumEntries)
  }
}
