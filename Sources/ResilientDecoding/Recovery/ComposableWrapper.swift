/// A wrapper that can have another one around it, which chooses the conversion of scalars.
///
/// `@ResilientLossless @ResilientDefault<Zero<Int>> var count: Int` converts scalars, and takes the
/// default if a value cannot be converted.
@usableFromInline
protocol ComposableWrapper: Decodable {
  /// How the value was decoded, which becomes the outcome of the outer wrapper too.
  var outcome: ResilientDecodingOutcome { get }

  /// Decodes a property.
  ///
  /// - Throws: What decoding the value throws, if it cannot be recovered.
  static func decoded<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Self

  /// Decodes an element or a document.
  ///
  /// - Throws: What decoding the value throws, if it cannot be recovered.
  static func decoded<Conversion: ScalarConversion>(
    from decoder: any Decoder,
    _ conversion: Conversion.Type
  ) throws -> Self
}
