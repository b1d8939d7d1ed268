/// A property wrapper for an array in which a default takes the place of each bad element.
///
/// Nothing is left out, so that indices stay what they are; each bad element is reported. A missing
/// or null array is empty, and so is, with a report, what is no array at all.
///
///     @ResilientElements<Untitled> var tags: [String]
///
/// With ``ResilientLossless`` directly around it, an element of another type is converted before it
/// is given up. For another default than `[]` when it is missing or null, put a
/// ``ResilientDefault`` around it whose provider gives one.
@propertyWrapper
public struct ResilientElements<Provider: DefaultValueProvider> {
  /// The decoded elements and the defaults; setting it forgets how they came about.
  public var wrappedValue: [Provider.Value] {
    didSet { outcome = .decodedSuccessfully }
  }

  @usableFromInline var outcome: ResilientDecodingOutcome

  #if DEBUG
    /// How this property was decoded. Debug builds only.
    public var projectedValue: Resilient<[Provider.Value]>.ProjectedValue {
      Resilient(wrappedValue, outcome: outcome).projectedValue
    }
  #endif

  /// Wraps the elements that a property is declared with.
  ///
  /// They are the default of the memberwise initialiser. Decoding sets the property in any case, and
  /// does not use them.
  @inlinable
  public init(wrappedValue: [Provider.Value]) {
    self.init(wrappedValue, outcome: .decodedSuccessfully)
  }

  @inlinable
  init(_ value: [Provider.Value], outcome: ResilientDecodingOutcome) {
    self.wrappedValue = value
    self.outcome = outcome
  }
}

extension ResilientElements: Sendable where Provider.Value: Sendable {}

extension ResilientElements: Equatable where Provider.Value: Equatable {
  /// Compares the elements, however they came about.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.wrappedValue == rhs.wrappedValue }
}

extension ResilientElements: Hashable where Provider.Value: Hashable {
  /// Hashes the elements, however they came about.
  public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension ResilientElements: ComposableWrapper {
  /// Decodes an array that is an element or a document; never throws.
  public init(from decoder: any Decoder) throws {
    self = Self.decoded(from: decoder, NoConversion.self)
  }

  @inlinable
  static func decoded<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) -> Self {
    let (value, outcome) = ReplacedElements<Provider>.recovered(
      from: container, forKey: key, conversion)
    return Self(value.elements, outcome: outcome)
  }

  @usableFromInline
  static func decoded<Conversion: ScalarConversion>(
    from decoder: any Decoder,
    _ conversion: Conversion.Type
  ) -> Self {
    let (value, outcome) = ReplacedElements<Provider>.recoveredOrReplaced(from: decoder, conversion)
    return Self(value.elements, outcome: outcome)
  }
}

extension KeyedDecodingContainer {
  /// Decodes an array, with a default in the place of each bad element.
  @inlinable
  public func decode<Provider: DefaultValueProvider>(
    _ type: ResilientElements<Provider>.Type,
    forKey key: Key
  ) throws -> ResilientElements<Provider> {
    ResilientElements.decoded(from: self, forKey: key, NoConversion.self)
  }
}

/// An array whose bad elements are replaced.
@usableFromInline
struct ReplacedElements<Provider: DefaultValueProvider>: Recoverable {
  @usableFromInline let elements: [Provider.Value]

  @usableFromInline static var whenAbsent: Self { Self([]) }
  @usableFromInline static var whenMalformed: Self { Self([]) }
  @usableFromInline static var isArray: Bool { true }
  @usableFromInline static var expectedType: Any.Type { [Provider.Value].self }

  @inlinable
  init(_ elements: [Provider.Value]) { self.elements = elements }

  @usableFromInline
  init(from decoder: any Decoder) throws {
    self = try Self.recovered(from: decoder, NoConversion.self).value
  }

  @inlinable
  static func recovered<Conversion: ScalarConversion>(
    from decoder: any Decoder,
    _ conversion: Conversion.Type
  ) throws -> Recovered {
    let (elements, outcome) = try decoder.elements(
      Provider.Value.self, conversion, replacement: { Provider.defaultValue })
    return (Self(elements), outcome)
  }

  @usableFromInline
  static func recoveredAsArray<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Recovered {
    let (elements, outcome) = try container.entries(
      Provider.Value.self, forKey: key, conversion, replacement: { Provider.defaultValue })
    return (Self(elements), outcome)
  }
}

extension ResilientElements: ProxyType {
  static var representedType: Any.Type { [Provider.Value].self }
}
