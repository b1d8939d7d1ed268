import ResilientDecoding

/// Decodes the value at a path. Null decodes to nil if the type is optional.
///
/// - Throws: ``DecodingPathError`` if a key is missing, or if the value or a part of it cannot be
///   decoded; other errors unchanged.
public func => <Value: Decodable>(decoder: any Decoder, path: DecodingPath) throws -> Value {
  try decoder.decode(Value.self, at: OptionalDecodingPath(path), whenAbsent: nil)
}

/// Decodes the value at a path; nil if an optional key or the value is missing or null.
///
/// - Throws: ``DecodingPathError``, or an error that is not about decoding.
public func => <Value: Decodable>(
  decoder: any Decoder,
  path: OptionalDecodingPath
) throws -> Value? {
  try decoder.decode(Value?.self, at: path, whenAbsent: .some(nil))
}

/// Decodes the value at a path; nil if the first key is missing or null.
///
/// - Throws: ``DecodingPathError``, or an error that is not about decoding.
public func =>? <Value: Decodable>(decoder: any Decoder, path: DecodingPath) throws -> Value? {
  try decoder =>? OptionalDecodingPath(path)
}

/// Decodes the value at a path with optional keys; the first key becomes optional too.
///
/// - Throws: ``DecodingPathError``, or an error that is not about decoding.
public func =>? <Value: Decodable>(
  decoder: any Decoder,
  path: OptionalDecodingPath
) throws -> Value? {
  try decoder => path.withOptionalFirstKey
}

extension DecodableDocument {
  /// Decodes the whole document; as `T?`, null decodes to nil.
  ///
  /// - Throws: ``DecodingPathError``, or an error that is not about decoding.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    try self => []
  }
}

extension Decoder {
  /// Decodes the value at the end of a path.
  ///
  /// - Parameter absent: The value if an optional key is missing or null.
  func decode<Value: Decodable>(
    _ type: Value.Type,
    at path: OptionalDecodingPath,
    whenAbsent absent: Value?
  ) throws -> Value {
    do {
      try checkStack()
      let isReplaceable = userInfo.decodingReplacements != nil
      guard let last = path.steps.last else {
        let container = try singleValueContainer()
        return isReplaceable
          ? try container.decode(WithReplacements<Value>.self).value : try container.decode(type)
      }
      guard let members = try members(along: path, mayBeAbsent: absent != nil) else {
        return absent!  // Nil only if `absent` is a value.
      }
      return isReplaceable
        ? try members.decode(WithReplacements<Value>.self, forKey: last.codingKey).value
        : try members.decode(type, forKey: last.codingKey)
    } catch {
      throw explained(error, decoding: type, at: path)
    }
  }

  /// Returns the object with the last key of a path; nil if an optional key is missing or null.
  // Not inlined, nor is the next method: each level of a recursive model takes a frame of the
  // caller.
  @inline(never)
  private func members(
    along path: OptionalDecodingPath, mayBeAbsent: Bool
  ) throws -> KeyedDecodingContainer<PathKey>? {
    var members = try container(keyedBy: PathKey.self)
    for (position, step) in path.steps.enumerated() {
      if mayBeAbsent, try members.isAbsent(step) { return nil }
      // Checked here: some decoders decode a missing key to nil if the type is an optional.
      try members.require(step)
      if position < path.steps.count - 1 {
        members = try members.nestedContainer(keyedBy: PathKey.self, forKey: step.codingKey)
      }
    }
    return members
  }

  @inline(never)
  private func explained(
    _ error: any Error, decoding type: Any.Type, at path: OptionalDecodingPath
  ) -> any Error {
    let place = codingPath + path.steps.map { PathKey($0.key) }
    return DecodingPathError(error, decoding: type, at: place, from: self) ?? error
  }
}

extension OptionalDecodingPath.Step {
  fileprivate var codingKey: PathKey { PathKey(key) }
}

extension KeyedDecodingContainer<PathKey> {
  /// Whether an optional key is missing or null.
  fileprivate func isAbsent(_ step: OptionalDecodingPath.Step) throws -> Bool {
    guard step.isOptional else { return false }
    return try !contains(step.codingKey) || decodeNil(forKey: step.codingKey)
  }

  fileprivate func require(_ step: OptionalDecodingPath.Step) throws {
    guard !contains(step.codingKey) else { return }
    throw DecodingError.keyNotFound(
      step.codingKey,
      DecodingError.Context(
        codingPath: codingPath,
        debugDescription: "No value associated with key \(step.key.jsonQuoted)."
      )
    )
  }

}
