import Foundation
import ResilientDecoding
import ResilientDocuments

/// The start of a path: a decoder of a format, or of a document.
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

/// A model that a test's closure reads.
private struct Reading: Decodable {
  @TaskLocal static var current: Way?

  // A class: optimized code of Swift 6.3 crashes if a bare closure is bound to a task.
  final class Way: Sendable {
    let read: @Sendable (any Decoder) throws -> any Sendable

    init(_ read: @escaping @Sendable (any Decoder) throws -> any Sendable) { self.read = read }
  }

  let value: any Sendable

  init(from decoder: any Decoder) throws {
    value = try Self.current?.read(decoder) ?? ""
  }
}

/// The result of a read as text: the value, or the error's description.
func outcome<Value>(_ read: () throws -> Value) -> String {
  do { return "\(try read())" } catch { return "\(error)" }
}
