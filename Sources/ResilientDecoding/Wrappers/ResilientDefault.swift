/// A property wrapper that takes a default for a value that is missing, null or malformed.
///
/// Only a malformed value is reported. Of a collection the good elements are kept, as ``Resilient``
/// keeps them; the default stands in for one that is missing, null or something else altogether.
///
///     @ResilientDefault<Untitled> var name: String
///
/// With ``ResilientLossless`` directly around it, a value of another type is converted before it is
/// given up.
@propertyWrapper
public struct ResilientDefault<Provider: DefaultValueProvider> {
  /// The decoded value or the default; setting it forgets how the value came about.
  public var wrappedValue: Provider.Value {
    didSet { outcome = .decodedSuccessfully }
  }

  @usableFromInline var outcome: ResilientDecodingOutcome

  #if DEBUG
    /// How this property was decoded. Debug builds only.
    public var projectedValue: Resilient<Provider.Value>.ProjectedValue {
      Resilient(wrappedValue, outcome: outcome).projectedValue
    }
  #endif

  /// Wraps the value that a property is declared with.
  ///
  /// That value is the default of the memberwise initialiser. Decoding sets the property in any case,
  /// and does not use it.
  @inlinable
  public init(wrappedValue: Provider.Value) {
    self.init(wrappedValue, outcome: .decodedSuccessfully)
  }

  @inlinable
  init(_ value: Provider.Value, outcome: ResilientDecodingOutcome) {
    self.wrappedValue = value
    self.outcome = outcome
  }
}

extension ResilientDefault: Sendable where Provider.Value: Sendable {}

extension ResilientDefault: Equatable where Provider.Value: Equatable {
  /// Compares the values, however they came about.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.wrappedValue == rhs.wrappedValue }
}

extension ResilientDefault: Hashable where Provider.Value: Hashable {
  /// Hashes the value, however it came about.
  public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension ResilientDefault: ComposableWrapper {
  /// Decodes an element or a document, or takes the default for it; never throws.
  public init(from decoder: any Decoder) throws {
    self = Self.decoded(from: decoder, NoConversion.self)
  }

  @inlinable
  static func decoded<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) -> Self {
    let (value, outcome) = container.value(
      Provider.Value.self, forKey: key, conversion, orElse: { Provider.defaultValue })
    return Self(value, outcome: outcome)
  }

  @usableFromInline
  static func decoded<Conversion: ScalarConversion>(
    from decoder: any Decoder,
    _ conversion: Conversion.Type
  ) -> Self {
    if decoder.isAtNull { return Self(Provider.defaultValue, outcome: .valueWasNil) }
    do {
      let (value, outcome) = try decoder.value(Provider.Value.self, conversion)
      return Self(value, outcome: outcome)
    } catch {
      decoder.report(error, decoding: expectedType(of: Provider.Value.self))
      return Self(Provider.defaultValue, outcome: .recoveredFrom(error, wasReported: true))
    }
  }
}

extension KeyedDecodingContainer {
  /// Decodes a value, or takes the default for one that is missing, null or malformed.
  @inlinable
  public func decode<Provider: DefaultValueProvider>(
    _ type: ResilientDefault<Provider>.Type,
    forKey key: Key
  ) throws -> ResilientDefault<Provider> {
    ResilientDefault.decoded(from: self, forKey: key, NoConversion.self)
  }
}

extension ResilientDefault: ProxyType {
  static var representedType: Any.Type { modelType(Provider.Value.self) }
}
