/// Binds tighter than `as` and `??`, and joins from the right: all keys become one path first.
precedencegroup DecodingPathPrecedence {
  associativity: right
  higherThan: CastingPrecedence
  lowerThan: RangeFormationPrecedence
}

infix operator => : DecodingPathPrecedence
infix operator =>? : DecodingPathPrecedence

/// The keys that lead to a value, all of which must be there.
///
/// A string literal is a path of one key, an array literal one of several, and `=>` joins paths:
/// `"owner" => "login"` is `["owner", "login"]`. A dot in a key is a dot. Keys are compared as a
/// keyed container has them, so where a decoder converts keys, they are the converted ones.
public struct DecodingPath: Sendable, Hashable {
  let keys: [String]

  /// Makes a path of keys that are known at run time only; without a key it is the whole value.
  public init(_ keys: [String]) {
    self.keys = keys
  }
}

extension DecodingPath: ExpressibleByStringLiteral {
  /// Makes a path of one key.
  public init(stringLiteral key: String) {
    self.init([key])
  }
}

extension DecodingPath: ExpressibleByArrayLiteral {
  /// Makes a path of keys from the outermost to the innermost.
  public init(arrayLiteral keys: String...) {
    self.init(keys)
  }
}

extension DecodingPath {
  /// Joins two paths, all keys of which must be there.
  public static func => (path: Self, rest: Self) -> Self {
    Self(path.keys + rest.keys)
  }

  /// Joins a path with one that has optional keys, which stay the only optional ones.
  public static func => (path: Self, rest: OptionalDecodingPath) -> OptionalDecodingPath {
    OptionalDecodingPath(OptionalDecodingPath(path).steps + rest.steps)
  }

  /// Joins two paths, of which the first key of the second may be missing or null.
  public static func =>? (path: Self, rest: Self) -> OptionalDecodingPath {
    path =>? OptionalDecodingPath(rest)
  }

  /// Joins two paths, of which the first key of the second may be missing or null as well.
  public static func =>? (path: Self, rest: OptionalDecodingPath) -> OptionalDecodingPath {
    path => rest.withOptionalFirstKey
  }
}
