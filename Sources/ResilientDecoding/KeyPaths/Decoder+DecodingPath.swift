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
      return try walk(path, to: type, whenAbsent: absent)
    } catch {
      let place = codingPath + path.steps.map { PathKey($0.key) }
      guard let explained = DecodingPathError(error, decoding: type, at: place, from: self) else {
        throw error
      }
      throw explained
    }
  }

  private func walk<Value: Decodable>(
    _ path: OptionalDecodingPath,
    to type: Value.Type,
    whenAbsent absent: Value?
  ) throws -> Value {
    let replacements = userInfo.decodingReplacements
    guard let last = path.steps.last else {
      let container = try singleValueContainer()
      return replacements == nil
        ? try container.decode(type) : try container.decode(Replaceable<Value>.self).value
    }
    var container = try container(keyedBy: PathKey.self)
    for step in path.steps.dropLast() {
      if let absent, try container.isAbsent(step) { return absent }
      container = try container.members(of: step)
    }
    if let absent, try container.isAbsent(last) { return absent }
    // Checked here: some decoders decode a missing key to nil if the type is an optional.
    try container.require(last)
    return replacements == nil
      ? try container.decode(type, forKey: last.codingKey)
      : try container.decode(Replaceable<Value>.self, forKey: last.codingKey).value
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

  /// Returns the object under a key.
  fileprivate func members(of step: OptionalDecodingPath.Step) throws -> Self {
    try require(step)
    return try nestedContainer(keyedBy: PathKey.self, forKey: step.codingKey)
  }
}
