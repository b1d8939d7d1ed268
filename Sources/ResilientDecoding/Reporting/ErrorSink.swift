import ResilientPlatform

/// Where the errors of a decode go: to a reporter, the observers, or both.
struct ErrorSink {
  private let reporter: ResilientDecodingErrorReporter?
  private let observer: ResilientDecodingErrorReporter.Observer?

  /// A decoder of the document, if there is one: it tells the payload's names of keys.
  private let decoder: (any Decoder)?

  /// Finds the sink for a decoder's errors; nil if nothing collects them.
  init?(of decoder: (any Decoder)?) {
    self.init(
      Self.reporter(
        inChargeOver: decoder?.userInfo[.resilientDecodingErrorReporter]
          as? ResilientDecodingErrorReporter
      ),
      decoder: decoder
    )
  }

  /// Returns the reporter in charge; `installed` is the reporter in the decoder's `userInfo`.
  static func reporter(
    inChargeOver installed: ResilientDecodingErrorReporter?
  ) -> ResilientDecodingErrorReporter? {
    let current = ResilientDecodingErrorReporter.current.flatMap { $0.isFinished ? nil : $0 }
    // A checkpoint replaces one reporter, and not that of another decoder within the attempt.
    if let attempt = (current as? Checkpoint)?.installed, let installed, installed !== attempt {
      return installed
    }
    return current ?? installed
  }

  /// - Parameters:
  ///   - reporter: The reporter in charge, if any.
  ///   - decoder: A decoder of the document, if there is one.
  init?(_ reporter: ResilientDecodingErrorReporter?, decoder: (any Decoder)? = nil) {
    if reporter === ResilientDecodingErrorReporter.discarding { return nil }
    self.reporter = reporter
    self.decoder = decoder
    // A checkpoint may discard its errors: observers are called for those that remain.
    observer =
      reporter is Checkpoint
      ? nil : ResilientDecodingErrorReporter.observers.withLock { $0.all }
    if reporter == nil, observer == nil { return nil }
  }

  /// The number of entries that a checkpoint holds for this sink.
  var maximumEntries: Int {
    max(
      reporter?.maximumEntries ?? 0,
      observer == nil ? 0 : ResilientDecodingErrorReporter.defaultMaximumEntries)
  }

  /// Whether the next error is only counted.
  private var isCountingOnly: Bool { observer == nil && reporter?.isFull != false }

  /// Reports an error.
  ///
  /// - Parameter decoder: Returns a decoder at the place of the recovery, if there is one.
  func report(
    _ error: any Error,
    at place: RecoveryPlace,
    decoding type: Any.Type?,
    as kind: ErrorDigest.Kind? = nil,
    from decoder: () -> (any Decoder)? = { nil }
  ) {
    let recovered = recovered(error, at: place, decoding: type, as: kind, from: decoder)
    if isCountingOnly {
      reporter?.count(recovered.failureKey) { (recovered.failure, recovered.message) }
    } else {
      report(recovered.entry)
    }
  }

  /// Reads an error and what the payload holds there, and does not report it.
  func recovered(
    _ error: any Error,
    at place: RecoveryPlace,
    decoding type: Any.Type?,
    as kind: ErrorDigest.Kind? = nil,
    from decoder: () -> (any Decoder)?
  ) -> RecoveredError {
    var recovered = RecoveredError(
      error, at: place, decoding: type, as: kind, in: self.decoder)
    guard let decoder = decoder() else { return recovered }
    recovered.inspect(
      // In formats without types only the found value tells the kind.
      with: decoder, needsFoundValue: !isCountingOnly || !decoder.isFoundations,
      for: observer == nil ? reporter : nil)
    return recovered
  }

  /// Reports an unknown key.
  func report(_ key: UnknownKey) {
    var entry = ErrorDigest.Entry(unknownKey: key.path.named(by: decoder))
    if !isCountingOnly {
      entry.foundValue = key.decoder.flatMap { ErrorDigest.FoundValue(of: $0) }
    }
    report(entry)
  }

  /// Reports an entry that is complete.
  func report(added entry: ErrorDigest.Entry) {
    // An observer that passes its entry on would be called with it again.
    guard !entry.isObserved else {
      reporter?.add(entry)
      return
    }
    var entry = entry
    entry.foundValue = entry.foundValue?.shortened
    report(entry)
  }

  private func report(_ entry: ErrorDigest.Entry) {
    var entry = entry
    entry.isObserved = observer != nil
    reporter?.add(entry)
    observer?(entry)
  }

  /// Reports the errors of a checkpoint, or of the reporter of a single decode.
  func report(_ digest: ErrorDigest) {
    for entry in digest.entries {
      if entry.isObserved { reporter?.add(entry) } else { report(entry) }
    }
    reporter?.add(digest.omissions)
  }
}
