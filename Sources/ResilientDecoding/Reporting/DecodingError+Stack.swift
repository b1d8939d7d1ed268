import ResilientPlatform

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
