/// The elements of an array in a document.
///
/// It stays at an element that cannot be decoded, as the decoders of Foundation do.
struct DocumentElements: UnkeyedDecodingContainer {
  let decoder: DocumentDecoder
  let elements: [DocumentValue]
  private(set) var currentIndex = 0

  init(decoder: DocumentDecoder, elements: [DocumentValue]) {
    self.decoder = decoder
    self.elements = elements
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  mutating func decodeNil() throws -> Bool {
    guard try element(Never.self).decodeNil() else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try element(type).decode(type)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let container = try element(type).container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try element([Any].self).unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let element = try element((any Decoder).self)
    currentIndex += 1
    return element
  }

  /// A decoder of the element that is next.
  ///
  /// - Parameter type: what is expected there, for the error at the end of the array.
  private func element(_ type: Any.Type) throws -> DocumentDecoder {
    let key = IndexKey(currentIndex)
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type,
        DecodingError.Context(
          codingPath: decoder.codingPath + [key],
          debugDescription: "The array has no more elements."
        )
      )
    }
    return decoder.decoder(of: elements[currentIndex], at: key)
  }
}
