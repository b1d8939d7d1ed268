/// A property wrapper whose value survives a payload that does not match the model.
///
///     struct Listing: Decodable {
///       @Resilient var kind: Kind?
///       @Resilient var items: [Item]
///     }
///
/// The recovery depends on the type of the value:
///
/// | value | missing or null | wrong shape | a bad element |
/// |---|---|---|---|
/// | `T?` | `nil` | `nil`, reported | – |
/// | `[T]`, `[T]?` | `[]`, `nil` | `[]`, reported | left out, reported |
/// | `[String: T]`, `[String: T]?` | `[:]`, `nil` | `[:]`, reported | left out, reported |
/// | `Set<T>`, dictionaries with other keys | like an array or dictionary | | |
/// | a ``ResilientRawRepresentable`` with a fallback | fallback, reported | fallback, reported | – |
///
/// Collections can be nested: only the innermost bad value is left out. An optional element becomes
/// `nil`. A novel raw value counts as a wrong shape.
///
/// A value of any other type, such as `Int`, is decoded as without the wrapper, and its error is thrown. In release
/// builds the wrapper adds no storage.
@propertyWrapper
@dynamicMemberLookup
public struct Resilient<Value: Decodable> {
  /// The decoded or recovered value; setting it resets the outcome.
  public var wrappedValue: Value {
    didSet { outcome = .decodedSuccessfully }
  }

  /// How the value was decoded; its size is zero in release builds.
  @usableFromInline
  var outcome: ResilientDecodingOutcome

  #if DEBUG
    /// How this property was decoded. Debug builds only.
    // Not in an extension: a property wrapper's projection must be in the type's own declaration.
    public var projectedValue: ProjectedValue {
      ProjectedValue(wrappedValue: wrappedValue, outcome: outcome)
    }
  #endif

  /// Wraps a value as if it had been decoded without an error.
  @inlinable
  public init(_ value: Value) {
    self.init(value, outcome: .decodedSuccessfully)
  }

  /// Wraps the initial value of the property's declaration.
  ///
  /// It is the default of the memberwise initializer. Decoding ignores it: for a default when
  /// decoding, use ``ResilientDefault``.
  public init(wrappedValue: Value) {
    self.init(wrappedValue)
  }

  @inlinable
  init(_ value: Value, outcome: ResilientDecodingOutcome) {
    self.wrappedValue = value
    self.outcome = outcome
  }

  @inlinable
  @inline(__always)
  init(_ decoded: Decoded<Value>) {
    self.init(decoded.value, outcome: decoded.outcome)
  }

  @inlinable
  @inline(__always)
  init(_ decoded: Decoded<Value?>, orElse defaultValue: @autoclosure () -> Value) {
    self.init(decoded.value ?? defaultValue(), outcome: decoded.outcome)
  }
}

extension Resilient: ResilientWrapper, ProxyType {}
extension Resilient: Sendable where Value: Sendable {}
extension Resilient: Encodable where Value: Encodable {}

extension Resilient: Equatable where Value: Equatable {
  /// Compares the values and ignores the outcomes.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.wrappedValue == rhs.wrappedValue
  }
}

extension Resilient: Hashable where Value: Hashable {
  /// Hashes the value and ignores the outcome.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(wrappedValue)
  }
}

extension Resilient: ComposableWrapper {
  /// Decodes a `Resilient` that is not a property: a top-level value, or an element.
  ///
  /// - Throws: The error of decoding `Value`, if its type cannot be recovered.
  public init(from decoder: any Decoder) throws {
    self = try Self.recover(from: decoder, NoConversion.self)
  }

  static func recover<Conversion: ScalarConversion>(
    from decoder: any Decoder,
    _ conversion: Conversion.Type
  ) throws -> Self {
    Self(try decoder.recover(Value.self, conversion))
  }

  static func recover<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Self {
    Self(try container.recover(Value.self, forKey: key, conversion))
  }
}

// For `@Resilient var count: Int?` the compiler writes into the model:
//
//     init(from decoder: any Decoder) throws {
//       let container = try decoder.container(keyedBy: CodingKeys.self)
//       _count = try container.decode(Resilient<Int?>.self, forKey: .count)
//     }
//
// The container's own `decode` throws if the key is missing. Of these overloads the compiler prefers each to that one, because they take a `Resilient`,
// and the one for an optional to the first, which takes any `Resilient`. It chooses where the model
// is compiled: in a generic model it knows only the first.
extension KeyedDecodingContainer {
  /// Decodes a property of any other type, such as `Int` or the parameter of a generic model.
  ///
  /// - Throws: The error of decoding `Value`, if its type cannot be recovered.
  public func decode<Value: Decodable>(
    _ type: Resilient<Value>.Type,
    forKey key: Key
  ) throws -> Resilient<Value> {
    try Resilient.recover(from: self, forKey: key, NoConversion.self)
  }

  /// Decodes an optional: `nil` if it is missing or null, and `nil` plus a report if it is
  /// malformed. A malformed collection is empty.
  @inlinable
  public func decode<Wrapped: Decodable>(
    _ type: Resilient<Wrapped?>.Type,
    forKey key: Key
  ) throws -> Resilient<Wrapped?> {
    Resilient(
      try recoverIfPresent(Wrapped.self, forKey: key, NoConversion.self, usesFallback: true))
  }

  /// Decodes an array; leaves out and reports elements that cannot be decoded.
  public func decode<Element: Decodable>(
    _ type: Resilient<[Element]>.Type,
    forKey key: Key
  ) throws -> Resilient<[Element]> {
    Resilient(
      try [Element].recoverPartsIfPresent(from: self, forKey: key, NoConversion.self), orElse: [])
  }

  /// Decodes a dictionary; leaves out and reports entries that cannot be decoded.
  ///
  /// The keys are data: a decoder's key strategy does not convert them.
  @inlinable
  public func decode<Value: Decodable>(
    _ type: Resilient<[String: Value]>.Type,
    forKey key: Key
  ) throws -> Resilient<[String: Value]> {
    Resilient(
      try [String: Value].recoverIfPresent(from: self, forKey: key, NoConversion.self), orElse: [:])
  }

  /// Decodes an optional dictionary: `nil` only if the payload has none.
  @inlinable
  public func decode<Value: Decodable>(
    _ type: Resilient<[String: Value]?>.Type,
    forKey key: Key
  ) throws -> Resilient<[String: Value]?> {
    Resilient(try [String: Value].recoverIfPresent(from: self, forKey: key, NoConversion.self))
  }

  /// Decodes a raw value, or uses the fallback and reports why.
  @inlinable
  public func decode<Value: ResilientRawRepresentable>(
    _ type: Resilient<Value>.Type,
    forKey key: Key
  ) throws -> Resilient<Value> where Value.DecodingFallback == Value {
    Resilient(try recoverWhole(Value.self, forKey: key, NoConversion.self))
  }
}
