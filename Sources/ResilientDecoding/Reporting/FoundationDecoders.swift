package import ResilientPlatform

/// A decoder of this library that behaves as Foundation's decoders do.
package protocol FoundationCompatibleDecoder: Decoder {}

extension Decoder {
  /// Whether this is one of Foundation's decoders, or behaves like them.
  ///
  /// Only of these is it known that
  /// - each scalar has one type: a number is not a string, and a string is not a number;
  /// - any type that asks for an array gets it, and not `Array` alone: elsewhere an array may be a
  ///   repeated element;
  /// - the path of an error for a missing key does not end with that key; XMLCoder's does.
  package var isFoundations: Bool {
    FoundationDecoders.types.contains(ObjectIdentifier(type(of: self)))
      || self is any FoundationCompatibleDecoder
  }
}

/// The decoders behind `JSONDecoder` and `PropertyListDecoder`.
///
/// Their types are private to Foundation, so a trial decode reveals each.
private enum FoundationDecoders {
  // An array: searching it is faster than hashing for a set of three.
  static let types: [ObjectIdentifier] = {
    let decodes: [(DecoderTypes.Type) throws -> DecoderTypes] = [
      { try JSONDecoder().decode($0, from: Data("{}".utf8)) },
      { try PropertyListDecoder().decode($0, from: Data("<plist><dict/></plist>".utf8)) },
      { try PropertyListDecoder().decode($0, from: emptyBinaryPropertyList()) },
    ]
    // A decoder whose trial fails is treated like any other.
    return decodes.compactMap { try? $0(DecoderTypes.self).decoder }
  }()

  private static func emptyBinaryPropertyList() throws -> Data {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return try encoder.encode([String: String]())
  }
}

/// Decodes an object to the types of its decoder, of the last key in its path, and of the key of a
/// superclass in it.
struct DecoderTypes: Decodable {
  let decoder: ObjectIdentifier
  let lastKey: ObjectIdentifier?
  let superKey: ObjectIdentifier?

  private enum CodingKeys: CodingKey {}

  init(from decoder: any Decoder) throws {
    self.decoder = ObjectIdentifier(type(of: decoder))
    lastKey = decoder.codingPath.last.map { ObjectIdentifier(type(of: $0)) }
    superKey = try decoder.container(keyedBy: CodingKeys.self).superDecoder().codingPath.last
      .map { ObjectIdentifier(type(of: $0)) }
  }
}

/// Whether a decoder may decode a type without its `init(from:)`.
func hasOwnDecoding(_ type: Any.Type) -> Bool {
  containerTypes.contains { $0 == type } || hasStrategy(type)
}

/// Whether Foundation's decoders have a strategy for a type.
package func hasStrategy(_ type: Any.Type) -> Bool {
  type == Date.self || type == Data.self || type == URL.self || type == Decimal.self
}

/// The types for which containers have their own methods.
// An array, because a set of types adds code to every app.
private let containerTypes: [Any.Type] = {
  var types: [Any.Type] = [
    Bool.self, String.self, Double.self, Float.self,
    Int.self, Int8.self, Int16.self, Int32.self, Int64.self,
    UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self,
  ]
  if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
    types += [Int128.self, UInt128.self]
  }
  return types
}()

extension SingleValueDecodingContainer {
  /// Decodes a `Decimal` with the digits of the payload.
  ///
  /// Before iOS 17 and macOS 14, `JSONDecoder` makes it from a `Double`: 3.133 becomes
  /// 3.132999999999999488. The shortest text of that `Double` has the payload's digits, of which a
  /// `Double` keeps at most 17.
  ///
  /// - Parameter losesDigits: Whether the decoder may do that. Where it does not, a payload can
  ///   have the number 3.132999999999999488.
  package func decodeDecimal(
    losingDigits losesDigits: Bool = DecimalDecoding.losesDigits
  ) throws -> Decimal {
    let decimal = try decode(Decimal.self)
    // Beyond the range of `Decimal`, its initializer traps.
    guard losesDigits, let double = try? decode(Double.self),
      (1e-100...1e100).contains(double.magnitude), decimal == Decimal(double),
      let shortest = Decimal(string: double.description)
    else { return decimal }
    return shortest
  }
}

/// How `JSONDecoder` decodes a `Decimal`; a trial decode shows it.
package enum DecimalDecoding {
  package static let losesDigits: Bool = {
    let decoded = try? JSONDecoder().decode([Decimal].self, from: Data("[3.133]".utf8))
    return decoded?.first != Decimal(string: "3.133")
  }()
}

extension UnkeyedDecodingContainer {
  /// Skips an element without decoding it.
  ///
  /// - Returns: False if the decoder cannot be moved.
  mutating func skip(from index: Int) -> Bool {
    // The error of a step is not reported: the next one is tried, and the caller reports `false`.
    if currentIndex == index { _ = try? decodeNil() }
    if currentIndex == index { _ = try? decode(IgnoredValue.self) }
    if currentIndex == index { _ = try? superDecoder() }
    return currentIndex > index
  }

  /// The error for a decoder that does not advance, so that a walk would never end.
  package var notAdvancingError: DecodingError {
    .dataCorruptedError(in: self, debugDescription: "The decoder does not move to the next element")
  }
}

extension KeyedDecodingContainer {
  /// Returns a decoder of the key's value; nil if the key is missing.
  ///
  /// Without one, the error is reported without a found value.
  func decoder(at key: Key) -> (any Decoder)? {
    contains(key) ? try? superDecoder(forKey: key) : nil
  }
}

extension Decoder {
  /// Returns a decoder of the value under a key or at an index; nil if there is none.
  ///
  /// Errors are ignored: the error that is being explained is then reported without a value.
  package func decoder(at component: ErrorDigest.Path.Component) -> (any Decoder)? {
    switch component {
    case .key(let name), .dictionaryKey(let name):
      let key = DictionaryKey(stringValue: name)
      return (try? container(keyedBy: DictionaryKey.self))?.decoder(at: key)
    case .index(let index):
      guard var container = try? unkeyedContainer() else { return nil }
      while container.currentIndex < index {
        guard container.skip(from: container.currentIndex) else { return nil }
      }
      return try? container.superDecoder()
    case .anyIndex, .anyDictionaryKey:
      return nil
    }
  }
}

/// A value that is skipped: it decodes from anything.
package struct IgnoredValue: Decodable {
  package init(from decoder: any Decoder) throws {}
}
