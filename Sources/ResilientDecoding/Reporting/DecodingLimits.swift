import ResilientPlatform

/// Limits the cost of errors deep in a payload.
///
/// Creating an error takes a decoder time that grows with the square of the depth, because an error
/// has a path. So the errors inside one outermost resilient value have a budget. Once it is spent,
/// a value that is nested deeply in resilient values rethrows its error, and an enclosing value
/// counts as malformed: the rest of it is not decoded.
enum RecoveryBudget {
  /// The greatest depth, in nested resilient values, at which every error is recovered from.
  static let shallowest = 16

  /// The maximum sum of the squares of the errors' depths, less ``shallowest`` each: 365 errors
  /// below 250 levels, or 17,300 below 50.
  static let maximum = 20_000_000

  /// Counts an error that a value is about to recover from.
  ///
  /// - Throws: The error, if an enclosing value should recover from it instead.
  static func spend(on error: any Error) throws {
    let depth = Nesting.depth
    guard depth > shallowest else { return }
    let levels = max(depth, (error as? DecodingError)?.depth ?? 0) - shallowest
    if Nesting.add(cost: levels * levels) > maximum { throw error }
  }
}

extension DecodingError {
  /// The number of levels above the error.
  fileprivate var depth: Int {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      context.codingPath.count
    @unknown default: 0
    }
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
