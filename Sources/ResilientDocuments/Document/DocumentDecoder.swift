import ResilientDecoding

/// A decoder at one place in a document. It throws the errors of `JSONDecoder` in nearly all cases.
// A class, because each decoder is passed on as an `any Decoder` and refers to its parent, so that
// a path costs nothing until it is read.
final class DocumentDecoder: FoundationCompatibleDecoder {
  let value: DocumentValue
  let userInfo: [CodingUserInfoKey: Any]
  private let place: Place

  private enum Place {
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
    case .integer, .unsignedInteger, .number: "a number"
    case .string, .text: "a string"
    case .array: "an array"
    case .object: "an object"
    case .date: "a date"
    case .data: "data"
    case .unreadable: "an unreadable value"
    }
  }
}
