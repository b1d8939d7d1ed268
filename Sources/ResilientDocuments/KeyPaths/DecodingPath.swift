import ResilientDecoding

/// Binds tighter than `as` and `??`, and is right-associative: the keys first join into one path.
precedencegroup DecodingPathPrecedence {
  associativity: right
  higherThan: CastingPrecedence
  lowerThan: RangeFormationPrecedence
}

infix operator => : DecodingPathPrecedence
infix operator =>? : DecodingPathPrecedence

/// The keys that lead to a value. All are required.
///
/// A string literal is a path of one key, an array literal a path of several, and `=>` joins paths:
/// `"owner" => "login"` is `["owner", "login"]`. A dot in a key has no special meaning. If a
/// decoder converts keys, use the converted ones.
public struct DecodingPath: Sendable, Hashable {
  let keys: [String]

  /// Creates a path from keys that are known only at run time; no keys mean the whole value.
  public init(_ keys: [String]) {
    self.keys = keys
  }
}

/// The keys that lead to a value. A key to the right of a `=>?` is optional.
///
/// Decodes only to an optional, which the compiler checks. In `"a" =>? ["b", "c"]` the key `b` may
/// be missing or null; otherwise it must contain a `c`.
public struct OptionalDecodingPath: Sendable, Hashable {
  let steps: [Step]

  struct Step: Sendable, Hashable {
    let key: String
    var isOptional = false

    var codingKey: PathKey { PathKey(key) }
  }

  init(_ steps: [Step]) {
    self.steps = steps
  }

  init(_ path: DecodingPath) {
    self.init(path.keys.map { Step(key: $0) })
  }

  var withOptionalFirstKey: Self {
    guard let first = steps.first else { return self }
    return Self([Step(key: first.key, isOptional: true)] + steps.dropFirst())
  }
}

extension DecodingPath: ExpressibleByStringLiteral {
  /// Creates a path of one key.
  public init(stringLiteral key: String) {
    self.init([key])
  }
}

extension DecodingPath: ExpressibleByArrayLiteral {
  /// Creates a path of keys from the outermost to the innermost.
  public init(arrayLiteral keys: String...) {
    self.init(keys)
  }
}

extension DecodingPath {
  /// Joins two paths of required keys.
  public static func => (path: Self, rest: Self) -> Self {
    Self(path.keys + rest.keys)
  }

  /// Joins a path of required keys with one that has optional keys.
  public static func => (path: Self, rest: OptionalDecodingPath) -> OptionalDecodingPath {
    OptionalDecodingPath(OptionalDecodingPath(path).steps + rest.steps)
  }

  /// Joins two paths; the first key of the second becomes optional.
  public static func =>? (path: Self, rest: Self) -> OptionalDecodingPath {
    path =>? OptionalDecodingPath(rest)
  }

  /// Joins two paths; the first key of the second becomes optional too.
  public static func =>? (path: Self, rest: OptionalDecodingPath) -> OptionalDecodingPath {
    path => rest.withOptionalFirstKey
  }
}

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

/// A value that is decoded with the replacements in its decoder's `userInfo`.
struct WithReplacements<Value: Decodable>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws {
    if let replacement = decoder.userInfo.decodingReplacements?.replacement(of: Value.self) {
      value = try replacement.decode(decoder)
    } else if let type = Value.self as? any ReplaceableValues.Type,
      let held = try type.decodedWithReplacements(from: decoder) as? Value
    {
      value = held
    } else {
      // Through a container, so that a decoder can apply its strategies for `Date`, `URL` and
      // others.
      value = try decoder.singleValueContainer().decode(Value.self)
    }
  }
}

/// A collection or optional, whose values may have replaced decodings.
private protocol ReplaceableValues {
  static func decodedWithReplacements(from decoder: any Decoder) throws -> Self
}

extension Optional: ReplaceableValues where Wrapped: Decodable {
  static func decodedWithReplacements(from decoder: any Decoder) throws -> Self {
    let container = try decoder.singleValueContainer()
    return container.decodeNil() ? nil : try container.decode(WithReplacements<Wrapped>.self).value
  }
}

extension Array: ReplaceableValues where Element: Decodable {
  static func decodedWithReplacements(from decoder: any Decoder) throws -> Self {
    try decoder.singleValueContainer().decode([WithReplacements<Element>].self).map(\.value)
  }
}

extension Set: ReplaceableValues where Element: Decodable {
  static func decodedWithReplacements(from decoder: any Decoder) throws -> Self {
    Set(try [Element].decodedWithReplacements(from: decoder))
  }
}

extension Dictionary: ReplaceableValues where Key: Decodable, Value: Decodable {
  static func decodedWithReplacements(from decoder: any Decoder) throws -> Self {
    try decoder.singleValueContainer().decode([Key: WithReplacements<Value>].self).mapValues(
      \.value)
  }
}
