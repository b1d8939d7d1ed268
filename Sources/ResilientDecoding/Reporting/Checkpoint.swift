extension Decoder {
  /// Runs an attempt whose errors are reported only if it succeeds.
  ///
  /// Use it in a type that tries several forms: errors reported by a form that then throws are
  /// discarded.
  ///
  ///     do {
  ///       self = .listing(try decoder.withReportingCheckpoint { try Listing(from: decoder) })
  ///     } catch {
  ///       self = .experience(try Experience(from: decoder))
  ///     }
  ///
  /// The errors of the attempt are held in memory until it ends: as many entries as the reporter
  /// holds, and at least 1,000 if there are observers
  /// (``ResilientDecodingErrorReporter/addObserver(_:)``). Further errors are only counted, and no
  /// observer is called for them.
  ///
  /// - Throws: The error that `attempt` throws.
  public func withReportingCheckpoint<Value>(_ attempt: () throws -> Value) rethrows -> Value {
    guard let sink = ErrorSink(of: self) else { return try attempt() }
    let checkpoint = Checkpoint(maximumEntries: sink.maximumEntries, of: self)
    let value = try checkpoint.collectRecoveredErrors(attempt)
    if let digest = checkpoint.flushReportedErrors() { sink.report(digest) }
    return value
  }
}

/// Holds the errors of an attempt until it succeeds or fails.
// Sendable because its superclass is, and a constant is added.
final class Checkpoint: ResilientDecodingErrorReporter, @unchecked Sendable {
  /// The reporter in the decoder's `userInfo` that this one replaces, if there is one.
  let installed: ResilientDecodingErrorReporter?

  init(maximumEntries: Int, of decoder: any Decoder) {
    let enclosing = Self.current
    installed =
      enclosing == nil
      ? decoder.userInfo[.resilientDecodingErrorReporter] as? ResilientDecodingErrorReporter
      : (enclosing as? Checkpoint)?.installed
    super.init(maximumEntries: maximumEntries)
    reportedKeys = enclosing?.reportedKeys ?? installed?.reportedKeys ?? []
  }
}
