import ResilientPlatform

extension ResilientDecodingErrorReporter {
  /// The reporter that the asynchronous form of ``collectErrors(_:)`` has put in charge of the current
  /// task.
  @TaskLocal static var ofTask: ResilientDecodingErrorReporter?

  /// The reporter that ``collectErrors(_:)`` has put in charge.
  static var current: ResilientDecodingErrorReporter? { DecodeState.current?.reporter ?? ofTask }

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

  /// Runs a decode as ``collectErrors(_:)`` does, but does not report the error that it throws.
  final func collectRecoveredErrors<Result>(_ decode: () throws -> Result) rethrows -> Result {
    // A decode that only searches for a bad member reports nothing, and neither do decodes in it.
    if let current = Self.current, current === Self.discarding { return try decode() }
    return try DecodeState.with(reporter: self, decode)
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
