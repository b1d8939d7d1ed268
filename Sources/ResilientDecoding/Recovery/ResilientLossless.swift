/// A property wrapper that converts a scalar of another type: `"12.2"` becomes 12.2.
///
/// Strings, numbers and booleans are converted into each other, into `Decimal`, into any type that
/// is `LosslessStringConvertible`, and into types with such raw values, unless information would be
/// lost: `1` becomes `"1"`, but `1.5` is not converted to `Int`. Booleans are the numbers 0 and 1.
/// Each conversion is reported as ``ErrorDigest/Kind/converted``, which ``ErrorDigest/errors``
/// excludes: the value is right, but the backend should know. A raw value that its type does not
/// have after the conversion is a novel value.
///
///     @ResilientLossless var price: Double
///     @ResilientLossless var counts: [Int]
///     @ResilientLossless @ResilientDefault<DefaultValue.Zero<Int>> var stock: Int
///
/// Otherwise it works like ``Resilient``: optionals, collections and raw values with a fallback
/// recover from values that cannot be converted. Other values are decoded as without the wrapper,
/// and their errors are thrown.
@propertyWrapper
public struct ResilientLossless<Value: Decodable> {
  @usableFromInline var resilient: Resilient<Value>

  /// The decoded or converted value; setting it resets the outcome.
  @inlinable public var wrappedValue: Value {
    get { resilient.wrappedValue }
    _modify { yield &resilient.wrappedValue }
  }

  #if DEBUG
    /// How this property was decoded. Debug builds only.
    public var projectedValue: Resilient<Value>.ProjectedValue { resilient.projectedValue }
  #endif

  /// Wraps the initial value of the property's declaration.
  ///
  /// It is the default of the memberwise initializer. Decoding always sets the property and ignores
  /// it.
  public init(wrappedValue: Value) {
    self.init(Resilient(wrappedValue))
  }

  @inlinable
  init(_ resilient: Resilient<Value>) {
    self.resilient = resilient
  }
}

extension ResilientLossless: ResilientWrapper, ProxyType {}
extension ResilientLossless: Sendable where Value: Sendable {}
extension ResilientLossless: Encodable where Value: Encodable {}
extension ResilientLossless: Equatable where Value: Equatable {}
extension ResilientLossless: Hashable where Value: Hashable {}

extension ResilientLossless: ComposableWrapper {
  /// Decodes an element or a document.
  ///
  /// - Throws: The error of decoding `Value`, if it cannot be converted or recovered.
  public init(from decoder: any Decoder) throws {
    self = try Self.recover(from: decoder, LosslessConversion.self)
  }

  @usableFromInline var outcome: ResilientDecodingOutcome { resilient.outcome }

  // Also converts within another wrapper that does not ask for conversions.
  static func recover<Conversion: ScalarConversion>(
    from decoder: any Decoder,
    _ conversion: Conversion.Type
  ) throws -> Self {
    Self(try Resilient.recover(from: decoder, LosslessConversion.self))
  }

  @usableFromInline
  static func recover<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Self {
    Self(try Resilient.recover(from: container, forKey: key, LosslessConversion.self))
  }
}

extension KeyedDecodingContainer {
  /// Decodes a value, or converts a scalar of another type.
  ///
  /// - Throws: The error of decoding `Value`, if it cannot be converted or recovered.
  @inlinable
  public func decode<Value: Decodable>(
    _ type: ResilientLossless<Value>.Type,
    forKey key: Key
  ) throws -> ResilientLossless<Value> {
    guard isScalar(Value.self) else {
      return try ResilientLossless.recover(from: self, forKey: key, LosslessConversion.self)
    }
    return ResilientLossless(
      Resilient(try recoverWhole(Value.self, forKey: key, LosslessConversion.self)))
  }

  /// Decodes an optional: nil if it is missing or null, or is malformed and cannot be converted.
  @inlinable
  public func decode<Wrapped: Decodable>(
    _ type: ResilientLossless<Wrapped?>.Type,
    forKey key: Key
  ) throws -> ResilientLossless<Wrapped?> {
    ResilientLossless(
      Resilient(
        try recoverIfPresent(Wrapped.self, forKey: key, LosslessConversion.self, usesFallback: true)
      ))
  }

  /// Decodes a dictionary; converts values of another type, and leaves out those that cannot be
  /// converted.
  @inlinable
  public func decode<Entry: Decodable>(
    _ type: ResilientLossless<[String: Entry]>.Type,
    forKey key: Key
  ) throws -> ResilientLossless<[String: Entry]> {
    ResilientLossless(
      Resilient(
        try [String: Entry].recoverIfPresent(from: self, forKey: key, LosslessConversion.self),
        orElse: [:]))
  }

  /// Decodes a value, converts a scalar of another type, or uses the default.
  @inlinable
  public func decode<Provider: DefaultValueProvider>(
    _ type: ResilientLossless<ResilientDefault<Provider>>.Type,
    forKey key: Key
  ) throws -> ResilientLossless<ResilientDefault<Provider>> {
    let value = try ResilientDefault<Provider>.recover(
      from: self, forKey: key, LosslessConversion.self)
    return ResilientLossless(Resilient(value, outcome: value.outcome))
  }
}
