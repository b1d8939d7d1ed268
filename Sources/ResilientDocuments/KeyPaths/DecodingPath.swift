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
