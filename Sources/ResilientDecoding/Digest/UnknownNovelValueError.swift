/// A raw value for which `init(rawValue:)` returned nil: the backend knows more than this app.
///
/// ``ResilientRawRepresentable`` throws it. A type with its own `init(from:)` may throw it too.
public struct UnknownNovelValueError: Error, CustomStringConvertible {
  /// The raw value that was found.
  // Unsafe because `RawValue` need not be Sendable, and an `init(from:)` may pass anything. A raw
  // value has just been decoded, the initializer requires that it does not change afterwards, and
  // this library only describes it.
  public nonisolated(unsafe) let novelValue: Any

  /// The type that has no such value, if known.
  let expectedType: Any.Type?

  /// Where the value was found, if known.
  let codingPath: [any CodingKey]?

  /// Creates an error to throw from an `init(from:)`.
  ///
  /// - Parameter novelValue: The raw value. Do not change an object afterwards: other threads read
  ///   the error.
  public init(novelValue: Any) {
    self.novelValue = novelValue
    self.expectedType = nil
    self.codingPath = nil
  }

  init(novelValue: Any, expected type: Any.Type?, codingPath: [any CodingKey]) {
    self.novelValue = novelValue
    self.expectedType = type
    self.codingPath = codingPath
  }

  /// The value as a message, such as `Unknown novel value "villa"`.
  public var description: String {
    "Unknown novel value \"\(novelValue)\""
  }
}

extension UnknownNovelValueError {
  /// The most values that ``knownValues(of:)`` returns.
  private static let maximumCount = 20

  /// The first 20 raw values of a `CaseIterable` type, then `…` if there are more; nil for other types.
  package static func knownValues(of type: Any.Type) -> [String]? {
    guard let type = type as? any (CaseIterable & RawRepresentable).Type else { return nil }
    return first(of: type)
  }

  private static func first<Value: CaseIterable & RawRepresentable>(
    of type: Value.Type
  ) -> [String] {
    let values = type.allCases.prefix(maximumCount + 1).map { "\($0.rawValue)" }
    return values.count > maximumCount ? values.dropLast() + ["…"] : values
  }
}

extension ErrorDigest.Entry {
  /// The type that has no such value; nil without a novel value, or if the type is unknown.
  package var typeWithoutNovelValue: Any.Type? {
    guard novelValue != nil else { return nil }
    if case DecodingError.dataCorrupted(let context)? = error as? DecodingError {
      return (context.underlyingError as? UnknownNovelValueError)?.expectedType
    }
    return (error as? UnknownNovelValueError)?.expectedType
  }
}

/// An error that explains a decoder's error. A reporter makes its entry from the decoder's.
package protocol ExplainingError: Error {
  /// The decoder's error.
  var underlyingError: DecodingError { get }
}

extension Error {
  /// The decoder's error, even if another error explains it.
  var decoderError: any Error { (self as? any ExplainingError)?.underlyingError ?? self }
}
