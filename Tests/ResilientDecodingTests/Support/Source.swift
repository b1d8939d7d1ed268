import Foundation
import ResilientDecoding

/// What a path begins at: a decoder of some format, or that of a document that one has made.
enum Source: String, CaseIterable, Sendable {
  case json
  case xml
  case binary
  case documentOfJSON
  case documentOfXML

  static let decoders: [Self] = [.json, .xml, .binary]
  static let documents: [Self] = [.documentOfJSON, .documentOfXML]

  /// Runs `read` on a decoder of the payload.
  func read<Value: Sendable>(
    _ json: String,
    userInfo: [CodingUserInfoKey: any Sendable] = [:],
    _ read: @escaping @Sendable (any Decoder) throws -> Value
  ) throws -> Value {
    let reading = try Reading.$current.withValue(Reading.Way { try read($0) }) {
      switch self {
      case .json, .xml, .binary:
        try format.decode(Reading.self, from: json, userInfo: userInfo)
      case .documentOfJSON, .documentOfXML:
        try document(json, userInfo: userInfo).decode(Reading.self)
      }
    }
    guard let value = reading.value as? Value else { throw Mishap(description: "not read") }
    return value
  }

  func document(
    _ json: String,
    userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) throws -> DecodableDocument {
    try format.decode(DecodableDocument.self, from: json, userInfo: userInfo)
  }

  private var format: Format {
    switch self {
    case .json, .documentOfJSON: .json
    case .xml, .documentOfXML: .xml
    case .binary: .binary
    }
  }
}

/// A model that is read as the test says.
private struct Reading: Decodable {
  @TaskLocal static var current: Way?

  // A class: bound to a task as a bare closure, it crashes when Swift 6.3 has optimised the code.
  final class Way: Sendable {
    let read: @Sendable (any Decoder) throws -> any Sendable

    init(_ read: @escaping @Sendable (any Decoder) throws -> any Sendable) { self.read = read }
  }

  let value: any Sendable

  init(from decoder: any Decoder) throws {
    value = try Self.current?.read(decoder) ?? ""
  }
}

/// What came of a read, as text: the value, or the error in its own words.
func outcome<Value>(_ read: () throws -> Value) -> String {
  do { return "\(try read())" } catch { return "\(error)" }
}
