extension DecodableDocument {
  /// Decodes the value at a path; a null there is nil for an optional type and an error for others.
  ///
  /// - Throws: ``DecodingPathError`` when a key is missing, or when what is there, or anything in
  ///   it, is not of its type; an error that is not of decoding as it is.
  public static func => <Value: Decodable>(document: Self, path: DecodingPath) throws -> Value {
    try DocumentDecoder(document) => path
  }

  /// Decodes the value at a path, or nil when an optional key, or what is at the end, is not there.
  ///
  /// - Throws: ``DecodingPathError`` when another key is missing, or when what is there, or anything
  ///   in it, is not of its type; an error that is not of decoding as it is.
  public static func => <Value: Decodable>(
    document: Self,
    path: OptionalDecodingPath
  ) throws -> Value? {
    try DocumentDecoder(document) => path
  }

  /// Decodes the value at a path, or nil when the first key is missing or null.
  ///
  /// - Throws: ``DecodingPathError`` when another key is missing, or when what is there, or anything
  ///   in it, is not of its type; an error that is not of decoding as it is.
  public static func =>? <Value: Decodable>(document: Self, path: DecodingPath) throws -> Value? {
    try DocumentDecoder(document) =>? path
  }

  /// Decodes the value at a path with optional keys, the first of which becomes one of them.
  ///
  /// - Throws: ``DecodingPathError`` when another key is missing, or when what is there, or anything
  ///   in it, is not of its type; an error that is not of decoding as it is.
  public static func =>? <Value: Decodable>(
    document: Self,
    path: OptionalDecodingPath
  ) throws -> Value? {
    try DocumentDecoder(document) =>? path
  }
}
