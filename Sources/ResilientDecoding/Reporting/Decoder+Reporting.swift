extension Decoder {
  /// Reports an error from which an `init(from:)` has recovered; does nothing without a reporter.
  public func reportError(_ error: any Error) {
    report(error, decoding: nil)
  }

  /// Reports an error that was recovered from at this decoder's place, where `type` was expected.
  func report(_ error: any Error, decoding type: Any.Type?, as kind: ErrorDigest.Kind? = nil) {
    ErrorSink(of: self)?
      .report(error, at: RecoveryPlace(codingPath), decoding: type, as: kind) { self }
  }
}

extension KeyedDecodingContainer {
  /// Reports an error that was recovered from at `key`, where `type` was expected.
  func report(
    _ error: any Error,
    forKey key: Key,
    decoding type: Any.Type,
    as kind: ErrorDigest.Kind? = nil
  ) {
    let decoder = decoder(at: key)
    guard let sink = ErrorSink(of: decoder ?? decoderNearby) else { return }
    sink.report(error, at: RecoveryPlace(codingPath + [key]), decoding: type, as: kind) {
      decoder
    }
  }

  /// A decoder for this container's `userInfo`, which the container itself does not have.
  ///
  /// Used only after an error. Some decoders return one only for existing keys; from a decoder that
  /// returns none there is no reporter.
  var decoderNearby: (any Decoder)? {
    (try? superDecoder()) ?? allKeys.first.flatMap { try? superDecoder(forKey: $0) }
  }
}

extension KeyedDecodingContainer {
  /// Reports the missing key of a wrapper, if the decode reports such keys.
  ///
  /// - Parameters:
  ///   - key: A key that is missing or holds null.
  ///   - type: The type that was expected.
  func reportAbsence<Value>(of key: Key, decoding type: Value.Type) {
    guard ReportedKeys.mayIncludeMissing, !contains(key), let decoder = decoderNearby else {
      return
    }
    let current = ResilientDecodingErrorReporter.current
    guard (current?.reportedKeys ?? []).union(ReportedKeys(of: decoder.userInfo)).contains(.missing)
    else { return }
    let error = DecodingError.keyNotFound(
      key,
      DecodingError.Context(
        codingPath: codingPath, debugDescription: "The payload has no such key"))
    ErrorSink(of: decoder)?.report(
      error, at: RecoveryPlace(codingPath + [key]), decoding: expectedType(of: type),
      as: .missingKey)
  }
}

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
