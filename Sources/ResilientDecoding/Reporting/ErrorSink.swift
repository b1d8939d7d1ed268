/// Those who are told about the errors of a decode: a reporter, the observer, or both.
struct Listener {
  private let reporter: ResilientDecodingErrorReporter?
  private let observer: ResilientDecodingErrorReporter.Observer?
  private let mayRepeatMissingKeys: Bool

  /// Finds out who listens; nil when nobody does.
  init?(of decoder: (any Decoder)?) {
    self.init(
      Self.reporter(
        besides: decoder?.userInfo[.resilientDecodingErrorReporter]
          as? ResilientDecodingErrorReporter
      ),
      mayRepeatMissingKeys: decoder?.mayRepeatMissingKeys ?? true
    )
  }

  /// The reporter in charge, given the one that is installed in a decoder.
  static func reporter(
    besides installed: ResilientDecodingErrorReporter?
  ) -> ResilientDecodingErrorReporter? {
    let current = ResilientDecodingErrorReporter.current
    // A checkpoint stands for one reporter, and not for that of another decoder within the attempt.
    if let attempt = (current as? Checkpoint)?.installed, let installed, installed !== attempt {
      return installed
    }
    return current ?? installed
  }

  /// - Parameter mayRepeatMissingKeys: what there is to know of the decoder, if it is known.
  init?(_ reporter: ResilientDecodingErrorReporter?, mayRepeatMissingKeys: Bool = true) {
    if reporter === ResilientDecodingErrorReporter.unheard { return nil }
    self.reporter = reporter
    self.mayRepeatMissingKeys = mayRepeatMissingKeys
    // What a checkpoint holds may be taken back: the observer hears of what is not.
    self.observer = reporter is Checkpoint ? nil : ResilientDecodingErrorReporter.observer
    if reporter == nil, observer == nil { return nil }
  }

  /// How many entries a checkpoint holds: what the reporter may take, and what the observer may hear of.
  var maximumEntries: Int {
    max(
      reporter?.maximumEntries ?? 0,
      observer == nil ? 0 : ResilientDecodingErrorReporter.defaultMaximumEntries)
  }

  /// Whether more is wanted of an error than that it is counted.
  var wantsEntries: Bool { observer != nil || reporter?.isFull == false }

  /// - Parameter decoder: of the place of the recovery, where one can be had.
  func report(
    _ error: any Error,
    at place: RecoveryPlace,
    decoding type: Any.Type?,
    as kind: ErrorDigest.Kind? = nil,
    from decoder: () -> (any Decoder)? = { nil }
  ) {
    var incident = Incident(
      error, at: place, decoding: type, as: kind, mayRepeatMissingKeys: mayRepeatMissingKeys)
    if let decoder = decoder() {
      incident.look(from: decoder, wantsFoundValue: wantsEntries || !decoder.hasTypedScalars)
    }
    if wantsEntries {
      report(ErrorDigest.Entry(incident))
    } else {
      reporter?.count(incident)
    }
  }

  private func report(_ entry: ErrorDigest.Entry) {
    var entry = entry
    entry.isObserved = observer != nil
    reporter?.add(entry)
    observer?(entry)
  }

  /// Takes over what a checkpoint, or the reporter of a single decode, holds.
  func report(_ digest: ErrorDigest) {
    for entry in digest.entries { adopt(entry) }
    reporter?.adopt(digest.omissions)
  }

  private func adopt(_ entry: ErrorDigest.Entry) {
    if entry.isObserved {
      reporter?.add(entry)
    } else {
      report(entry)
    }
  }
}
