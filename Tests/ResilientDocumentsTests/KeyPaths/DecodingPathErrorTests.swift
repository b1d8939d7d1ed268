import Foundation
import ResilientDecoding
import ResilientDocuments
import Testing

@testable import ResilientDecodingTests

struct DecodingPathErrorTests {
  /// A read of a payload, and the whole text of its error.
  struct Row: Sendable, CustomTestStringConvertible {
    let payload: String
    let text: String
    let read: @Sendable (any Decoder) throws -> String

    init<Value: Decodable & SendableMetatype>(
      _ payload: String,
      _ path: DecodingPath,
      as type: Value.Type,
      _ text: String
    ) {
      self.payload = payload
      self.text = text
      self.read = { "\(try $0 => path as Value)" }
    }

    var testDescription: String { payload }
  }

  static let rows = [
    Row(
      #"{"object": {"repo": {"owner": {"login": "anviking", "id": 1}}}}"#,
      "object" => "repo" => "owner" => "name",
      as: String.self,
      #"keyNotFound at object.repo.owner: "name" in {"id": 1, "login": "anviking"}"#
    ),
    Row(
      #"{"b": true, "a": 1.5}"#, "c" => "d", as: Int.self,
      #"keyNotFound at the root: "c" in {"a": 1.5, "b": true}"#),
    Row(#"{"a": "x"}"#, "a", as: Int.self, #"typeMismatch at a: expected Int, found "x""#),
    Row(#"{"a": "x"}"#, "a", as: [Int].self, #"typeMismatch at a: expected an array, found "x""#),
    Row(#"{"a": [1]}"#, "a", as: Point.self, "typeMismatch at a: expected an object, found [1]"),
    Row(
      #"{"a": [1]}"#, "a" => "b", as: Int.self, "typeMismatch at a: expected an object, found [1]"),
    Row(#"{"a": null}"#, "a", as: Int.self, "valueNotFound at a: expected Int, found null"),
    Row(
      #"{"a": null}"#, "a" => "b", as: Int.self,
      "valueNotFound at a: expected an object, found null"),
    Row(
      #"{"a": 1.5}"#, "a", as: Int?.self, "dataCorrupted at a: expected Int, found 1.5"),
    Row(
      #"{"a": [{"x": 1, "y": 2}, {"x": 3}]}"#,
      "a",
      as: [Point].self,
      #"keyNotFound at a[1]: "y" in {"x": 3}"#
    ),
    Row(
      #"{"a": {"k": [1, {"n": ["deep"]}]}}"#,
      "a",
      as: [String: [Int]].self,
      #"typeMismatch at a.k[1]: expected Int, found {"n": ["deep"]}"#
    ),
    Row(
      #"{"a": {"b c": {"x": 1}}}"#,
      "a",
      as: [String: Point].self,
      #"keyNotFound at a["b c"]: "y" in {"x": 1}"#
    ),
    Row(#"[1]"#, "a", as: Int.self, "typeMismatch at the root: expected an object, found [1]"),
    Row(#"{"a": [1]}"#, "a", as: Pair.self, "valueNotFound at a[1]: expected Int, found nothing"),
    Row(
      #"{"a": "up"}"#,
      "a",
      as: Side.self,
      #"unknownNovelValue at a: expected ResilientDecodingTests.Side, found "up""#
    ),
  ]

  @Test(arguments: rows, Source.allCases)
  func `an error has the path, the object there and the expectation`(
    row: Row,
    source: Source
  ) {
    let found = outcome { try source.read(row.payload, row.read) }
    #expect(withoutReason(found) == row.text)
  }

  @Test(arguments: Source.allCases)
  func `corrupted data has the type's reason`(source: Source) {
    let found = outcome {
      try source.read(#"{"a": [5, 6]}"#) { decoder in "\(try decoder => "a" as [Even])" }
    }
    #expect(found == "dataCorrupted at a[0]: found 5 (odd \\n at a[0])")
  }

  @Test(arguments: Source.allCases)
  func `an error for a number that does not fit has its path`(source: Source) throws {
    let error = try #require(
      self.error { try source.read(#"{"a": 300}"#) { decoder in try decoder => "a" as UInt8 } }
    )
    #expect(error.parts == ["dataCorrupted", "a", "UInt8", "300"])
    guard case .dataCorrupted(let context) = error.underlyingError else {
      Issue.record("\(error.underlyingError)")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["a"])
  }

  @Test(arguments: Source.allCases)
  func `the parts are available one by one`(source: Source) throws {
    let missing = error {
      try source.read(#"{"a": {"c": []}}"#) { decoder in try decoder => "a" => "b" as Int }
    }
    #expect(missing?.parts == ["keyNotFound", "a", #""b""#, #"{"c": []}"#])
    let null = error { try source.read(#"{"a": null}"#) { decoder in try decoder => "a" as Int } }
    #expect(null?.parts == ["valueNotFound", "a", "Int", "null"])
  }

  @Test(arguments: Source.allCases)
  func `a path inside a model begins at the root`(source: Source) {
    let found = outcome {
      try source.read(#"{"list": [{"owner": {"login": "a"}}, {"owner": {"id": 2}}]}"#) { decoder in
        try decoder => "list" as [Repository]
      }
    }
    #expect(found == #"keyNotFound at list[1].owner: "login" in {"id": 2}"#)
  }

  @Test func `an error of a decoder inside an initializer is reported at the initializer's path`() {
    let found = outcome {
      try Source.json.read(#"{"a": {"payload": "{\"x\": 1}"}}"#) { decoder in
        try decoder => "a" => "payload" as Embedded
      }
    }
    #expect(found == #"keyNotFound at a.payload: "y" in "{\"x\": 1}""#)
  }

  @Test(arguments: Source.decoders)
  func `dictionary keys are found although they are data`(source: Source) {
    let found = outcome {
      try source.read(#"{"a": {"user_name": {"x": 1}}}"#) { decoder in
        try decoder => "a" as [String: Point]
      }
    }
    #expect(found == #"keyNotFound at a.user_name: "y" in {"x": 1}"#)
  }

  @Test func `the excerpt is omitted if the decoder does not find the object again`() {
    let decoder = JSONDecoder.snakeCase
    let data = Data(#"{"a": {"user_name": {"x": 1}}}"#.utf8)
    let found = outcome { try decoder.decode(Points.self, from: data) }
    #expect(found == #"keyNotFound at a.user_name: "y""#)
  }

  private func withoutReason(_ text: String) -> String {
    guard text.hasPrefix("dataCorrupted"), let reason = text.range(of: " (") else { return text }
    return String(text[..<reason.lowerBound])
  }

  private func error<Value>(_ read: () throws -> Value) -> DecodingPathError? {
    do {
      _ = try read()
      return nil
    } catch {
      return error as? DecodingPathError
    }
  }
}

extension DecodingPathError {
  /// The parts of the error, without the decoder's error.
  fileprivate var parts: [String?] { [kind.rawValue, path.description, expected, found] }
}

private struct Pair: Decodable {
  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    _ = try container.decode(Int.self)
    _ = try container.decode(Int.self)
  }
}

private struct Even: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard try container.decode(Int.self).isMultiple(of: 2) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "odd \n at a[0]")
    }
  }
}

private struct Repository: Decodable {
  let login: String

  init(from decoder: any Decoder) throws {
    let login: String = try decoder => "owner" => "login"
    self.login = login
  }
}

/// JSON in a JSON string.
private struct Embedded: Decodable {
  init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    _ = try JSONDecoder().decode(Point.self, from: Data(text.utf8))
  }
}

private struct Points: Decodable {
  init(from decoder: any Decoder) throws {
    let _: [String: Point] = try decoder => "a"
  }
}
