/// A property wrapper that converts a scalar of another type: `"12.2"` becomes 12.2.
///
/// Strings, numbers and booleans are converted into each other, into `Decimal`, and into any type
/// that is `LosslessStringConvertible`, as long as nothing is lost: `1` becomes `"1"`, `1.5` no `Int`.
/// Booleans are the numbers 0 and 1. Each conversion is reported as ``ErrorDigest/Kind/converted``,
/// which ``ErrorDigest/errors`` leaves out: the value is right, but the backend should know.
///
///     @ResilientLossless var price: Double
///     @ResilientLossless var counts: [Int]
///     @ResilientLossless @ResilientDefault<Zero<Int>> var stock: Int
///
/// The rest is as with ``Resilient``: optionals, collections and raw values with a fallback recover
/// from what cannot be converted; another value is decoded as it would be without the wrapper, and
/// its error is thrown.
@propertyWrapper
public struct ResilientLossless<Value: Decodable> {
  /// The decoded or converted value; setting it forgets how the value came about.
  public var wrappedValue: Value {
    didSet { outcome = .decodedSuccessfully }
  }

  @usableFromInline var outcome: ResilientDecodingOutcome

  #if DEBUG
    /// How this property was decoded. Debug builds only.
    public var projectedValue: Resilient<Value>.ProjectedValue {
      Resilient(wrappedValue, outcome: outcome).projectedValue
    }
  #endif

  /// Wraps the value that a property is declared with.
  ///
  /// That value is the default of the memberwise initialiser. Decoding sets the property in any case,
  /// and does not use it.
  @inlinable
  public init(wrappedValue: Value) {
    self.init(wrappedValue, outcome: .decodedSuccessfully)
  }

  @inlinable
  init(_ value: Value, outcome: ResilientDecodingOutcome) {
    self.wrappedValue = value
    self.outcome = outcome
  }
}

extension ResilientLossless: Sendable where Value: Sendable {}

extension ResilientLossless: Equatable where Value: Equatable {
  /// Compares the values, however they came about.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.wrappedValue == rhs.wrappedValue }
}

extension ResilientLossless: Hashable where Value: Hashable {
  /// Hashes the value, however it came about.
  public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension ResilientLossless: ComposableWrapper {
  /// Decodes an element or a document.
  ///
  /// - Throws: what decoding `Value` throws, when it cannot be converted or recovered.
  public init(from decoder: any Decoder) throws {
    self = try Self.decoded(from: decoder, LosslessConversion.self)
  }

  // Converts also in another wrapper, which asks for less.
  @usableFromInline
  static func decoded<Conversion: ScalarConversion>(
    from decoder: any Decoder,
    _ conversion: Conversion.Type
  ) throws -> Self {
    let (value, outcome) = try decoder.anyValue(Value.self, LosslessConversion.self)
    return Self(value, outcome: outcome)
  }

  @usableFromInline
  static func decoded<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Self {
    let (value, outcome) = try container.anyValue(Value.self, forKey: key, LosslessConversion.self)
    return Self(value, outcome: outcome)
  }
}

extension KeyedDecodingContainer {
  /// Decodes a value, or makes it of a scalar of another type.
  ///
  /// - Throws: what decoding `Value` throws, when it cannot be converted or recovered.
  @inlinable
  public func decode<Value: Decodable>(
    _ type: ResilientLossless<Value>.Type,
    forKey key: Key
  ) throws -> ResilientLossless<Value> {
    if isScalar(Value.self) {
      do {
        return ResilientLossless(wrappedValue: try decodeAny(Value.self, forKey: key))
      } catch {
        guard let value = converted(Value.self, forKey: key, LosslessConversion.self, after: error)
        else {
          throw error
        }
        return ResilientLossless(wrappedValue: value)
      }
    }
    return try ResilientLossless.decoded(from: self, forKey: key, LosslessConversion.self)
  }

  /// Decodes an optional: nil when missing or null, and when malformed beyond conversion.
  @inlinable
  public func decode<Wrapped: Decodable>(
    _ type: ResilientLossless<Wrapped?>.Type,
    forKey key: Key
  ) throws -> ResilientLossless<Wrapped?> {
    let (value, outcome) = optional(Wrapped.self, forKey: key, LosslessConversion.self)
    return ResilientLossless(value, outcome: outcome)
  }

  /// Decodes an array, converts what it can of its elements, and leaves out the rest.
  @inlinable
  public func decode<Element: Decodable>(
    _ type: ResilientLossless<[Element]>.Type,
    forKey key: Key
  ) throws -> ResilientLossless<[Element]> {
    let (value, outcome) = [Element].recoveredIfPresent(
      from: self, forKey: key, LosslessConversion.self)
    return ResilientLossless(value ?? [], outcome: outcome)
  }

  /// Decodes a dictionary, converts what it can of its values, and leaves out the rest.
  @inlinable
  public func decode<Entry: Decodable>(
    _ type: ResilientLossless<[String: Entry]>.Type,
    forKey key: Key
  ) throws -> ResilientLossless<[String: Entry]> {
    let (value, outcome) = [String: Entry].recoveredEntries(
      from: self, forKey: key, LosslessConversion.self)
    return ResilientLossless(value ?? [:], outcome: outcome)
  }

  /// Decodes a value, converts another one, or takes the default.
  @inlinable
  public func decode<Provider: DefaultValueProvider>(
    _ type: ResilientLossless<ResilientDefault<Provider>>.Type,
    forKey key: Key
  ) throws -> ResilientLossless<ResilientDefault<Provider>> {
    let value = ResilientDefault<Provider>.decoded(from: self, forKey: key, LosslessConversion.self)
    return ResilientLossless(value, outcome: value.outcome)
  }

  /// Decodes an array, converts what it can of its elements, and replaces the rest.
  @inlinable
  public func decode<Provider: DefaultValueProvider>(
    _ type: ResilientLossless<ResilientElements<Provider>>.Type,
    forKey key: Key
  ) throws -> ResilientLossless<ResilientElements<Provider>> {
    let value = ResilientElements<Provider>.decoded(
      from: self, forKey: key, LosslessConversion.self)
    return ResilientLossless(value, outcome: value.outcome)
  }
}

extension ResilientLossless: ProxyType {
  static var representedType: Any.Type { modelType(Value.self) }
}
