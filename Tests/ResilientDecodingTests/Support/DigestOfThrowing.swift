import ResilientDecoding
import Testing

/// Runs a decode that throws, and returns what a reporter has collected.
func digestOfThrowing<T>(
  sourceLocation: SourceLocation = #_sourceLocation, _ decode: () throws -> T
) -> ErrorDigest? {
  let reporter = ResilientDecodingErrorReporter()
  #expect(throws: DecodingError.self, sourceLocation: sourceLocation) {
    try reporter.collectErrors(decode)
  }
  return reporter.flushReportedErrors()
}
