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

extension KeyedEncodingContainer {
  /// Encodes a property's value.
  public mutating func encode<Value: Encodable>(
    _ property: Resilient<Value>, forKey key: Key
  ) throws {
    try encode(property.wrappedValue, forKey: key)
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
    try encode(property.wrappedValue, forKey: key)
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
    try encode(property.wrappedValue, forKey: key)
  }

  /// Encodes an optional; without a value there is no key.
  public mutating func encode<Wrapped: Encodable>(
    _ property: ResilientLossless<Wrapped?>, forKey key: Key
  ) throws {
    try encodeIfPresent(property.wrappedValue, forKey: key)
  }

  /// Encodes a property's value.
  public mutating func encode<Provider: DefaultValueProvider>(
    _ property: ResilientLossless<ResilientDefault<Provider>>, forKey key: Key
  ) throws where Provider.Value: Encodable {
    try encode(property.wrappedValue.wrappedValue, forKey: key)
  }

  /// Encodes an optional; without a value there is no key.
  public mutating func encode<Provider: DefaultValueProvider, Wrapped: Encodable>(
    _ property: ResilientLossless<ResilientDefault<Provider>>, forKey key: Key
  ) throws where Provider.Value == Wrapped? {
    try encodeIfPresent(property.wrappedValue.wrappedValue, forKey: key)
  }
}
