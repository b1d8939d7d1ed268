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

  static func recoveredThroughArray<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Recovered<Self> {
    let (elements, outcome) = try container.entries(
      Element.self, forKey: key, conversion, replacement: replacement)
    return (Self(elements: elements), outcome)
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

extension Array: Recoverable, RecoverableArray where Element: Decodable {
  init(elements: [Element]) { self = elements }
}

extension Set: Recoverable, RecoverableArray where Element: Decodable {
  init(elements: [Element]) { self.init(elements) }
}
