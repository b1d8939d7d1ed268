/// The names of all keys of a payload, as its decoder gives them.
struct PayloadKeys: Decodable {
  private(set) var names: Set<String> = []

  /// The types of values, the most common first.
  private enum Kind: CaseIterable {
    case text
    case number
    case object
    case array
    case boolean
  }

  private enum Content {
    case scalar
    case object(KeyedDecodingContainer<PathKey>)
    case array(any UnkeyedDecodingContainer)
  }

  /// The type of the last value under each key, or in the arrays under it: payloads repeat
  /// themselves, and a failed attempt is expensive.
  private var kinds: [String: Kind] = [:]

  private var depth = 0

  /// The cost of the failed attempts, in units of about ten nanoseconds: an error costs the more,
  /// the longer its path is.
  private var work = 0

  /// Enough for any payload in use, and not too much for a stack of 512 KB.
  private static let maximumDepth = 64

  /// The work of a fifth of a second.
  private static let maximumWork = 20_000_000

  private static var tooExpensive: DecodingError {
    .dataCorrupted(
      DecodingError.Context(codingPath: [], debugDescription: "It takes too long to read all keys.")
    )
  }

  /// - Throws: An error of the decoder, or `DecodingError.dataCorrupted` if the payload is nested too
  ///   deeply, or neighbouring values differ in type so often that reading it would take too long.
  init(from decoder: any Decoder) throws {
    try read(under: "") { kind in
      switch kind {
      case .object: return .object(try decoder.container(keyedBy: PathKey.self))
      case .array: return .array(try decoder.unkeyedContainer())
      default:
        _ = try decoder.singleValueContainer().decode(String.self)
        return .scalar
      }
    }
  }

  /// Reads a value as the likely type, or else as another one.
  ///
  /// - Parameter attempt: Reads it as one type, or throws an error.
  private mutating func read(
    under name: String, as attempt: (Kind) throws -> Content
  ) throws {
    let likely = kinds[name] ?? .text
    // A failed attempt is an answer.
    if let content = try? attempt(likely) { return try read(content, under: name) }
    for kind in Kind.allCases where kind != likely {
      work += 100 + depth * depth
      guard work <= Self.maximumWork else { throw Self.tooExpensive }
      guard let content = try? attempt(kind) else { continue }
      kinds[name] = kind
      return try read(content, under: name)
    }
  }

  private mutating func read(_ content: Content, under name: String) throws {
    if case .scalar = content { return }
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw Self.tooExpensive }
    switch content {
    case .scalar: break
    case .object(let object): try read(object)
    case .array(let array): try read(array, under: name + "[]")
    }
  }

  private mutating func read(_ object: KeyedDecodingContainer<PathKey>) throws {
    for key in object.allKeys {
      names.insert(key.stringValue)
      guard try !object.decodeNil(forKey: key) else { continue }
      try read(under: key.stringValue) { kind in
        switch kind {
        case .text:
          _ = try object.decode(String.self, forKey: key)
          return .scalar
        case .number:
          _ = try object.decode(Double.self, forKey: key)
          return .scalar
        case .boolean:
          _ = try object.decode(Bool.self, forKey: key)
          return .scalar
        case .object: return .object(try object.nestedContainer(keyedBy: PathKey.self, forKey: key))
        case .array: return .array(try object.nestedUnkeyedContainer(forKey: key))
        }
      }
    }
  }

  private mutating func read(
    _ array: any UnkeyedDecodingContainer, under name: String
  ) throws {
    var array = array
    while !array.isAtEnd {
      let index = array.currentIndex
      guard try !array.decodeNil() else { continue }
      try read(under: name) { kind in
        switch kind {
        case .text:
          _ = try array.decode(String.self)
          return .scalar
        case .number:
          _ = try array.decode(Double.self)
          return .scalar
        case .boolean:
          _ = try array.decode(Bool.self)
          return .scalar
        case .object: return .object(try array.nestedContainer(keyedBy: PathKey.self))
        case .array: return .array(try array.nestedUnkeyedContainer())
        }
      }
      // A value that cannot be read, such as half a surrogate.
      if array.currentIndex == index, !array.skip(from: index) { throw array.notAdvancingError }
    }
  }
}
