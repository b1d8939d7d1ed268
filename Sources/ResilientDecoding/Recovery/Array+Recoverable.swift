/// A recoverable type whose value is an array in the payload.
protocol RecoverableArray: Recoverable {
  associatedtype Element: Decodable

  /// Makes the replacement for a bad element; nil if bad elements are left out.
  static var replacement: (() -> Element)? { get }

  init(elements: [Element])
}

extension RecoverableArray {
  static var replacement: (() -> Element)? { nil }
  static var whenAbsent: Self { Self(elements: []) }
  static var whenMalformed: Self { Self(elements: []) }
  static var isArray: Bool { true }

  static func recoveredAsArray<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Recovered<Self> {
    let (elements, outcome) = try container.entries(
      Element.self, forKey: key, conversion, replacement: replacement)
    return (Self(elements: elements), outcome)
  }

  static func decodedIfPresent<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Recovered<Self?> {
    guard
      let part = try container.decodeIfPresent(
        RecoverableArrayProperty<Self, Conversion>.self, forKey: key)
    else { return (nil, .valueWasNil) }
    if let elements = part.elements { return (Self(elements: elements), part.outcome) }
    let (value, outcome) = try recoveredAsArray(from: container, forKey: key, conversion)
    return (value, outcome)
  }

  static func recovered<Conversion: ScalarConversion>(
    from decoder: any Decoder,
    _ conversion: Conversion.Type
  ) throws -> Recovered<Self> {
    var elements: [Element] = []
    let outcome = try elements.appendElements(of: decoder, conversion, replacement: replacement)
    return (Self(elements: elements), outcome)
  }
}

/// The elements of a property's array.
struct RecoverableArrayProperty<Value: RecoverableArray, Conversion: ScalarConversion>: Decodable {
  /// Nil, without an attempt, if the decoder may give the array only to `Array`.
  let elements: [Value.Element]?
  let outcome: ResilientDecodingOutcome

  init(from decoder: any Decoder) throws {
    guard decoder.givesArraysToAnyType else {
      (elements, outcome) = (nil, .decodedSuccessfully)
      return
    }
    var elements: [Value.Element] = []
    outcome = try elements.appendElements(
      of: decoder, Conversion.self, replacement: Value.replacement)
    self.elements = elements
  }
}

extension RecoverableArrayProperty: ProxyType {
  static var representedType: Any.Type { Value.expectedType }
}

extension Array: Recoverable, RecoverableArray where Element: Decodable {
  init(elements: [Element]) { self = elements }
}

extension Set: Recoverable, RecoverableArray where Element: Decodable {
  init(elements: [Element]) { self.init(elements) }
}
