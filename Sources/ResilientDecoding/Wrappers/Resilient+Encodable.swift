// A wrapper encodes as the plain property would: through the encoder's own strategies, and with no
// key for an optional that is nil. What was left out or replaced in decoding stays so.

extension Resilient: Encodable where Value: Encodable {
  /// Encodes the value as the encoder encodes it without the wrapper.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeValue(wrappedValue)
  }
}

extension ResilientDefault: Encodable where Provider.Value: Encodable {
  /// Encodes the value as the encoder encodes it without the wrapper.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeValue(wrappedValue)
  }
}

extension ResilientElements: Encodable where Provider.Value: Encodable {
  /// Encodes the elements as the encoder encodes them without the wrapper.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeValue(wrappedValue)
  }
}

extension ResilientLossless: Encodable where Value: Encodable {
  /// Encodes the value as the encoder encodes it without the wrapper: a converted value in the type
  /// of the property.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeValue(wrappedValue)
  }
}

extension Encoder {
  /// Encodes a value in a container, because an encoder has strategies for some types.
  fileprivate func encodeValue<Value: Encodable>(_ value: Value) throws {
    var container = singleValueContainer()
    try container.encode(value)
  }
}

/// A wrapper as the value of another one, whose type the compiler need not know.
private protocol NestedWrapper {
  /// Encodes the value of a key; without a value there is no key.
  func encodeIfPresent<Key: CodingKey>(
    in container: inout KeyedEncodingContainer<Key>, forKey key: Key
  ) throws
}

extension NestedWrapper where Self: ResilientWrapper, Value: Encodable {
  fileprivate func encodeIfPresent<Key: CodingKey>(
    in container: inout KeyedEncodingContainer<Key>, forKey key: Key
  ) throws {
    if (Value.self as? any OptionalValue.Type)?.isNil(wrappedValue) == true { return }
    try container.encodeValue(wrappedValue, forKey: key)
  }
}

extension Resilient: NestedWrapper where Value: Encodable {}
extension ResilientDefault: NestedWrapper where Provider.Value: Encodable {}
extension ResilientElements: NestedWrapper where Provider.Value: Encodable {}
extension ResilientLossless: NestedWrapper where Value: Encodable {}

extension KeyedEncodingContainer {
  /// Encodes a property's value, which may be another wrapper.
  fileprivate mutating func encodeValue<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    if let wrapper = value as? any NestedWrapper {
      try wrapper.encodeIfPresent(in: &self, forKey: key)
    } else {
      try encode(value, forKey: key)
    }
  }
}

extension KeyedEncodingContainer {
  /// Encodes a property's value.
  public mutating func encode<Value: Encodable>(
    _ property: Resilient<Value>, forKey key: Key
  ) throws {
    try encodeValue(property.wrappedValue, forKey: key)
  }

  /// Encodes an optional; without a value there is no key.
  public mutating func encode<Wrapped: Encodable>(
    _ property: Resilient<Wrapped?>, forKey key: Key
  ) throws {
    try encodeIfPresent(property.wrappedValue, forKey: key)
  }

  /// Encodes a property's value.
  public mutating func encode<Provider: DefaultValueProvider>(
    _ property: ResilientDefault<Provider>, forKey key: Key
  ) throws where Provider.Value: Encodable {
    try encodeValue(property.wrappedValue, forKey: key)
  }

  /// Encodes an optional; without a value there is no key.
  public mutating func encode<Provider: DefaultValueProvider, Wrapped: Encodable>(
    _ property: ResilientDefault<Provider>, forKey key: Key
  ) throws where Provider.Value == Wrapped? {
    try encodeIfPresent(property.wrappedValue, forKey: key)
  }

  /// Encodes a property's elements.
  public mutating func encode<Provider: DefaultValueProvider>(
    _ property: ResilientElements<Provider>, forKey key: Key
  ) throws where Provider.Value: Encodable {
    try encode(property.wrappedValue, forKey: key)
  }

  /// Encodes a property's value.
  public mutating func encode<Value: Encodable>(
    _ property: ResilientLossless<Value>, forKey key: Key
  ) throws {
    try encodeValue(property.wrappedValue, forKey: key)
  }

  /// Encodes an optional; without a value there is no key.
  public mutating func encode<Wrapped: Encodable>(
    _ property: ResilientLossless<Wrapped?>, forKey key: Key
  ) throws {
    try encodeIfPresent(property.wrappedValue, forKey: key)
  }
}
