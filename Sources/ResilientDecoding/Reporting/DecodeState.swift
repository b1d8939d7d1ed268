import ResilientPlatform

/// The state of a thread's synchronous decode: a decoder can't pass arguments down to the values it
/// decodes.
///
/// Tasks and threads that the decode starts have their own state.
package final class DecodeState {
  /// The reporter in charge; nil if that of the task is.
  let reporter: ResilientDecodingErrorReporter?

  /// The trace of the decode, if it is traced.
  let trace: Trace?

  /// The object that reads the payload: to find an entry of a dictionary, or to store a document.
  package let reader: AnyObject?

  private init(
    _ reporter: ResilientDecodingErrorReporter?, _ trace: Trace?, _ reader: AnyObject?
  ) {
    let outer = Self.current
    self.reporter = reporter ?? outer?.reporter
    self.trace = trace ?? outer?.trace
    self.reader = reader ?? outer?.reader
  }

  package static var current: DecodeState? {
    // Nothing else stores an object of a thread.
    ThreadLocal.object.map { unsafeDowncast($0, to: DecodeState.self) }
  }

  /// Runs `body` with what is not nil; the rest stays as it is.
  package static func with<Result>(
    reporter: ResilientDecodingErrorReporter? = nil, trace: Trace? = nil,
    reader: AnyObject? = nil, _ body: () throws -> Result
  ) rethrows -> Result {
    try ThreadLocal.withObject(DecodeState(reporter, trace, reader), body)
  }
}

extension DecodingError {
  /// The error of a value that is nested too deeply for the stack of this thread.
  static func nestedTooDeeply(at codingPath: [any CodingKey]) -> Self {
    .dataCorrupted(
      Context(
        codingPath: codingPath,
        debugDescription: "The value is nested too deeply for the stack of this thread.",
        underlyingError: StackLimit()))
  }

  fileprivate struct StackLimit: Error {}
}

extension DecodingError.Context {
  /// Whether a value was nested too deeply for the stack.
  var isNestedTooDeeply: Bool { underlyingError is DecodingError.StackLimit }
}

extension Decoder {
  /// Checks that a value can be decoded with the stack that is left.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if not.
  package func checkStack() throws {
    if Stack.isLow { throw DecodingError.nestedTooDeeply(at: codingPath) }
  }
}
