/// A wrapper that can be nested in another one, which then chooses the conversion of scalars.
///
/// `@ResilientLossless @ResilientDefault<DefaultValue.Zero<Int>> var count: Int` converts scalars,
/// and uses the default if a value cannot be converted.
protocol ComposableWrapper: Decodable {
  /// How the value was decoded; also the outcome of the outer wrapper.
  var outcome: ResilientDecodingOutcome { get }

  /// Decodes a property.
  ///
  /// - Throws: The error of decoding the value, if it cannot be recovered.
  static func decoded<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Self

  /// Decodes an element or a document.
  ///
  /// - Throws: The error of decoding the value, if it cannot be recovered.
  static func decoded<Conversion: ScalarConversion>(
    from decoder: any Decoder,
    _ conversion: Conversion.Type
  ) throws -> Self
}
