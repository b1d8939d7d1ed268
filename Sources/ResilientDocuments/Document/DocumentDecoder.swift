import ResilientDecoding
import ResilientPlatform

/// A decoder at one place in a document. It throws the errors of `JSONDecoder` in nearly all cases.
// A class, because each decoder is passed on as an `any Decoder` and refers to its parent, so that
// a path costs nothing until it is read.
final class DocumentDecoder: FoundationCompatibleDecoder {
  let value: DocumentValue
  let userInfo: [CodingUserInfoKey: Any]
  private let place: ValuePlace

  private enum ValuePlace {
    case root([any CodingKey])
    case key(any CodingKey, in: DocumentDecoder)
  }

  init(
    _ value: DocumentValue,
    codingPath: [any CodingKey],
    userInfo: [CodingUserInfoKey: Any]
  ) {
    self.value = value
    self.userInfo = userInfo
    place = .root(codingPath)
  }

  private init(_ value: DocumentValue, at key: any CodingKey, in parent: DocumentDecoder) {
    self.value = value
    userInfo = parent.userInfo
    place = .key(key, in: parent)
  }

  /// Returns a decoder of a member or element.
  func decoder(of value: DocumentValue, at key: any CodingKey) -> DocumentDecoder {
    DocumentDecoder(value, at: key, in: self)
  }

  var codingPath: [any CodingKey] {
    var keys: [any CodingKey] = []
    var decoder = self
    while case .key(let key, let parent) = decoder.place {
      keys.append(key)
      decoder = parent
    }
    guard case .root(let root) = decoder.place else { return keys.reversed() }
    return root + keys.reversed()
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw mismatch([String: Any].self) }
    return KeyedDecodingContainer(DocumentMembers(decoder: self, members: members))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw mismatch([Any].self) }
    return DocumentElements(decoder: self, elements: elements)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension DocumentDecoder {
  /// Returns the error for a value that is not of a type.
  func mismatch(_ type: Any.Type) -> DecodingError {
    switch value {
    case .null:
      .valueNotFound(type, context("Found null where a value of type \(type) was expected."))
    case .unreadable(let reason) where !isAlwaysReadable(type):
      .dataCorrupted(context(reason))
    default:
      .typeMismatch(type, context("Expected to decode \(type) but found \(value.kind) instead."))
    }
  }

  /// Whether a type is neither a number nor text: only those can be unreadable.
  private func isAlwaysReadable(_ type: Any.Type) -> Bool {
    type == Bool.self || type == [Any].self || type == [String: Any].self
  }

  func corrupted(_ message: String) -> DecodingError {
    .dataCorrupted(context(message))
  }

  func context(_ message: String) -> DecodingError.Context {
    DecodingError.Context(codingPath: codingPath, debugDescription: message)
  }
}

extension DocumentValue {
  fileprivate var kind: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .number: "a number"
    case .string, .text: "a string"
    case .array: "an array"
    case .object: "an object"
    case .date: "a date"
    case .data: "data"
    case .unreadable: "an unreadable value"
    }
  }
}

extension DocumentDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool {
    if case .null = value { true } else { false }
  }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard case .boolean(let boolean) = value.withoutText else { throw mismatch(type) }
    return boolean
  }

  func decode(_ type: String.Type) throws -> String {
    switch value {
    case .string(let string), .text(let string, _): return string
    default: throw mismatch(type)
    }
  }

  func decode(_ type: Double.Type) throws -> Double {
    try number(type) { Double($0) }
  }

  func decode(_ type: Float.Type) throws -> Float {
    // From the digits: rounding to a `Double` first could give another `Float`.
    try number(type) { text in
      guard let float = Float(text), let double = Double(text),
        float.isFinite == double.isFinite, (float == 0) == (double == 0)
      else { return nil }
      return float
    }
  }

  // The standard library's defaults for these throw.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: Int128.Type) throws -> Int128 { try decodeInteger(type) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeInteger(type) }

  func decode<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type) throws -> Integer {
    try decodeInteger(type)
  }

  private func decodeInteger<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
    try number(type) { text in
      // Only a number too large for a `Decimal` has an exponent.
      text.contains("e") ? Double(text).flatMap(Integer.init(exactly:)) : Integer(text)
    }
  }

  /// Makes a number from its text.
  ///
  /// - Parameter parse: Returns nil if the number does not fit in the type.
  private func number<Number>(
    _ type: Number.Type, _ parse: (String) -> Number?
  ) throws -> Number {
    guard case .number(let text) = value.withoutText else { throw mismatch(type) }
    guard let number = parse(text) else {
      throw corrupted("The number \(text) does not fit in \(type).")
    }
    return number
  }

  /// Decodes any other type; Foundation's types like a new `JSONDecoder`.
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if hasStrategy(type), decodeNil() { throw mismatch(type) }
    if type == URL.self, let url = try decodeURL() as? Value { return url }
    if type == Decimal.self,
      let decimal = try number(Decimal.self, { Decimal(string: $0) }) as? Value
    {
      return decimal
    }
    if type == Data.self, let data = try decodeData() as? Value { return data }
    if type == Date.self, case .date(let date) = value, let date = date as? Value { return date }
    return try Value(from: self)
  }

  private func decodeURL() throws -> URL {
    guard let url = URL(string: try decode(String.self)) else {
      throw corrupted("Invalid URL string.")
    }
    return url
  }

  private func decodeData() throws -> Data {
    if case .data(let data) = value { return data }
    guard let data = Data(base64Encoded: try decode(String.self)) else {
      throw corrupted("The text is not valid Base64.")
    }
    return data
  }
}

extension DocumentValue {
  /// The number or boolean for text in an untyped format; otherwise the value itself.
  var withoutText: Self {
    if case .text(_, let value) = self { value } else { self }
  }
}
