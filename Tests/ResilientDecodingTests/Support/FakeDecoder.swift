import ResilientDecoding

/// A decoder of an array of scalars that advances, or not, like various decoders in use.
struct FakeDecoder: Decoder {
  /// How an unkeyed container advances.
  enum Manner: String, CaseIterable, Sendable {
    /// Moves past an element whether or not it could be decoded.
    case advancesOnFailure
    /// Stays at an element that could not be decoded, like Foundation's decoders.
    case staysOnFailure
    /// Stays, and moves past null only as null.
    case refusesNull
    /// Stays, and only `superDecoder()` advances.
    case movesBySuperDecoder
    /// Never moves past an element that cannot be decoded.
    case stuckOnFailure
    /// Never advances.
    case stuck
  }

  /// The calls of the decoder.
  final class Log {
    /// The number of times that each element was decoded as the array's type.
    var attempts: [Int: Int] = [:]
    var codingPathReads = 0
    var superDecoders = 0
  }

  /// More than any test needs, so that an endless walk becomes a failed test.
  static let maximumAttempts = 100

  let elements: [(any Sendable)?]
  var manner = Manner.staysOnFailure
  var path: [any CodingKey] = []
  var userInfo: [CodingUserInfoKey: Any] = [:]
  let log = Log()

  init(
    _ elements: [(any Sendable)?],
    _ manner: Manner = .staysOnFailure,
    reporter: ResilientDecodingErrorReporter? = nil
  ) {
    self.elements = elements
    self.manner = manner
    userInfo[.resilientDecodingErrorReporter] = reporter
  }

  var codingPath: [any CodingKey] {
    log.codingPathReads += 1
    return path
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { Elements(decoder: self) }

  func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw mismatch([String: Any].self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    throw mismatch(Any.self)
  }

  private func mismatch(_ type: Any.Type) -> DecodingError {
    DecodingError.typeMismatch(
      type,
      DecodingError.Context(codingPath: path, debugDescription: "only an array can be had")
    )
  }
}

extension FakeDecoder {
  private struct Elements: UnkeyedDecodingContainer {
    let decoder: FakeDecoder
    private(set) var currentIndex = 0

    var codingPath: [any CodingKey] { decoder.path }
    var count: Int? { nil }

    var isAtEnd: Bool {
      currentIndex >= decoder.elements.count
        || decoder.log.attempts.values.contains { $0 >= FakeDecoder.maximumAttempts }
    }

    mutating func decodeNil() throws -> Bool {
      guard currentIndex < decoder.elements.count, decoder.elements[currentIndex] == nil else {
        return false
      }
      if canSkip { currentIndex += 1 }
      return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
      guard type == Int.self else {
        guard currentIndex < decoder.elements.count, canSkip,
          decoder.manner != .refusesNull || decoder.elements[currentIndex] != nil
        else { throw failure(type) }
        let value = try T(from: decoder)
        currentIndex += 1
        return value
      }
      decoder.log.attempts[currentIndex, default: 0] += 1
      guard currentIndex < decoder.elements.count else { throw failure(type) }
      guard let value = decoder.elements[currentIndex] as? T else {
        defer { if decoder.manner == .advancesOnFailure { currentIndex += 1 } }
        throw failure(type)
      }
      if decoder.manner != .stuck { currentIndex += 1 }
      return value
    }

    mutating func superDecoder() throws -> any Decoder {
      decoder.log.superDecoders += 1
      switch decoder.manner {
      case .refusesNull, .stuckOnFailure, .stuck: throw failure(Any.self)
      default: currentIndex += 1
      }
      return decoder
    }

    /// Whether decoding an element as another type skips it.
    private var canSkip: Bool {
      [.advancesOnFailure, .staysOnFailure, .refusesNull].contains(decoder.manner)
    }

    private func failure(_ type: Any.Type) -> DecodingError {
      let key = ElementKey(intValue: currentIndex)
      let context = DecodingError.Context(
        codingPath: decoder.path + [key],
        debugDescription: "not what was asked for"
      )
      return currentIndex >= decoder.elements.count || decoder.elements[currentIndex] == nil
        ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    mutating func nestedContainer<Key: CodingKey>(
      keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> { throw failure([String: Any].self) }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      throw failure([Any].self)
    }
  }

  private struct ElementKey: CodingKey {
    let index: Int

    init(intValue: Int) { index = intValue }
    init?(stringValue: String) { nil }

    var intValue: Int? { index }
    var stringValue: String { "Index \(index)" }
  }
}
