import ResilientPlatform

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
    let decodes: [(Probe.Type) throws -> Probe] = [
      { try JSONDecoder().decode($0, from: Data("{}".utf8)) },
      { try PropertyListDecoder().decode($0, from: Data("<plist><dict/></plist>".utf8)) },
      { try PropertyListDecoder().decode($0, from: emptyBinaryPropertyList()) },
    ]
    // A decoder whose trial fails is treated like any other.
    return decodes.compactMap { try? $0(Probe.self).type }
  }()

  private static func emptyBinaryPropertyList() throws -> Data {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return try encoder.encode([String: String]())
  }

  /// Decodes to the type of its decoder.
  private struct Probe: Decodable {
    let type: ObjectIdentifier

    init(from decoder: any Decoder) throws {
      type = ObjectIdentifier(Swift.type(of: decoder))
    }
  }
}
