extension DecodableDocument {
  /// Decodes the whole document; as `T?`, null decodes to nil.
  ///
  /// - Throws: ``DecodingPathError``, or an error that is not about decoding.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    try self => []
  }

  /// Decodes the value at a path. Null decodes to nil if the type is optional.
  ///
  /// - Throws: ``DecodingPathError``, or an error that is not about decoding.
  public static func => <Value: Decodable>(document: Self, path: DecodingPath) throws -> Value {
    try document.decoder => path
  }

  /// Decodes the value at a path; nil if an optional key or the value is missing or null.
  ///
  /// - Throws: ``DecodingPathError``, or an error that is not about decoding.
  public static func => <Value: Decodable>(
    document: Self,
    path: OptionalDecodingPath
  ) throws -> Value? {
    try document.decoder => path
  }

  /// Decodes the value at a path; nil if the first key is missing or null.
  ///
  /// - Throws: ``DecodingPathError``, or an error that is not about decoding.
  public static func =>? <Value: Decodable>(document: Self, path: DecodingPath) throws -> Value? {
    try document.decoder =>? path
  }

  /// Decodes the value at a path with optional keys; the first key becomes optional too.
  ///
  /// - Throws: ``DecodingPathError``, or an error that is not about decoding.
  public static func =>? <Value: Decodable>(
    document: Self,
    path: OptionalDecodingPath
  ) throws -> Value? {
    try document.decoder =>? path
  }
}
