/// Collects what went wrong while decoding, until someone flushes it.
///
/// Install one in a decoder's `userInfo` under
/// `CodingUserInfoKey.resilientDecodingErrorReporter`, or call ``collectErrors(_:)``. One reporter
/// may serve several decoders on several threads. Subclass it to do more with a flushed digest.
// Sendable although it can be subclassed: all state of this class is behind its mutex, and a
// subclass answers for its own.
open class ResilientDecodingErrorReporter: @unchecked Sendable {
  /// The reporter that ``collectErrors(_:)`` has put in charge of the current task or thread.
  @TaskLocal static var current: ResilientDecodingErrorReporter?

  private let collected: Locked<ErrorDigest.Collector>

  /// Makes a reporter whose digests hold at most `maximumEntries` entries.
  ///
  /// Errors beyond that are counted, by failure, in ``ErrorDigest/omissions``: a broken array of
  /// millions of elements costs a bounded amount of memory.
  public init(maximumEntries: Int = 1_000) {
    collected = Locked(ErrorDigest.Collector(maximumEntries: maximumEntries))
  }

  /// Takes all that was reported since the last flush.
  ///
  /// - Returns: the digest, or nil when nothing was reported.
  @discardableResult
  open func flushReportedErrors() -> ErrorDigest? {
    collected.withLock { $0.flush() }
  }

  /// Runs a decode whose errors come to this reporter, whatever decoder it uses.
  ///
  /// No decoder is touched, so that threads can share one. While `decode` runs, this reporter
  /// comes before one in a decoder's `userInfo`; of nested calls the innermost counts.
  public final func collectErrors<Result>(_ decode: () throws -> Result) rethrows -> Result {
    try Self.$current.withValue(self, operation: decode)
  }

  /// Reports the error that decoding a whole document has thrown.
  ///
  /// For a call that records failed decodes as well; the error itself stays the caller's.
  public final func report(_ error: any Error, decoding type: Any.Type) {
    report(ErrorDigest.Entry(error, recoveryPath: ErrorDigest.Path(), decoding: type))
  }

  final func report(_ entry: ErrorDigest.Entry) {
    collected.withLock { $0.add(entry) }
  }

  /// Takes over what another reporter holds.
  final func adopt(_ digest: ErrorDigest) {
    collected.withLock { $0.add(digest) }
  }
}
