/// A type with raw values, to which the backend may add values that this app does not know.
///
/// Declare an `enum` as `enum Kind: String, ResilientRawRepresentable` and use it as
/// `@Resilient var kind: Kind?`, `[Kind]` or `[String: Kind]`. If ``decodingFallback`` is a value of
/// the type, `@Resilient var kind: Kind` works too:
///
///     enum Plan: String, ResilientRawRepresentable {
///       case free, pro, other
///       static var decodingFallback: Self { .other }
///     }
public protocol ResilientRawRepresentable: Decodable, RawRepresentable where RawValue: Decodable {
  /// `Self` if there is a fallback, `Void` if there is none.
  associatedtype DecodingFallback

  /// The value of a property whose own value cannot be decoded; never used for an element.
  static var decodingFallback: DecodingFallback { get }

  /// Whether the set of raw values is final, so that a novel one is a backend error.
  ///
  /// A novel value of a frozen type is a `DecodingError.dataCorrupted`, which
  /// ``ErrorDigest/errors`` includes; otherwise it is an ``UnknownNovelValueError``, which it
  /// excludes.
  static var isFrozen: Bool { get }
}

extension ResilientRawRepresentable where DecodingFallback == Void {
  /// No fallback.
  public static var decodingFallback: Void { () }
}

extension ResilientRawRepresentable {
  /// False: new values are expected.
  public static var isFrozen: Bool { false }

  /// Decodes a raw value and creates a value from it.
  ///
  /// - Throws: ``UnknownNovelValueError`` if `init(rawValue:)` returns nil, wrapped in a
  ///   `DecodingError.dataCorrupted` if ``isFrozen``; the decoder's error if there is no raw value.
  @inlinable
  public init(from decoder: any Decoder) throws {
    let rawValue = try decoder.singleValueContainer().decodeWhole(RawValue.self)
    guard let value = Self(rawValue: rawValue) else {
      throw novelValueError(rawValue, decoding: Self.self, at: decoder.codingPath)
    }
    self = value
  }
}

/// The error for a raw value that a type does not have: a `DecodingError` if the type is frozen.
///
/// - Parameter isVisible: Whether it is a `DecodingError` for any type.
@usableFromInline
func novelValueError(
  _ rawValue: Any, decoding type: Any.Type, at codingPath: [any CodingKey], isVisible: Bool = false
) -> any Error {
  let novel = UnknownNovelValueError(novelValue: rawValue, expected: type, codingPath: codingPath)
  let isFrozen = (type as? any ResilientRawRepresentable.Type)?.isFrozen == true
  guard isVisible || isFrozen else { return novel }
  return DecodingError.dataCorrupted(
    DecodingError.Context(
      codingPath: codingPath, debugDescription: novel.description, underlyingError: novel))
}

/// Returns the fallback of a type that is known only at run time.
func decodingFallback<Value>(of type: Value.Type) -> Value? {
  guard let type = type as? any ResilientRawRepresentable.Type else { return nil }
  return type.decodingFallback as? Value
}
