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
  /// What the attempt reports is held in memory until it ends: as many entries as the reporter has,
  /// at least 1,000 if there is an ``ResilientDecodingErrorReporter/observer``. Further errors are
  /// counted, and the observer does not hear of them.
  ///
  /// - Throws: what `attempt` throws.
  public func withReportingCheckpoint<Value>(_ attempt: () throws -> Value) rethrows -> Value {
    guard let listener = Listener(of: self) else { return try attempt() }
    let checkpoint = Checkpoint(for: listener, of: self)
    let value = try checkpoint.collectRecoveredErrors(attempt)
    if let digest = checkpoint.flushReportedErrors() { listener.report(digest) }
    return value
  }
}

/// Holds what is reported by an attempt until it is known whether the attempt succeeds.
// Sendable as its superclass is, for it adds no state that changes.
final class Checkpoint: ResilientDecodingErrorReporter, @unchecked Sendable {
  /// The reporter in the decoder's `userInfo` that this one stands for, if it was found there.
  let installed: ResilientDecodingErrorReporter?

  init(for listener: Listener, of decoder: any Decoder) {
    let enclosing = Self.current
    installed =
      enclosing == nil
      ? decoder.userInfo[.resilientDecodingErrorReporter] as? ResilientDecodingErrorReporter
      : (enclosing as? Checkpoint)?.installed
    super.init(maximumEntries: listener.maximumEntries)
  }
}
