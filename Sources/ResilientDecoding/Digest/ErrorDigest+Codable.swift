extension ErrorDigest.Path: Codable {
  /// Decodes a path from its text.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if the text is not a path.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let path = Self(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(text.jsonQuoted) is not a path such as items[3].kind")
    }
    self = path
  }

  /// Encodes the path as its text, such as `items[3].kind`.
  ///
  /// The text of an exact path does not tell a dictionary's key from another one. To count by
  /// pattern, encode a ``ErrorDigest/Failure``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension ErrorDigest.Entry: Encodable {
  private enum CodingKeys: CodingKey {
    case codingPath, recoveryPath, kind, expectedType, novelValue, foundValue, message
  }

  /// Encodes all but ``error``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(codingPath, forKey: .codingPath)
    try container.encode(recoveryPath, forKey: .recoveryPath)
    try container.encode(kind, forKey: .kind)
    try container.encodeIfPresent(expectedType, forKey: .expectedType)
    try container.encodeIfPresent(novelValue, forKey: .novelValue)
    try container.encodeIfPresent(foundValue, forKey: .foundValue)
    try container.encode(message, forKey: .message)
  }
}
