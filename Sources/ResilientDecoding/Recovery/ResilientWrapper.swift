import ResilientPlatform

/// A property wrapper of this library. It prints like the value that it wraps.
///
/// `print(model)`, `debugPrint(model)` and `dump(model)` show only the values. Do not conform your
/// own types to this protocol: the library treats only its own wrappers as wrappers.
// `TextOutputStreamable`, not `CustomStringConvertible`: the wrapper's `description` would hide the
// model's own, to which `Resilient` forwards.
public protocol ResilientWrapper: TextOutputStreamable, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The type of the property.
  associatedtype Value: Decodable

  /// The decoded or recovered value.
  var wrappedValue: Value { get }
}

extension ResilientWrapper {
  /// Writes the value as `print` does.
  public func write<Target: TextOutputStream>(to target: inout Target) {
    target.write(String(describing: wrappedValue))
  }

  /// The value as `debugPrint` writes it.
  public var debugDescription: String { String(reflecting: wrappedValue) }

  /// The mirror of the value, which `dump` walks.
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}

extension ProxyType where Self: ResilientWrapper {
  static var representedType: Any.Type { modelType(Value.self) }
}

/// A wrapper that can be nested in another one, which then chooses the conversion of scalars.
///
/// `@ResilientLossless @ResilientDefault<DefaultValue.Zero<Int>> var count: Int` converts scalars,
/// and uses the default if a value cannot be converted.
protocol ComposableWrapper: Decodable {
  /// How the value was decoded; also the outcome of the outer wrapper.
  var outcome: ResilientDecodingOutcome { get }

  /// Recovers a property.
  ///
  /// - Throws: The error of decoding the value, if it cannot be recovered.
  static func recover<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Self

  /// Recovers an element or a document.
  ///
  /// - Throws: The error of decoding the value, if it cannot be recovered.
  static func recover<Conversion: ScalarConversion>(
    from decoder: any Decoder,
    _ conversion: Conversion.Type
  ) throws -> Self
}

// A wrapper encodes as the plain property would: through the encoder's own strategies, and with no
// key for an optional that is nil. What was left out or replaced in decoding stays so.

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
