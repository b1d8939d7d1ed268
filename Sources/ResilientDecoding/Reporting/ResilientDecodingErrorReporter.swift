package import ResilientPlatform

/// Collects the errors of decoding until they are flushed.
///
/// Install a reporter in a decoder's `userInfo` under
/// `CodingUserInfoKey.resilientDecodingErrorReporter`, or call ``collectErrors(_:)``. One reporter
/// can serve several decoders on several threads. To process each flushed digest, make a subclass.
// Sendable although it can be subclassed: mutexes guard all state of this class that changes while
// it is shared, and a subclass is responsible for its own state.
open class ResilientDecodingErrorReporter: @unchecked Sendable {
  /// The reporter that the asynchronous form of ``collectErrors(_:)`` has put in charge of the current
  /// task.
  @TaskLocal static var ofTask: ResilientDecodingErrorReporter?

  /// The reporter that ``collectErrors(_:)`` has put in charge.
  static var current: ResilientDecodingErrorReporter? { DecodeState.current?.reporter ?? ofTask }

  /// The current reporter while errors are discarded, for observers too.
  static let discarding = ResilientDecodingErrorReporter()

  /// A closure that receives each reported error.
  public typealias Observer = @Sendable (ErrorDigest.Entry) -> Void

  /// The default maximum number of entries in a digest.
  static let defaultMaximumEntries = 1_000

  /// The maximum number of entries in a digest.
  let maximumEntries: Int

  /// The type of the documents, if all have the same; only the initializer of a subclass sets it.
  package final var model: Any.Type?

  /// The keys to report even though they are not errors; set only before the first use.
  package final var reportedKeys: ReportedKeys = [] {
    didSet { reportedKeys.noteUse() }
  }

  /// The entry of an error that is being thrown.
  final let explained = Locked<ErrorDigest.Entry?>(nil)

  private let collected: Locked<ErrorDigest.Collector>

  /// Creates a reporter whose digests hold at most `maximumEntries` entries.
  ///
  /// Further errors are counted by failure in ``ErrorDigest/omissions``: a broken array of millions
  /// of elements takes a bounded amount of memory.
  public init(maximumEntries: Int = 1_000) {
    self.maximumEntries = maximumEntries
    collected = Locked(ErrorDigest.Collector(maximumEntries: maximumEntries))
  }

  /// Returns and removes all errors reported since the last flush.
  ///
  /// - Returns: The digest, or nil if nothing was reported.
  @discardableResult
  open func flushReportedErrors() -> ErrorDigest? {
    collected.withLock { $0.flush() }
  }

  /// Runs a decode as ``collectErrors(_:)`` does, but does not report the error that it throws.
  final func collectRecoveredErrors<Result>(_ decode: () throws -> Result) rethrows -> Result {
    // A decode that only searches for a bad member reports nothing, and neither do decodes in it.
    if let current = Self.current, current === Self.discarding { return try decode() }
    return try DecodeState.with(reporter: self, decode)
  }

  /// Whether nothing will flush the reporter again, although a task may still have inherited it;
  /// nil if it can be flushed for ever. Set only before the first use.
  package final var finished: Locked<Bool>?

  /// Whether the reporter takes no more errors.
  final var isFinished: Bool { finished?.withLock { $0 } ?? false }

  /// Whether an error was reported since the last flush.
  package final var hasErrors: Bool { collected.withLock { !$0.isEmpty } }

  /// Whether the next error is only counted.
  final var isFull: Bool { collected.withLock { $0.isFull } }

  final func add(_ entry: ErrorDigest.Entry) {
    collected.withLock { $0.add(entry) }
  }

  /// Counts an error that does not fit in the digest.
  ///
  /// - Parameter describe: Returns the failure and the message; not called for a repeat of the last
  ///   one.
  final func count(
    _ key: CollectedFailure?,
    _ describe: () -> (failure: ErrorDigest.Failure, message: String)
  ) {
    if collected.withLock({ $0.countRepeat(of: key) }) { return }
    // Described before the lock is taken: a model's `description` may do anything.
    let (failure, message) = describe()
    collected.withLock { $0.count(failure, message: message, key: key) }
  }

  /// Returns the bad member, by a search or as found before, see
  /// ``ErrorDigest/Collector/badMember(_:)``.
  final func badMember(_ key: CollectedFailure, _ search: () -> BadMember?) -> BadMember? {
    if let known = collected.withLock({ $0.badMember(key) }) { return known }
    let member = search()
    collected.withLock { $0.remember(member, for: key) }
    return member
  }

  /// Adds errors that another reporter has only counted.
  final func add(_ omissions: [ErrorDigest.Omission]) {
    collected.withLock { $0.add(omissions) }
  }
}

extension ResilientDecodingErrorReporter {
  /// Runs a decode with this reporter in charge, whichever decoder it uses.
  ///
  /// Collects the recovered errors, and the error that `decode` throws.
  ///
  /// No decoder is changed, so threads can share one. While `decode` runs, this reporter takes
  /// precedence over one in a decoder's `userInfo`; of nested calls the innermost takes precedence.
  /// A call directly within one of the same reporter leaves a thrown error to the outer call. A task
  /// or a thread that `decode` starts has a reporter of its own, or none.
  ///
  /// - Throws: The error that `decode` throws. It is reported unless it is a `CancellationError`.
  public final func collectErrors<Result>(_ decode: () throws -> Result) rethrows -> Result {
    let isOutermost = Self.current !== self
    do {
      return try collectRecoveredErrors(decode)
    } catch {
      if isOutermost { reportThrown(error) }
      throw error
    }
  }

  /// Runs an asynchronous decode with this reporter in charge, as the synchronous form does.
  ///
  /// The reporter stays in charge across each `await`, and in child tasks: those of `async let` and
  /// of task groups. Another task has its own reporter, or none, and so has a detached one. A
  /// `Task` made by `decode` inherits the reporter, and errors that it reports after `decode` has
  /// returned are in the next digest.
  ///
  /// - Throws: The error that `decode` throws. It is reported unless the task was cancelled: then
  ///   the payload is not the cause, except of a `DecodingError`.
  public final func collectErrors<Result>(
    isolation: isolated (any Actor)? = #isolation,
    _ decode: () async throws -> Result
  ) async rethrows -> Result {
    let isOutermost = Self.current !== self
    do {
      return try await Self.$ofTask.withValue(self, operation: decode, isolation: isolation)
    } catch {
      // A request throws an error of its own when its task is cancelled.
      let isCancellation = Task.isCancelled && !(error is DecodingError)
      if isOutermost, !isCancellation { reportThrown(error) }
      throw error
    }
  }

  /// Reports the error that decoding a whole document has thrown.
  ///
  /// Call it for a reporter in a decoder's `userInfo`, which does not see that error. Errors thrown
  /// within ``collectErrors(_:)`` are already reported.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - type: The type of the document.
  public final func report(_ error: any Error, decoding type: Any.Type) {
    ErrorSink(self)?.report(error, at: RecoveryPlace([]), decoding: type)
  }

  /// Reports an error of code that uses no decoder.
  ///
  /// The entry is added in order of arrival. A full reporter only counts it, as any other error. A
  /// found value of more than 1,000 Unicode scalars is cut.
  public final func report(_ entry: ErrorDigest.Entry) {
    ErrorSink(self)?.report(added: entry)
  }

  /// Reports an error of code that uses no decoder to the reporter in charge of this task or
  /// thread, and to the observers.
  ///
  /// For a hand-written parser that runs within ``collectErrors(_:)``, or within the method of a
  /// store that records the errors of a closure. Without a reporter only the observers get it.
  public static func report(_ entry: ErrorDigest.Entry) {
    ErrorSink(ErrorSink.reporter(inChargeOver: nil))?.report(added: entry)
  }

  /// Keeps the entry of an error that is being thrown, while there is a decoder to read the payload
  /// with. ``collectErrors(_:)`` reports it if the error leaves the decode.
  final func explain(thrown error: any Error, by decoder: any Decoder, decoding type: Any.Type) {
    guard !(error is CancellationError) else { return }
    let sink = ErrorSink(self, decoder: decoder)
    let recovered = sink?.recovered(
      error, at: RecoveryPlace(decoder.codingPath), decoding: type
    ) { decoder }
    let entry = recovered?.entry
    explained.withLock { $0 = entry }
  }

  /// Keeps the entry of an error about a body that is not JSON.
  final func explain(thrown error: any Error, about body: Data, decoding type: Any.Type) {
    guard error.isAboutDocument else { return }
    let found = ErrorDigest.FoundValue.ValueType(ofBody: body)
    explained.withLock { entry in
      // The document was decoded, and threw an error itself.
      guard entry == nil || found != nil && entry?.error.isSame(as: error) != true else { return }
      entry = ErrorDigest.Entry(
        codingPath: ErrorDigest.Path(), kind: .dataCorrupted, expectedType: typeName(type),
        foundValue: found.map { ErrorDigest.FoundValue(type: $0, text: nil) },
        message: found?.messageOfBody ?? ErrorClaim.message(of: error), error: error)
    }
  }

  /// Returns and forgets the entry of the error that is being thrown.
  final func removeExplained() -> ErrorDigest.Entry? {
    explained.withLock { entry in
      defer { entry = nil }
      return entry
    }
  }

  private func reportThrown(_ error: any Error) {
    let explained = removeExplained()
    guard !(error is CancellationError) else { return }
    let sink = ErrorSink(self)
    if let explained,
      explained.error.isSame(as: error) || explained.error.isJSONError && error.isAboutDocument
    {
      sink?.report(added: explained)
    } else {
      sink?.report(error, at: RecoveryPlace([]), decoding: model)
    }
  }
}

extension Error {
  /// Whether a decoder cannot read a document: also Foundation's error about a number or text in
  /// it.
  fileprivate var isAboutDocument: Bool {
    guard case .dataCorrupted(let context) = self as? DecodingError else { return false }
    return context.codingPath.isEmpty
  }
}
