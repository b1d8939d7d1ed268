#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension JSONDecoder {
  /// Installs a new reporter, in the place of any other, and returns it.
  ///
  /// It receives recovered errors only. Report an error that a decode throws with
  /// ``ResilientDecodingErrorReporter/report(_:decoding:)``.
  public func enableResilientDecodingErrorReporting() -> ResilientDecodingErrorReporter {
    userInfo.enableResilientDecodingErrorReporting()
  }

  /// Decodes a value and returns, with it, what had to be recovered from on the way.
  ///
  /// The decoder stays as it is, also when it is shared by threads, and calls may be nested. When
  /// decoding throws, what was reported until then is passed on to the reporter that was in charge
  /// before the call, if any. The error that is thrown is the caller's: it is reported where it leaves
  /// a ``ResilientDecodingErrorReporter/collectErrors(_:)``.
  ///
  /// With `keyDecodingStrategy` set to `convertFromSnakeCase`, paths have the names of the payload:
  /// `home_page`, not `homePage`. The observer hears the model's.
  ///
  /// - Returns: the value, and the digest: nil when there is nothing to tell, or when
  ///   `reportResilientDecodingErrors` is false.
  /// - Throws: what `decode(_:from:)` throws.
  public func decode<T: Decodable>(
    _ type: T.Type,
    from data: Data,
    reportResilientDecodingErrors: Bool
  ) throws -> (T, ErrorDigest?) {
    guard reportResilientDecodingErrors else { return (try decode(type, from: data), nil) }
    let reporter = ResilientDecodingErrorReporter()
    reporter.names = PayloadNames(of: data, for: self)
    do {
      let value = try reporter.collectRecoveredErrors { try decode(type, from: data) }
      return (value, reporter.flushReportedErrors())
    } catch {
      let enclosing = Listener.reporter(
        besides: userInfo[.resilientDecodingErrorReporter] as? ResilientDecodingErrorReporter
      )
      if let enclosing, let digest = reporter.flushReportedErrors() {
        Listener(enclosing)?.report(digest)
      }
      throw error
    }
  }
}

extension PropertyListDecoder {
  /// Installs a new reporter, in the place of any other, and returns it.
  ///
  /// It receives recovered errors only. Report an error that a decode throws with
  /// ``ResilientDecodingErrorReporter/report(_:decoding:)``.
  public func enableResilientDecodingErrorReporting() -> ResilientDecodingErrorReporter {
    userInfo.enableResilientDecodingErrorReporting()
  }
}
