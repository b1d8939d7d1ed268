import ResilientPlatform

extension ResilientDecodingErrorReporter {
  /// Runs a decode with this reporter in charge, whichever decoder it uses.
  ///
  /// Collects the recovered errors, and the error that `decode` throws.
  ///
  /// No decoder is changed, so threads can share one. While `decode` runs, this reporter takes
  /// precedence over one in a decoder's `userInfo`; of nested calls the innermost takes precedence.
  /// A call directly within one of the same reporter leaves a thrown error to the outer call.
  ///
  /// - Throws: The error that `decode` throws.
  public final func collectErrors<Result>(_ decode: () throws -> Result) rethrows -> Result {
    let isOutermost = Self.current !== self
    do {
      return try collectRecoveredErrors(decode)
    } catch {
      if isOutermost { reportThrown(error) }
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

  /// Reports an error that is being thrown, while there is still a decoder to inspect it with.
  fileprivate func reportThrown(
    _ error: any Error,
    by decoder: any Decoder,
    decoding type: Any.Type
  ) {
    let place = RecoveryPlace(decoder.codingPath)
    ErrorSink(self, mayRepeatMissingKeys: decoder.mayRepeatMissingKeys)?
      .report(error, at: place, decoding: type) { decoder }
    hasReportedThrown.withLock { $0 = true }
  }

  private func reportThrown(_ error: any Error) {
    let isReported = hasReportedThrown.withLock { isReported in
      defer { isReported = false }
      return isReported
    }
    guard !isReported else { return }
    ErrorSink(self)?.report(error, at: RecoveryPlace([]), decoding: model)
  }
}

/// A whole document. If it cannot be decoded, the error is reported while there is still a decoder.
package struct WholeDocument<Value: Decodable>: Decodable {
  package let value: Value

  package init(from decoder: any Decoder) throws {
    do {
      value = try TracedDocument<Value>(from: decoder).value
    } catch {
      ResilientDecodingErrorReporter.current?.reportThrown(error, by: decoder, decoding: Value.self)
      throw error
    }
  }
}
