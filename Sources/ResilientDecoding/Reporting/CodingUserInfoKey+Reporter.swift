extension CodingUserInfoKey {
  /// The key under which a decoder's `userInfo` holds its ``ResilientDecodingErrorReporter``.
  ///
  /// Some decoders, such as that of Yams, hide their `userInfo` if an object has none of the
  /// model's keys: a missing required key is then not reported. With them, use
  /// ``ResilientDecodingErrorReporter/collectErrors(_:)``, which needs no `userInfo`.
  public static let resilientDecodingErrorReporter = CodingUserInfoKey(
    rawValue: "ResilientDecodingErrorReporter"
  )!  // Never nil: the initializer is failable only because its protocol's is.
}

extension [CodingUserInfoKey: any Sendable] {
  /// Installs and returns a new reporter, which replaces any other.
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
  /// Installs and returns a new reporter, which replaces any other.
  ///
  /// It receives recovered errors only. Report an error that a decode throws with
  /// ``ResilientDecodingErrorReporter/report(_:decoding:)``.
  public mutating func enableResilientDecodingErrorReporting() -> ResilientDecodingErrorReporter {
    let reporter = ResilientDecodingErrorReporter()
    self[.resilientDecodingErrorReporter] = reporter
    return reporter
  }
}
