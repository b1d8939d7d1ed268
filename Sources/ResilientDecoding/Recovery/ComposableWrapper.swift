/// A wrapper that can have another one around it, which says what becomes of the leaves.
///
/// `@ResilientLossless @ResilientDefault<Zero<Int>> var count: Int` converts, and takes the default
/// for what cannot be converted.
@usableFromInline
protocol LeafwiseDecodable: Decodable {
  /// How the value came about, which is told by the wrapper around it.
  var outcome: ResilientDecodingOutcome { get }

  /// Decodes a property.
  ///
  /// - Throws: what decoding the value throws, when it cannot be recovered.
  static func decoded<Key: CodingKey, Leaves: LeafRecovery>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ leaves: Leaves.Type
  ) throws -> Self

  /// Decodes an element, or a document.
  ///
  /// - Throws: what decoding the value throws, when it cannot be recovered.
  static func decoded<Leaves: LeafRecovery>(
    from decoder: any Decoder,
    _ leaves: Leaves.Type
  ) throws -> Self
}
