/// A raw value for which `init(rawValue:)` returned nil: the backend knows more than this app.
///
/// ``ResilientRawRepresentable`` throws it; a type with an `init(from:)` of its own may do so too.
public struct UnknownNovelValueError: Error, CustomStringConvertible {
  /// The raw value that was found.
  // A raw value has been decoded a moment ago and is never changed, only described: there is no
  // one to race with, although `RawValue` does not say that it is Sendable.
  public nonisolated(unsafe) let novelValue: Any

  /// The type that has no such value, where it is known.
  let expectedType: Any.Type?

  /// Where the value was found, where it is known.
  let codingPath: [any CodingKey]?

  /// Makes an error to be thrown from an `init(from:)`.
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
