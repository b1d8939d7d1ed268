extension [CodingUserInfoKey: Any] {
  /// Has `=>` and `=>?` decode a type by a closure, wherever it stands in what they are asked for.
  ///
  /// It takes the place of an earlier one for this type. In arrays, sets, dictionaries and
  /// optionals, and any nesting of them, each value goes through it; members of a type with its own
  /// `init(from:)`, or one the compiler has made, do not. To decode the type in the usual way, the
  /// closure calls the type's initialiser: `Bool(from: decoder)` does not come back to it.
  ///
  /// - Parameters:
  ///   - type: what is decoded in another way.
  ///   - decode: gets a decoder at the value; what it throws, `=>` throws.
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
  /// Has `=>` and `=>?` decode a type by a closure, wherever it stands in what they are asked for.
  ///
  /// It takes the place of an earlier one for this type. In arrays, sets, dictionaries and
  /// optionals, and any nesting of them, each value goes through it; members of a type with its own
  /// `init(from:)`, or one the compiler has made, do not. To decode the type in the usual way, the
  /// closure calls the type's initialiser: `Bool(from: decoder)` does not come back to it.
  ///
  /// - Parameters:
  ///   - type: what is decoded in another way.
  ///   - decode: gets a decoder at the value; what it throws, `=>` throws.
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
  )!  // Never nil: the initialiser is failable only because its protocol's is.
}

/// What takes the place of the decoding of some types.
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
