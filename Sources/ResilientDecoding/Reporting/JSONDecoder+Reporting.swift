public import ResilientPlatform

extension JSONDecoder {
  /// Installs and returns a new reporter, which replaces any other.
  ///
  /// It receives recovered errors only. Report an error that a decode throws with
  /// ``ResilientDecodingErrorReporter/report(_:decoding:)``.
  public func enableResilientDecodingErrorReporting() -> ResilientDecodingErrorReporter {
    userInfo.enableResilientDecodingErrorReporting()
  }

  /// Decodes a value, and returns it with a digest of the recovered errors.
  ///
  /// Does not change the decoder, so threads can share it, and calls can be nested. If decoding
  /// throws, the errors reported so far go to the reporter that was in charge before the call, if
  /// any. The thrown error itself is not reported here, but by an enclosing
  /// ``ResilientDecodingErrorReporter/collectErrors(_:)``.
  ///
  /// - Returns: The value and the digest, which is nil if there were no errors, or if
  ///   `reportResilientDecodingErrors` is false.
  /// - Throws: The error that `decode(_:from:)` throws.
  public func decode<T: Decodable>(
    _ type: T.Type,
    from data: Data,
    reportResilientDecodingErrors: Bool
  ) throws -> (T, ErrorDigest?) {
    guard reportResilientDecodingErrors else { return (try decode(type, from: data), nil) }
    let reporter = ResilientDecodingErrorReporter()
    reporter.reportedKeys = ReportedKeys(of: userInfo)
    do {
      let value = try reporter.collectRecoveredErrors { try decodeDocument(type, from: data) }
      return (value, reporter.flushReportedErrors())
    } catch {
      let enclosing = ErrorSink.reporter(
        inChargeOver: userInfo[.resilientDecodingErrorReporter] as? ResilientDecodingErrorReporter
      )
      if let enclosing, let digest = reporter.flushReportedErrors() {
        ErrorSink(enclosing)?.report(digest)
      }
      if let enclosing, enclosing === ResilientDecodingErrorReporter.current {
        let entry = reporter.removeExplained()
        enclosing.explained.withLock { $0 = entry }
      }
      throw error
    }
  }
}

extension PropertyListDecoder {
  /// Installs and returns a new reporter, which replaces any other.
  ///
  /// It receives recovered errors only. Report an error that a decode throws with
  /// ``ResilientDecodingErrorReporter/report(_:decoding:)``.
  public func enableResilientDecodingErrorReporting() -> ResilientDecodingErrorReporter {
    userInfo.enableResilientDecodingErrorReporting()
  }
}

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
