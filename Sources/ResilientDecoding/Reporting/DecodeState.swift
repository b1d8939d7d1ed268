import ResilientPlatform

/// The state of a thread's synchronous decode: a decoder can't pass arguments down to the values it
/// decodes.
///
/// Tasks and threads that the decode starts have their own state.
package final class DecodeState {
  /// The reporter in charge; nil if that of the task is.
  private(set) var reporter: ResilientDecodingErrorReporter?

  /// The trace of the decode, if it is traced.
  private(set) var trace: Trace?

  /// The object that reads a document to store it.
  package private(set) var reader: AnyObject?

  /// The entry of a dictionary that is searched.
  private(set) var entry: EntrySearch.Target?

  private init(_ outer: DecodeState?) {
    (reporter, trace) = (outer?.reporter, outer?.trace)
    (reader, entry) = (outer?.reader, outer?.entry)
  }

  package static var current: DecodeState? {
    // Nothing else stores an object of a thread.
    ThreadLocal.object.map { unsafeDowncast($0, to: DecodeState.self) }
  }

  private static func with<Result>(
    _ change: (DecodeState) -> Void, _ body: () throws -> Result
  ) rethrows -> Result {
    let state = DecodeState(current)
    change(state)
    return try ThreadLocal.withObject(state, body)
  }

  /// Runs `body` with a reporter in charge.
  static func with<Result>(
    _ reporter: ResilientDecodingErrorReporter, _ body: () throws -> Result
  ) rethrows -> Result {
    try with({ $0.reporter = reporter }, body)
  }

  /// Runs `body`, and follows its decode.
  static func with<Result>(_ trace: Trace, _ body: () throws -> Result) rethrows -> Result {
    try with({ $0.trace = trace }, body)
  }

  /// Runs `body`, which searches an entry of a dictionary.
  static func with<Result>(
    _ entry: EntrySearch.Target, _ body: () throws -> Result
  ) rethrows -> Result {
    try with({ $0.entry = entry }, body)
  }

  /// Runs `body`, which reads a document.
  package static func with<Result>(
    reader: AnyObject, _ body: () throws -> Result
  ) rethrows -> Result {
    try with({ $0.reader = reader }, body)
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
