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

  /// Whether a value was nested too deeply for the stack.
  var isNestedTooDeeply: Bool {
    guard case .dataCorrupted(let context) = self else { return false }
    return context.underlyingError is StackLimit
  }

  private struct StackLimit: Error {}
}

extension Decoder {
  /// Checks that a value can be decoded with the stack that is left.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if not.
  func checkStack() throws {
    if Stack.isLow { throw DecodingError.nestedTooDeeply(at: codingPath) }
  }
}
