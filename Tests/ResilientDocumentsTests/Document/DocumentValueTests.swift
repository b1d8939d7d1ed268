import Foundation
import ResilientDecoding
import ResilientDocuments
import Testing

@testable import ResilientDecodingTests

/// The values in documents of formats other than JSON.
struct DocumentValueTests {
  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func `dates and data in a property list are unchanged`(
    format: PropertyListSerialization.PropertyListFormat
  ) throws {
    let properties = Properties(
      date: Date(timeIntervalSinceReferenceDate: 700_000_000), data: Data([1, 2, 3]),
      count: .max, ratio: 0.1, isOn: true, names: ["a", "123", "true", ""]
    )
    let encoder = PropertyListEncoder()
    encoder.outputFormat = format
    let data = try encoder.encode(properties)
    let document = try PropertyListDecoder().decode(DecodableDocument.self, from: data)
    #expect(try document.decode(Properties.self) == properties)
    #expect(try document => "names" as [String] == properties.names)
    #expect(
      outcome { try document => "date" as Double }
        == "typeMismatch at date: expected Double, found 2023-03-08 20:26:40 +0000"
    )
    #expect(
      outcome { try document => "date" => "x" as Double }
        == "typeMismatch at date: expected an object, found 2023-03-08 20:26:40 +0000"
    )
  }

  @Test func `text in an untyped format decodes as every type that it can be`() throws {
    let number = try DecodableDocument(from: TextDecoder(text: "007"))
    #expect(try number.decode(String.self) == "007")
    #expect(try number.decode(Int.self) == 7)
    #expect(try number.decode(Double?.self) == 7)
    let boolean = try DecodableDocument(from: TextDecoder(text: "true"))
    #expect(try boolean.decode(String.self) == "true")
    #expect(try boolean.decode(Bool.self))
    let text = try DecodableDocument(from: TextDecoder(text: "7 a"))
    #expect(try text.decode(String.self) == "7 a")
    #expect(
      outcome { try text.decode(Int.self) }
        == #"typeMismatch at the root: expected Int, found "7 a""#
    )
  }

  @Test func `an array whose decoder does not advance is refused`() {
    #expect(outcome { try DecodableDocument(from: StuckDecoder()) }.contains("does not move"))
  }
}

private struct Properties: Codable, Equatable {
  let date: Date
  let data: Data
  let count: UInt64
  let ratio: Double
  let isOn: Bool
  let names: [String]
}

/// A decoder of a text, which decodes as every type that it can be, as in XML.
private struct TextDecoder: Decoder, SingleValueDecodingContainer {
  let text: String
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw mismatch(type)
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw mismatch([Any].self) }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { false }
  func decode(_ type: String.Type) throws -> String { text }
  func decode(_ type: Bool.Type) throws -> Bool { try made(Bool(text)) }
  func decode(_ type: Double.Type) throws -> Double { try made(Double(text)) }
  func decode(_ type: Float.Type) throws -> Float { try made(Float(text)) }
  func decode<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type) throws -> Integer {
    try made(Integer(text))
  }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }

  private func made<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw mismatch(Value.self) }
    return value
  }

  private func mismatch(_ type: Any.Type) -> DecodingError {
    .typeMismatch(type, DecodingError.Context(codingPath: [], debugDescription: "it is \(text)"))
  }
}

/// A decoder of an endless array.
private struct StuckDecoder: Decoder, UnkeyedDecodingContainer {
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  var count: Int? { nil }
  var isAtEnd: Bool { false }
  var currentIndex: Int { 0 }

  func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw Mishap(description: "an array")
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { self }
  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    throw Mishap(description: "an array")
  }

  func decodeNil() throws -> Bool { false }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try Value(from: TextDecoder(text: "1"))
  }
  func nestedContainer<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> { throw Mishap(description: "a number") }
  func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw Mishap(description: "a number")
  }
  func superDecoder() throws -> any Decoder { TextDecoder(text: "1") }
}
