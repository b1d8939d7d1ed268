/// A property wrapper for an array in which a default replaces each bad element.
///
/// No element is left out, so indices stay the same; each bad element is reported. A missing or
/// null array is empty. A value that is not an array is empty too, and is reported.
///
///     @ResilientElements<Untitled> var tags: [String]
///
/// With ``ResilientLossless`` directly around it, an element of another type is converted if
/// possible. To replace a missing or null array by a default other than `[]`, put a
/// ``ResilientDefault`` around it.
@propertyWrapper
public struct ResilientElements<Provider: DefaultValueProvider> {
  @usableFromInline var resilient: Resilient<[Provider.Value]>

  /// The decoded elements and the defaults; setting it resets the outcome.
  @inlinable public var wrappedValue: [Provider.Value] {
    get { resilient.wrappedValue }
    _modify { yield &resilient.wrappedValue }
  }

  #if DEBUG
    /// How this property was decoded. Debug builds only.
    public var projectedValue: Resilient<[Provider.Value]>.ProjectedValue {
      resilient.projectedValue
    }
  #endif

  /// Wraps the initial elements of the property's declaration.
  ///
  /// They are the default of the memberwise initializer. Decoding always sets the property and
  /// ignores them.
  public init(wrappedValue: [Provider.Value]) {
    self.init(Resilient(wrappedValue))
  }

  init(_ resilient: Resilient<[Provider.Value]>) {
    self.resilient = resilient
  }
}

extension ResilientElements: ResilientWrapper, ProxyType {}
extension ResilientElements: Sendable where Provider.Value: Sendable {}
extension ResilientElements: Encodable where Provider.Value: Encodable {}
extension ResilientElements: Equatable where Provider.Value: Equatable {}
extension ResilientElements: Hashable where Provider.Value: Hashable {}

extension ResilientElements: ComposableWrapper {
  /// Decodes an array that is an element or a document; never throws.
  public init(from decoder: any Decoder) throws {
    self = try Self.recover(from: decoder, NoConversion.self)
  }

  var outcome: ResilientDecodingOutcome { resilient.outcome }

  static func recover<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Self {
    let (array, outcome) = try ReplacedElements<Provider>.recoverParts(
      from: container, forKey: key, conversion)
    return Self(Resilient(array.elements, outcome: outcome))
  }

  static func recover<Conversion: ScalarConversion>(
    from decoder: any Decoder,
    _ conversion: Conversion.Type
  ) throws -> Self {
    let (array, outcome) = try ReplacedElements<Provider>.recoverParts(
      from: decoder, conversion)
    return Self(Resilient(array.elements, outcome: outcome))
  }
}

extension KeyedDecodingContainer {
  /// Decodes an array, and replaces each bad element by the default.
  public func decode<Provider: DefaultValueProvider>(
    _ type: ResilientElements<Provider>.Type,
    forKey key: Key
  ) throws -> ResilientElements<Provider> {
    try ResilientElements.recover(from: self, forKey: key, NoConversion.self)
  }
}

/// An array whose bad elements are replaced.
struct ReplacedElements<Provider: DefaultValueProvider>: RecoverableArray {
  let elements: [Provider.Value]

  static var expectedType: Any.Type { [Provider.Value].self }

  static var replacement: (() -> Provider.Value)? { { Provider.defaultValue } }

  init(elements: [Provider.Value]) { self.elements = elements }

  init(from decoder: any Decoder) throws {
    self = try Self.decodeParts(from: decoder, NoConversion.self).value
  }
}
