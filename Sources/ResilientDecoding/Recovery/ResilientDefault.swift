/// A property wrapper that replaces a missing, null or malformed value by a default.
///
/// Only a malformed value is reported. Collections keep their good elements, as with ``Resilient``;
/// the default replaces a collection that is missing, null or of the wrong shape.
///
///     @ResilientDefault<Untitled> var name: String
///
/// With ``ResilientLossless`` directly around it, a value of another type is converted if possible.
@propertyWrapper
public struct ResilientDefault<Provider: DefaultValueProvider> {
  @usableFromInline var resilient: Resilient<Provider.Value>

  /// The decoded value or the default; setting it resets the outcome.
  @inlinable public var wrappedValue: Provider.Value {
    get { resilient.wrappedValue }
    _modify { yield &resilient.wrappedValue }
  }

  #if DEBUG
    /// How this property was decoded. Debug builds only.
    public var projectedValue: Resilient<Provider.Value>.ProjectedValue { resilient.projectedValue }
  #endif

  /// Wraps the initial value of the property's declaration.
  ///
  /// It is the default of the memberwise initializer. Decoding always sets the property and ignores
  /// it.
  public init(wrappedValue: Provider.Value) {
    self.init(Resilient(wrappedValue))
  }

  @inlinable
  init(_ resilient: Resilient<Provider.Value>) {
    self.resilient = resilient
  }
}

extension ResilientDefault: ResilientWrapper, ProxyType {}
extension ResilientDefault: Sendable where Provider.Value: Sendable {}
extension ResilientDefault: Encodable where Provider.Value: Encodable {}
extension ResilientDefault: Equatable where Provider.Value: Equatable {}
extension ResilientDefault: Hashable where Provider.Value: Hashable {}

extension ResilientDefault: ComposableWrapper {
  /// Decodes an element or a document, or uses the default; never throws.
  public init(from decoder: any Decoder) throws {
    self = try Self.recover(from: decoder, NoConversion.self)
  }

  @usableFromInline var outcome: ResilientDecodingOutcome { resilient.outcome }

  @inlinable
  static func recover<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Self {
    Self(
      Resilient(
        try container.recoverIfPresent(
          Provider.Value.self, forKey: key, conversion, usesFallback: false),
        orElse: Provider.defaultValue))
  }

  static func recover<Conversion: ScalarConversion>(
    from decoder: any Decoder,
    _ conversion: Conversion.Type
  ) throws -> Self {
    Self(
      Resilient(
        try decoder.recover(
          Provider.Value.self, whenNull: Provider.defaultValue,
          whenMalformed: Provider.defaultValue
        ) { try decoder.decode(Provider.Value.self, conversion) }))
  }
}

extension KeyedDecodingContainer {
  /// Decodes a value, or uses the default if it is missing, null or malformed.
  @inlinable
  public func decode<Provider: DefaultValueProvider>(
    _ type: ResilientDefault<Provider>.Type,
    forKey key: Key
  ) throws -> ResilientDefault<Provider> {
    try ResilientDefault.recover(from: self, forKey: key, NoConversion.self)
  }
}

/// A type that provides the default of ``ResilientDefault`` and ``ResilientElements``.
///
///     enum Untitled: DefaultValueProvider { static var defaultValue: String { "untitled" } }
public protocol DefaultValueProvider {
  /// The type of the property, or of the elements.
  associatedtype Value: Decodable

  /// The default; evaluated each time it is needed.
  static var defaultValue: Value { get }
}

/// The built-in defaults of ``ResilientDefault`` and ``ResilientElements``.
public enum DefaultValue {
  /// Provides `""`.
  public enum EmptyString: DefaultValueProvider {
    /// The empty string.
    public static var defaultValue: String { "" }
  }

  /// Provides the 0 of a numeric type: `DefaultValue.Zero<Int>`.
  public enum Zero<Value: Decodable & Numeric>: DefaultValueProvider {
    /// The number 0.
    public static var defaultValue: Value { .zero }
  }

  /// Provides `false`.
  public enum False: DefaultValueProvider {
    /// The value `false`.
    public static var defaultValue: Bool { false }
  }

  /// Provides `true`.
  public enum True: DefaultValueProvider {
    /// The value `true`.
    public static var defaultValue: Bool { true }
  }

  /// Provides `[]`.
  public enum EmptyArray<Element: Decodable>: DefaultValueProvider {
    /// The empty array.
    public static var defaultValue: [Element] { [] }
  }

  /// Provides `[:]`.
  public enum EmptyDictionary<Entry: Decodable>: DefaultValueProvider {
    /// The empty dictionary.
    public static var defaultValue: [String: Entry] { [:] }
  }
}

/// Provides the same default for an optional: `@ResilientDefault<DefaultValue.EmptyString?> var
/// name: String?`.
extension Optional: DefaultValueProvider where Wrapped: DefaultValueProvider {
  /// The default of the wrapped provider; never nil.
  public static var defaultValue: Wrapped.Value? { Wrapped.defaultValue }
}
