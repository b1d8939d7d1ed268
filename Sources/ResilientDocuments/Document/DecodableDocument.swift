public import ResilientDecoding

/// A value of any shape, stored to decode it later: at paths or as a whole, and as any type.
///
///     let json = try JSONDecoder().decode(DecodableDocument.self, from: data)
///     let login: String = try json => "object" => "repo" => "owner" => "login"
///     let listing = try Listing(from: json)
///
/// Any decoder can decode one. Objects keep the payload's keys, and numbers keep all digits that
/// the decoder provides. A decoder's strategies for keys, dates, data and floating point do not
/// apply: a document decodes like a new `JSONDecoder`, but for a few numbers that a type cannot
/// hold. A reporter, `reportsMissingKeys` and replaced decodings in the decoder's `userInfo` still
/// apply. Equal documents have equal values; whether numbers that no type can hold are equal is
/// unknown.
public struct DecodableDocument: Decoder, Sendable {
  let value: DocumentValue

  /// The document's place in the payload, so that an error in it has the whole path.
  public let codingPath: [any CodingKey]

  private let settings: [CodingUserInfoKey: any Sendable]

  /// The reporter, `reportsMissingKeys` and the replaced decodings of the decoder's `userInfo`.
  public var userInfo: [CodingUserInfoKey: Any] { settings }

  private var decoder: DocumentDecoder {
    DocumentDecoder(value, codingPath: codingPath, userInfo: userInfo)
  }
}

extension DecodableDocument: FoundationCompatibleDecoder {
  /// Returns the members of the document.
  ///
  /// - Throws: A `DecodingError` if it isn't an object.
  public func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    try decoder.container(keyedBy: type)
  }

  /// Returns the elements of the document.
  ///
  /// - Throws: A `DecodingError` if it isn't an array.
  public func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try decoder.unkeyedContainer()
  }

  /// Returns the document as a single value.
  public func singleValueContainer() throws -> any SingleValueDecodingContainer { decoder }
}

extension DecodableDocument: Decodable {
  /// Reads the whole value.
  ///
  /// A number or text that the decoder cannot read throws no error here, but when it is decoded
  /// from the document.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if the whole value cannot be read; if it is nested
  ///   more than 512 levels, which `JSONDecoder` does not parse either, or too deeply for the stack
  ///   of the thread; or if it is so large and deeply nested that reading it would take very long.
  public init(from decoder: any Decoder) throws {
    value = try DocumentValue.all(below: decoder)
    codingPath = decoder.codingPath
    var settings = ReportedKeys(of: decoder.userInfo).userInfo
    settings[.resilientDecodingErrorReporter] =
      decoder.userInfo[.resilientDecodingErrorReporter] as? ResilientDecodingErrorReporter
    settings[.decodingReplacements] = decoder.userInfo.decodingReplacements
    self.settings = settings
    if case .unreadable(let reason) = value {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: codingPath, debugDescription: reason)
      )
    }
  }
}

extension DecodableDocument: Hashable {
  /// Compares the values and ignores their places in payloads.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.value == rhs.value
  }

  /// Hashes the value and ignores its place in the payload.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(value)
  }
}

extension [CodingUserInfoKey: Any] {
  /// Makes `=>` and `=>?` decode a type with a closure.
  ///
  /// The closure decodes each value of the type in arrays, sets, dictionaries and optionals, and
  /// any nesting of them, but not the members of a type with an `init(from:)`, written or
  /// synthesized. It replaces an earlier closure for the type. To decode in the usual way, it can
  /// call the type's initializer: `Bool(from: decoder)` does not call the closure again.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - decode: Decodes a value from the decoder at its place; `=>` throws its errors.
  public mutating func replaceDecoding<Replaced: Decodable>(
    of type: Replaced.Type,
    with decode: @escaping @Sendable (any Decoder) throws -> Replaced
  ) {
    self[.decodingReplacements] = DecodingReplacements(decodingReplacements, of: type, decode)
  }

  var decodingReplacements: DecodingReplacements? {
    self[.decodingReplacements] as? DecodingReplacements
  }
}

extension [CodingUserInfoKey: any Sendable] {
  /// Makes `=>` and `=>?` decode a type with a closure, as the method for
  /// `[CodingUserInfoKey: Any]` does.
  public mutating func replaceDecoding<Replaced: Decodable>(
    of type: Replaced.Type,
    with decode: @escaping @Sendable (any Decoder) throws -> Replaced
  ) {
    let earlier = self[.decodingReplacements] as? DecodingReplacements
    self[.decodingReplacements] = DecodingReplacements(earlier, of: type, decode)
  }
}

extension CodingUserInfoKey {
  static let decodingReplacements = CodingUserInfoKey(
    rawValue: "ResilientDecodingReplacements"
  )!  // Never nil: the initializer is failable only because its protocol's is.
}

/// The closures that replace the decoding of some types.
struct DecodingReplacements: Sendable {
  private var byType: [ObjectIdentifier: any Sendable]

  init<Value>(
    _ earlier: Self?,
    of type: Value.Type,
    _ decode: @escaping @Sendable (any Decoder) throws -> Value
  ) {
    byType = earlier?.byType ?? [:]
    byType[ObjectIdentifier(type)] = Replacement(decode: decode)
  }

  func replacement<Value>(of type: Value.Type) -> Replacement<Value>? {
    byType[ObjectIdentifier(type)] as? Replacement<Value>
  }

  struct Replacement<Value>: Sendable {
    let decode: @Sendable (any Decoder) throws -> Value
  }
}
