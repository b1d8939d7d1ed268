/// A value of any shape, kept to be decoded later, at paths or as a whole, and as any type.
///
///     let json = try JSONDecoder().decode(DecodableDocument.self, from: data)
///     let login: String = try json => "object" => "repo" => "owner" => "login"
///
/// Any decoder makes one. Objects keep their keys as they are in the payload, numbers all digits
/// that the decoder gives. What a decoder does in its own way with keys, dates, data and floating
/// point ends here: a document decodes as a new `JSONDecoder` does. A reporter and replaced
/// decodings in the decoder's `userInfo` stay in force. Equal documents have equal
/// values; of numbers that no type can hold it is not known.
public struct DecodableDocument: Sendable {
  let value: DocumentValue

  /// Where the document stands in the payload: an error in it tells the whole path.
  let codingPath: [any CodingKey]

  private let reporter: ResilientDecodingErrorReporter?
  private let replacements: DecodingReplacements?

  /// What is kept of the `userInfo` of the decoder: all that is known to be Sendable.
  var userInfo: [CodingUserInfoKey: Any] {
    var userInfo: [CodingUserInfoKey: Any] = [:]
    userInfo[.resilientDecodingErrorReporter] = reporter
    userInfo[.decodingReplacements] = replacements
    return userInfo
  }

  /// Decodes the whole document; as `T?` a null is nil.
  ///
  /// - Throws: ``DecodingPathError`` when the document, or anything in it, is not of its type; an
  ///   error that is not of decoding as it is.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    try self => []
  }
}

extension DecodableDocument: Decodable {
  /// Reads all that is there.
  ///
  /// A number or text in it that the decoder cannot read makes no error here, but when it is asked
  /// for, as though the payload were decoded then.
  ///
  /// - Throws: `DecodingError.dataCorrupted` when the whole value cannot be read; when it is nested
  ///   more than 512 levels, which a `JSONDecoder` does not parse; and when so much of it is nested
  ///   so deeply that reading it would take very long.
  public init(from decoder: any Decoder) throws {
    value = try DocumentValue.all(below: decoder)
    codingPath = decoder.codingPath
    reporter = decoder.userInfo[.resilientDecodingErrorReporter] as? ResilientDecodingErrorReporter
    replacements = decoder.userInfo.decodingReplacements
    if case .unreadable(let reason) = value {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: codingPath, debugDescription: reason)
      )
    }
  }
}

extension DecodableDocument: Hashable {
  /// Compares the values, wherever they come from.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.value == rhs.value
  }

  /// Hashes the value, wherever it comes from.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(value)
  }
}
