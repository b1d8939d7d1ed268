#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Decoder {
  /// Whether a scalar has one type: a number is no string, and a string no number.
  ///
  /// Only known of Foundation's decoders.
  var hasTypedScalars: Bool { isFoundations }

  /// Whether this decoder gives a whole array to any type that asks for it.
  ///
  /// Others may do so for `Array` alone, as where an array is an element that is repeated. Only
  /// known of Foundation's decoders.
  @usableFromInline var givesArraysToAnyType: Bool { isFoundations }

  /// Whether the path of an error for a missing key may have that key at its end already.
  ///
  /// XMLCoder's has. Where it never is, a key may be missing in what stands under one like it.
  var mayRepeatMissingKeys: Bool { !isFoundations }

  private var isFoundations: Bool {
    FoundationDecoders.types.contains(ObjectIdentifier(type(of: self)))
  }
}

/// The decoders behind `JSONDecoder` and `PropertyListDecoder`, that of a document, and the one that
/// traces any of these.
///
/// Their types are private to Foundation, so they are learned from a decode of each.
private enum FoundationDecoders {
  // An array: faster to look through than a set of three is to hash for.
  static let types: [ObjectIdentifier] = {
    let decodes: [(Probe.Type) throws -> Probe] = [
      { try JSONDecoder().decode($0, from: Data("{}".utf8)) },
      { try PropertyListDecoder().decode($0, from: Data("<plist><dict/></plist>".utf8)) },
      { try PropertyListDecoder().decode($0, from: emptyBinaryPropertyList()) },
    ]
    // Should one ever fail, its decoder is treated like any other.
    return decodes.compactMap { try? $0(Probe.self).type } + [
      ObjectIdentifier(DocumentDecoder.self), ObjectIdentifier(TracingDecoder.self),
    ]
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
