extension CodingUserInfoKey {
  /// The key under which a decoder's `userInfo` holds its ``ResilientDecodingErrorReporter``.
  ///
  /// Some decoders, as that of Yams, hide their `userInfo` from an object that has none of the
  /// model's keys: a required key is missing there without a report. With them, use
  /// ``ResilientDecodingErrorReporter/collectErrors(_:)``, which needs no `userInfo`.
  public static let resilientDecodingErrorReporter = CodingUserInfoKey(
    rawValue: "ResilientDecodingErrorReporter"
  )!  // Never nil: the initialiser is failable only because its protocol's is.
}

extension Decoder {
  /// Reports an error that an `init(from:)` has recovered from; does nothing without a reporter.
  public func reportError(_ error: any Error) {
    report(error, decoding: nil)
  }

  /// Reports an error that was recovered from in this decoder's place, where `type` was expected.
  func report(_ error: any Error, decoding type: Any.Type?, as kind: ErrorDigest.Kind? = nil) {
    Listener(of: self)?
      .report(error, at: RecoveryPlace(codingPath), decoding: type, as: kind) { self }
  }
}

extension Decoder {
  /// Reports an error that was recovered from in `place`, without a look at what is there.
  func report(_ error: any Error, at place: RecoveryPlace, decoding type: Any.Type) {
    Listener(of: self)?.report(error, at: place, decoding: type)
  }
}

extension KeyedDecodingContainer {
  /// Reports an error that was recovered from at `key`, where `type` was expected.
  @usableFromInline
  func report(
    _ error: any Error,
    forKey key: Key,
    decoding type: Any.Type,
    as kind: ErrorDigest.Kind? = nil
  ) {
    let decoder = decoder(at: key)
    guard let listener = Listener(of: decoder ?? decoderNearby) else { return }
    listener.report(error, at: RecoveryPlace(codingPath + [key]), decoding: type, as: kind) {
      decoder
    }
  }

  /// A decoder of what the key holds, if it is there.
  ///
  /// Where a decoder has none, the error that is being reported goes without what was found.
  func decoder(at key: Key) -> (any Decoder)? {
    contains(key) ? try? superDecoder(forKey: key) : nil
  }

  /// A decoder of this container, for a container does not know its `userInfo`.
  ///
  /// Only asked for once there is an error. Some decoders have one for the keys that are there
  /// alone; one that has none at all has no reporter to give either.
  private var decoderNearby: (any Decoder)? {
    allKeys.first.flatMap { try? superDecoder(forKey: $0) } ?? (try? superDecoder())
  }
}

extension [CodingUserInfoKey: any Sendable] {
  /// Installs a new reporter, in the place of any other, and returns it.
  ///
  /// It receives recovered errors only. Report an error that a decode throws with
  /// ``ResilientDecodingErrorReporter/report(_:decoding:)``.
  public mutating func enableResilientDecodingErrorReporting() -> ResilientDecodingErrorReporter {
    let reporter = ResilientDecodingErrorReporter()
    self[.resilientDecodingErrorReporter] = reporter
    return reporter
  }
}

extension [CodingUserInfoKey: Any] {
  /// Installs a new reporter, in the place of any other, and returns it.
  ///
  /// It receives recovered errors only. Report an error that a decode throws with
  /// ``ResilientDecodingErrorReporter/report(_:decoding:)``.
  public mutating func enableResilientDecodingErrorReporting() -> ResilientDecodingErrorReporter {
    let reporter = ResilientDecodingErrorReporter()
    self[.resilientDecodingErrorReporter] = reporter
    return reporter
  }
}
