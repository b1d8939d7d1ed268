/// A value of a type with raw values, or a raw value that the type does not have.
///
/// Keeps a novel value, which a ``ResilientRawRepresentable`` loses, and encodes it unchanged:
///
///     struct Listing: Codable { var kind: Open<Kind> }
///
///     switch listing.kind {
///     case .known(.house): …
///     case .unknown(let name): …
///     }
///
/// If `init(rawValue:)` of `Known` accepts several spellings of a value, the known one is encoded.
///
/// Decoding a novel value reports it, as a ``ResilientRawRepresentable`` does, and does not throw.
/// Keys of a plain `[Open<Kind>: T]` are not reported, because the standard library makes them
/// without a decoder; those of a `@Resilient` property are.
public enum Open<Known: RawRepresentable> {
  /// A value that the type has.
  case known(Known)

  /// A raw value that the type does not have.
  case unknown(Known.RawValue)

  /// Makes a value from a raw value, known or not.
  public init(_ rawValue: Known.RawValue) {
    self = Known(rawValue: rawValue).map(Self.known) ?? .unknown(rawValue)
  }

  /// The value, if the type has it.
  public var known: Known? {
    if case .known(let value) = self { value } else { nil }
  }

  /// The raw value, known or not.
  public var rawValue: Known.RawValue {
    switch self {
    case .known(let value): value.rawValue
    case .unknown(let rawValue): rawValue
    }
  }
}

extension Open: Sendable where Known: Sendable, Known.RawValue: Sendable {}

extension Open: Equatable where Known.RawValue: Equatable {
  /// Compares the raw values.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.rawValue == rhs.rawValue }
}

extension Open: Hashable where Known.RawValue: Hashable {
  /// Hashes the raw value.
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension Open: Decodable where Known.RawValue: Decodable {
  /// Decodes a raw value, and reports one that `Known` does not have.
  ///
  /// - Throws: The decoder's error if there is no raw value.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decodeWhole(Known.RawValue.self))
    guard known == nil, let error = novelError(at: decoder.codingPath) else { return }
    decoder.report(error, decoding: Known.self)
  }
}

extension Open: Encodable where Known.RawValue: Encodable {
  /// Encodes the raw value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

extension Open: CodingKeyRepresentable where Known.RawValue: CodingKeyRepresentable {
  /// The raw value as a key.
  public var codingKey: any CodingKey { rawValue.codingKey }

  /// Makes a value from a key, known or not; nil if the key is not a raw value, such as a text for
  /// a number.
  public init?<Key: CodingKey>(codingKey: Key) {
    guard let rawValue = Known.RawValue(codingKey: codingKey) else { return nil }
    self.init(rawValue)
  }
}

/// An ``Open`` of any type.
protocol OpenValue {
  associatedtype Known: RawRepresentable

  init(_ rawValue: Known.RawValue)

  /// The error to report for a raw value that `Known` does not have.
  func novelError(at codingPath: [any CodingKey]) -> (any Error)?
}

extension Open: OpenValue {
  func novelError(at codingPath: [any CodingKey]) -> (any Error)? {
    guard case .unknown(let rawValue) = self else { return nil }
    return novelValueError(rawValue, decoding: Known.self, at: codingPath)
  }
}

extension Open: ProxyType {
  static var representedType: Any.Type { Known.self }
}
