import ResilientPlatform

// A wrapper encodes as the plain property would: through the encoder's own strategies, and with no
// key for an optional that is nil. What was left out or replaced in decoding stays so.

extension Resilient: Encodable where Value: Encodable {}
extension ResilientDefault: Encodable where Provider.Value: Encodable {}
extension ResilientElements: Encodable where Provider.Value: Encodable {}
extension ResilientLossless: Encodable where Value: Encodable {}

extension ResilientWrapper where Value: Encodable {
  /// Encodes the value as the encoder encodes it without the wrapper.
  public func encode(to encoder: any Encoder) throws {
    // In a container, because an encoder has strategies for some types.
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension KeyedEncodingContainer {
  /// Encodes a property's value, which may be another wrapper.
  public mutating func encode<Wrapper: ResilientWrapper & Encodable>(
    _ property: Wrapper, forKey key: Key
  ) throws where Wrapper.Value: Encodable {
    try checkStack(property.wrappedValue, forKey: key)
    if let nested = property.wrappedValue as? any ResilientWrapper {
      try nested.encodeIfPresent(in: &self, forKey: key)
    } else {
      try encode(property.wrappedValue, forKey: key)
    }
  }

  /// Encodes an optional; without a value there is no key.
  public mutating func encode<Wrapper: ResilientWrapper & Encodable, Wrapped: Encodable>(
    _ property: Wrapper, forKey key: Key
  ) throws where Wrapper.Value == Wrapped? {
    try checkStack(property.wrappedValue, forKey: key)
    try encodeIfPresent(property.wrappedValue, forKey: key)
  }

  /// Checks that a value can be encoded with the stack that is left.
  ///
  /// - Throws: `EncodingError.invalidValue` if not.
  private func checkStack<Value>(_ value: Value, forKey key: Key) throws {
    guard Stack.isLow else { return }
    throw EncodingError.invalidValue(
      value,
      EncodingError.Context(
        codingPath: codingPath + [key],
        debugDescription: "The value is nested too deeply for the stack of this thread."))
  }
}

extension ResilientWrapper {
  /// Encodes the value of a wrapper in another one, whose type the compiler need not know; without
  /// a value there is no key.
  fileprivate func encodeIfPresent<Key: CodingKey>(
    in container: inout KeyedEncodingContainer<Key>, forKey key: Key
  ) throws {
    if (Value.self as? any OptionalValue.Type)?.isNil(wrappedValue) == true { return }
    if let nested = wrappedValue as? any ResilientWrapper {
      try nested.encodeIfPresent(in: &container, forKey: key)
    } else if let value = wrappedValue as? any Encodable {
      // Always: a wrapper is encoded only if its value can be.
      try container.encode(value, forKey: key)
    }
  }
}
