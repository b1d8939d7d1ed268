/// A type with raw values of which the backend may one day send one that this app does not know.
///
/// Declare an `enum` as `enum Kind: String, ResilientRawRepresentable` and use it as
/// `@Resilient var kind: Kind?`, `[Kind]` or `[String: Kind]`. With a ``decodingFallback`` of the
/// type itself, `@Resilient var kind: Kind` works too.
public protocol ResilientRawRepresentable: Decodable, RawRepresentable where RawValue: Decodable {
  /// `Self` when there is a fallback, `Void` when there is none.
  associatedtype DecodingFallback

  /// What a property takes when its own value cannot be decoded; never used for an element.
  static var decodingFallback: DecodingFallback { get }

  /// Whether all raw values are known for ever, so that another one is an error of the backend.
  ///
  /// A novel value of a frozen type is a `DecodingError.dataCorrupted`, which
  /// ``ErrorDigest/errors`` shows; otherwise it is an ``UnknownNovelValueError``, which it hides.
  static var isFrozen: Bool { get }
}

extension ResilientRawRepresentable where DecodingFallback == Void {
  /// No fallback.
  public static var decodingFallback: Void { () }
}

extension ResilientRawRepresentable {
  /// False: new values are expected.
  public static var isFrozen: Bool { false }

  /// Decodes a raw value and makes a `Self` of it.
  ///
  /// - Throws: ``UnknownNovelValueError`` for a raw value that `init(rawValue:)` refuses, wrapped
  ///   in a `DecodingError.dataCorrupted` when ``isFrozen``; the decoder's error when there is no
  ///   raw value.
  public init(from decoder: any Decoder) throws {
    let rawValue = try decoder.singleValueContainer().decodeAny(RawValue.self)
    if let value = Self(rawValue: rawValue) {
      self = value
      return
    }
    let novel = UnknownNovelValueError(
      novelValue: rawValue,
      expected: Self.self,
      codingPath: decoder.codingPath
    )
    guard Self.isFrozen else { throw novel }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: decoder.codingPath,
        debugDescription: novel.description,
        underlyingError: novel
      )
    )
  }
}

/// Finds the fallback of a type that is only known at run time.
func decodingFallback<Value>(of type: Value.Type) -> Value? {
  guard let type = type as? any ResilientRawRepresentable.Type else { return nil }
  return type.decodingFallback as? Value
}
