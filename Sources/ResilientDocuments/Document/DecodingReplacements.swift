import ResilientDecoding

extension [CodingUserInfoKey: Any] {
  /// Makes `=>` and `=>?` decode a type with a closure.
  ///
  /// The closure decodes each value of the type in arrays, sets, dictionaries and optionals, and
  /// any nesting of them, but not the members of a type with an `init(from:)`, written or
  /// synthesized. It replaces an earlier closure for the type. To decode in the usual way, it can
  /// call the type's initializer: `Bool(from: decoder)` does not call the closure again.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - decode: Decodes a value from the decoder at its place; `=>` throws its errors.
  public mutating func replaceDecoding<Replaced: Decodable>(
    of type: Replaced.Type,
    with decode: @escaping @Sendable (any Decoder) throws -> Replaced
  ) {
    self[.decodingReplacements] = DecodingReplacements(decodingReplacements, of: type, decode)
  }

  var decodingReplacements: DecodingReplacements? {
    self[.decodingReplacements] as? DecodingReplacements
  }
}

extension [CodingUserInfoKey: any Sendable] {
  /// Makes `=>` and `=>?` decode a type with a closure, as the method for
  /// `[CodingUserInfoKey: Any]` does.
  public mutating func replaceDecoding<Replaced: Decodable>(
    of type: Replaced.Type,
    with decode: @escaping @Sendable (any Decoder) throws -> Replaced
  ) {
    let earlier = self[.decodingReplacements] as? DecodingReplacements
    self[.decodingReplacements] = DecodingReplacements(earlier, of: type, decode)
  }
}

extension CodingUserInfoKey {
  static let decodingReplacements = CodingUserInfoKey(
    rawValue: "ResilientDecodingReplacements"
  )!  // Never nil: the initializer is failable only because its protocol's is.
}

/// The closures that replace the decoding of some types.
struct DecodingReplacements: Sendable {
  private var byType: [ObjectIdentifier: any Sendable]

  init<Value>(
    _ earlier: Self?,
    of type: Value.Type,
    _ decode: @escaping @Sendable (any Decoder) throws -> Value
  ) {
    byType = earlier?.byType ?? [:]
    byType[ObjectIdentifier(type)] = Replacement(decode: decode)
  }

  func replacement<Value>(of type: Value.Type) -> Replacement<Value>? {
    byType[ObjectIdentifier(type)] as? Replacement<Value>
  }

  struct Replacement<Value>: Sendable {
    let decode: @Sendable (any Decoder) throws -> Value
  }
}
