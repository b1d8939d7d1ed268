/// Collects what went wrong while decoding, until someone flushes it.
///
/// Install one in a decoder's `userInfo` under
/// `CodingUserInfoKey.resilientDecodingErrorReporter`, or call ``collectErrors(_:)``. One reporter
/// may serve several decoders on several threads. Subclass it to do more with a flushed digest.
// Sendable although it can be subclassed: all state of this class that changes while it is shared is
// behind its mutexes, and a subclass answers for its own.
open class ResilientDecodingErrorReporter: @unchecked Sendable {
  /// The reporter that ``collectErrors(_:)`` has put in charge of the current task or thread.
  @TaskLocal static var current: ResilientDecodingErrorReporter?

  /// Takes the place of one while errors are met that nobody is to hear of, the observer included.
  static let unheard = ResilientDecodingErrorReporter()

  /// Hears of each error that is recovered from.
  public typealias Observer = @Sendable (ErrorDigest.Entry) -> Void

  /// Hears of each error anywhere in the process, with or without a reporter, as it is met.
  ///
  /// It is called on the thread that decodes, which waits for it. Errors within a
  /// `Decoder.withReportingCheckpoint(_:)` come when the attempt has succeeded, and never when it
  /// throws. Of one attempt the observer hears of the first 1,000 errors, or of as many as the
  /// reporter has entries if those are more; the reporter counts the others.
  public static var observer: Observer? {
    get { currentObserver.withLock { $0 } }
    set { currentObserver.withLock { $0 = newValue } }
  }

  /// How many entries a digest holds at most, unless a reporter says otherwise.
  static let defaultMaximumEntries = 1_000

  static let currentObserver = Locked<Observer?>(nil)

  /// How many entries a digest holds at most.
  let maximumEntries: Int

  /// The type of the documents, if there is one for all; set only by the initialiser of a subclass.
  package final var model: Any.Type?

  /// What the one payload calls the keys of the model, where that may differ; set only before the
  /// reporter is used.
  package final var names: PayloadNames?

  /// Whether the error that is being thrown was reported where there was a decoder to look with.
  private let hasReportedThrown = Locked(false)

  private let collected: Locked<ErrorDigest.Collector>

  /// Makes a reporter whose digests hold at most `maximumEntries` entries.
  ///
  /// Errors beyond that are counted, by failure, in ``ErrorDigest/omissions``: a broken array of
  /// millions of elements costs a bounded amount of memory.
  public init(maximumEntries: Int = 1_000) {
    self.maximumEntries = maximumEntries
    collected = Locked(ErrorDigest.Collector(maximumEntries: maximumEntries))
  }

  /// Takes all that was reported since the last flush.
  ///
  /// - Returns: the digest, or nil when nothing was reported.
  @discardableResult
  open func flushReportedErrors() -> ErrorDigest? {
    guard let digest = collected.withLock({ $0.flush() }) else { return nil }
    return names?.renamed(digest) ?? digest
  }

  /// Runs a decode whose errors come to this reporter, whatever decoder it uses.
  ///
  /// They are those that are recovered from, and the one that `decode` throws.
  ///
  /// No decoder is touched, so that threads can share one. While `decode` runs, this reporter
  /// comes before one in a decoder's `userInfo`; of nested calls the innermost counts. A call
  /// directly within one of the same reporter leaves a thrown error to the outer one.
  ///
  /// - Throws: what `decode` throws.
  public final func collectErrors<Result>(_ decode: () throws -> Result) rethrows -> Result {
    let isOutermost = Self.current !== self
    do {
      return try collectRecoveredErrors(decode)
    } catch {
      if isOutermost { reportThrown(error) }
      throw error
    }
  }

  /// Runs a decode as ``collectErrors(_:)`` does, and leaves what it throws to others.
  final func collectRecoveredErrors<Result>(_ decode: () throws -> Result) rethrows -> Result {
    // A decode that only looks for a failed member is heard by nobody, whatever it nests.
    if let current = Self.current, current === Self.unheard { return try decode() }
    return try Self.$current.withValue(self, operation: decode)
  }

  /// Reports the error that decoding a whole document has thrown.
  ///
  /// For a reporter in a decoder's `userInfo`, which does not see that error. Those that are thrown in
  /// ``collectErrors(_:)`` are reported already.
  ///
  /// - Parameters:
  ///   - error: the error, which stays the caller's.
  ///   - type: the type of the document.
  public final func report(_ error: any Error, decoding type: Any.Type) {
    Listener(self)?.report(error, at: RecoveryPlace([]), decoding: type)
  }

  /// Reports an error that is being thrown, while there is a decoder to look with.
  final func reportThrown(_ error: any Error, by decoder: any Decoder, decoding type: Any.Type) {
    let place = RecoveryPlace(decoder.codingPath)
    Listener(self, mayRepeatMissingKeys: decoder.mayRepeatMissingKeys)?
      .report(error, at: place, decoding: type) { decoder }
    hasReportedThrown.withLock { $0 = true }
  }

  private final func reportThrown(_ error: any Error) {
    let isReported = hasReportedThrown.withLock { isReported in
      defer { isReported = false }
      return isReported
    }
    guard !isReported else { return }
    Listener(self)?.report(error, at: RecoveryPlace([]), decoding: model)
  }

  /// Whether another error can only be counted.
  final var isFull: Bool { collected.withLock { $0.isFull } }

  final func add(_ entry: ErrorDigest.Entry) {
    collected.withLock { $0.add(entry) }
  }

  /// Counts an error for which there is no room.
  final func count(_ incident: Incident) {
    let glance = incident.glance
    if collected.withLock({ $0.omitAtAGlance(glance) }) { return }
    // Put into words before the lock is taken: a user's `description` may do anything.
    let (failure, message) = (incident.failure, incident.message)
    collected.withLock { $0.omit(failure, message: message, glance: glance) }
  }

  /// Takes over what another reporter has only counted.
  final func adopt(_ omissions: [ErrorDigest.Omission]) {
    collected.withLock { $0.add(omissions) }
  }
}
