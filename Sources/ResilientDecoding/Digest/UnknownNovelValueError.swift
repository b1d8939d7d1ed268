/// A raw value for which `init(rawValue:)` returned nil: the backend knows more than this app.
///
/// ``ResilientRawRepresentable`` throws it; a type with an `init(from:)` of its own may do so too.
public struct UnknownNovelValueError: Error, CustomStringConvertible {
  /// The raw value that was found.
  // `RawValue` does not say that it is Sendable, and an `init(from:)` may give anything. A raw
  // value has been decoded a moment ago, and the initialiser asks that it is not changed after that;
  // here it is only described.
  public nonisolated(unsafe) let novelValue: Any

  /// The type that has no such value, where it is known.
  let expectedType: Any.Type?

  /// Where the value was found, where it is known.
  let codingPath: [any CodingKey]?

  /// Makes an error to be thrown from an `init(from:)`.
  ///
  /// - Parameter novelValue: the raw value; an object must not be changed any more, for the error
  ///   goes to other threads.
  public init(novelValue: Any) {
    self.novelValue = novelValue
    self.expectedType = nil
    self.codingPath = nil
  }

  init(novelValue: Any, expected type: Any.Type, codingPath: [any CodingKey]) {
    self.novelValue = novelValue
    self.expectedType = type
    self.codingPath = codingPath
  }

  /// The value in words, as in `Unknown novel value "villa"`.
  public var description: String {
    "Unknown novel value \"\(novelValue)\""
  }
}
