import Foundation
import ResilientDecoding
import ResilientDocuments
import Testing

@testable import ResilientDecodingTests

struct DecodableDocumentTests {
  @Test func `a document is a decoder, also of a part of itself`() throws {
    let reporter = ResilientDecodingErrorReporter()
    let decoder = JSONDecoder()
    decoder.userInfo[.resilientDecodingErrorReporter] = reporter
    let json = try decoder.decode(
      [DecodableDocument].self, from: Data(#"[{"p": [1, "x"]}]"#.utf8))[0]
    #expect(try GenericModel<[Int]>(from: json).p == [1])
    #expect(try DecodableDocument(from: json) == json)
    #expect(reporter.flushReportedErrors()?.paths == ["[0].p[1]"])
  }

  @Test func `a document is read at paths and as a whole`() throws {
    let data = Data(#"{"object": {"repo": {"owner": {"id": 1, "login": "anviking"}}}}"#.utf8)
    let json = try JSONDecoder().decode(DecodableDocument.self, from: data)
    let login: String = try json => "object" => "repo" => "owner" => "login"
    let id: Int? = try json =>? "object" => ["repo", "owner", "id"]
    let part: DecodableDocument = try json => "object" => "repo"
    let whole = try json.decode([String: [String: [String: Account]]].self)
    #expect(login == "anviking")
    #expect(id == 1)
    #expect(try part => "owner" => "login" == "anviking")
    #expect(whole["object"]?["repo"]?["owner"]?.login == "anviking")
  }

  @Test(arguments: Source.documents)
  func `an error in a part of a payload has the whole path`(source: Source) throws {
    struct Model: Decodable, Sendable { let parts: [DecodableDocument] }
    let model = try source.document(#"{"parts": [1, {"a": {}}]}"#).decode(Model.self)
    let part = try #require(model.parts.last)
    #expect(
      outcome { try part => "a" => "b" as Int } == #"keyNotFound at parts[1].a: "b" in {}"#
    )
    let direct = try Format.json.decode(
      Model.self, from: #"{"parts": [1, {"a": {}}]}"#, userInfo: [:])
    let directPart = try #require(direct.parts.last)
    #expect(
      outcome { try directPart => "a" => "b" as Int } == #"keyNotFound at parts[1].a: "b" in {}"#
    )
    #expect(directPart == part)
  }

  static let equal = [
    (#"{"a": [1, "x", null], "b": true}"#, #"{"b": true, "a": [1.0, "x", null]}"#),
    ("[1.5]", "[15e-1]"), ("18446744073709551615", "18446744073709551615"),
  ]

  @Test(arguments: equal)
  func `documents with the same values are equal`(first: String, second: String) throws {
    let documents = try [first, second].map { try Source.documentOfJSON.document($0) }
    #expect(documents[0] == documents[1])
    #expect(Set(documents).count == 1)
  }

  static let different = [
    ("1", "true"), ("1", #""1""#), ("null", "{}"), ("[]", "{}"), ("[1, 2]", "[2, 1]"),
    ("12345678901234567890123", "12345678901234567890124"),
  ]

  @Test(arguments: different)
  func `documents with different values are not equal`(first: String, second: String) throws {
    let documents = try [first, second].map { try Source.documentOfJSON.document($0) }
    #expect(documents[0] != documents[1])
  }

  @Test func `keys keep their form in the payload`() throws {
    let decoder = JSONDecoder.snakeCase
    let data = Data(#"{"user_name": {"first_name": 1}, "userName": 2}"#.utf8)
    let json = try decoder.decode(DecodableDocument.self, from: data)
    #expect(try json => "user_name" => "first_name" == 1)
    #expect(try json => "userName" == 2)
  }

  @Test(arguments: [Source.documentOfJSON, .documentOfXML])
  func `models with resilient properties report to the decoder's reporter`(source: Source) throws {
    let payload = #"""
      {"kinds": ["flat", "villa"], "points": {"a": {"x": 1, "y": 2}, "b": {"x": "1"}}, "mood": 5}
      """#
    let reporter = ResilientDecodingErrorReporter()
    let document = try source.document(
      payload,
      userInfo: [.resilientDecodingErrorReporter: reporter]
    )
    #expect(reporter.flushReportedErrors() == nil)
    let model = try document.decode(Survivor.self)
    let (direct, digest) = try Format.json.decode(Survivor.self, from: payload)
    #expect(model == direct)
    let found = reporter.flushReportedErrors()
    #expect(found?.reports == digest?.reports)
    #expect(found?.reports.count == 3)
    #expect(found?.debugDescription == digest?.debugDescription)
  }

  @Test func `errors can be collected from a document as from a decoder`() throws {
    let document = try Source.documentOfJSON.document(#"{"kinds": ["villa"]}"#)
    let reporter = ResilientDecodingErrorReporter()
    _ = try reporter.collectErrors { try document.decode(Survivor.self) }
    #expect(reporter.flushReportedErrors()?.paths == ["kinds[0]", "mood"])
  }

  @Test func `threads read one document at once`() async throws {
    let reporter = ResilientDecodingErrorReporter()
    let document = try Source.documentOfJSON.document(
      #"{"kinds": ["flat", "villa"], "mood": "calm", "n": {"deep": [1, 2, 3]}}"#,
      userInfo: [.resilientDecodingErrorReporter: reporter]
    )
    let sums = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<50 {
        group.addTask {
          let numbers: [Int] = try document => "n" => "deep"
          return try numbers.reduce(0, +) + document.decode(Survivor.self).kinds.count
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(sums == Array(repeating: 7, count: 50))
    #expect(reporter.flushReportedErrors()?.errorCount == 50)
  }

  @Test(.needsLargeStack, arguments: ["[]", "{}"])
  func `a document is as deep as the parser allows`(brackets: String) throws {
    let deep = Self.nested(in: brackets, levels: 512)
    let document = try Source.documentOfJSON.document(deep)
    #expect(try document == Source.documentOfJSON.document(deep))
    #expect(throws: DecodingError.self) {
      try Source.documentOfJSON.document(Self.nested(in: brackets, levels: 513))
    }
  }

  @Test(arguments: [20, 40])
  func `keys that a decoder converts are read at any depth`(levels: Int) throws {
    let decoder = JSONDecoder.snakeCase
    let json =
      String(repeating: #"{"a_b":"#, count: levels) + "1" + String(repeating: "}", count: levels)
    let path = DecodingPath(Array(repeating: "a_b", count: levels))
    let document = try decoder.decode(DecodableDocument.self, from: Data(json.utf8))
    #expect(try document => path as Int == 1)
  }

  @Test func `a deeper document in another format is refused`() throws {
    let deep = (0..<600).reduce(NSArray()) { array, _ in [array] }
    let data = try PropertyListSerialization.data(
      fromPropertyList: deep, format: .binary, options: 0
    )
    let found = outcome { try PropertyListDecoder().decode(DecodableDocument.self, from: data) }
    #expect(found.contains("nested"))
  }

  @Test(.needsLargeStack) func `a deep and irregular payload is read in linear time`() throws {
    let leaves = (0..<20_000).map { ["1", #""a""#, "true", "[]", "{}"][($0 * $0 / 7) % 5] }
    let json =
      String(repeating: "[", count: 500) + leaves.joined(separator: ",")
      + String(repeating: "]", count: 500)
    let found = outcome { try Source.documentOfJSON.document(json) }
    #expect(found.contains("too much at a depth of 500 levels"))
  }

  @Test(arguments: ["1e400", #""\ud800""#])
  func `an unreadable value is an error where it is decoded`(value: String) throws {
    let document = try Source.documentOfJSON.document(#"{"a": \#(value), "b": [1, \#(value)]}"#)
    let first: Int = try document => "b" as [Lenient] == [.some, .none] ? 1 : 0
    #expect(first == 1)
    #expect(
      outcome { try document => "a" as Double } == """
        dataCorrupted at a: expected Double, found … \
        (The decoder can make neither a number nor text of it.)
        """
    )
    #expect(throws: DecodingError.self) { try Source.documentOfJSON.document(value) }
  }

  @Test func `a payload with many numbers and strings is read completely`() throws {
    let json =
      "[\((0..<5_000).map { #"{"id": \#($0), "s": "\#($0)", "b": [true, null, 0.5]}"# }.joined(separator: ","))]"
    let items = try Source.documentOfJSON.document(json).decode([Mixed].self)
    #expect(items == (0..<5_000).map { Mixed(id: $0, s: "\($0)", b: .init()) })
  }

  private static func nested(in brackets: String, levels: Int) -> String {
    brackets == "[]"
      ? String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
      : String(repeating: #"{"a":"#, count: levels - 1) + "{}"
        + String(repeating: "}", count: levels - 1)
  }
}

private struct Account: Decodable {
  let login: String
}

private struct Survivor: Decodable, Equatable {
  @Resilient var kinds: [Kind]
  @Resilient var points: [String: Point]
  @Resilient var mood: Mood
}

private enum Lenient: Decodable {
  case some
  case none

  init(from decoder: any Decoder) throws {
    self = (try? decoder.singleValueContainer().decode(Int.self)) == nil ? .none : .some
  }
}

private struct Mixed: Decodable, Equatable {
  let id: Int
  let s: String
  let b: Trio

  struct Trio: Decodable, Equatable {
    init() {}

    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      guard try container.decode(Bool.self), try container.decodeNil(),
        try container.decode(Double.self) == 0.5, container.isAtEnd
      else { throw Mishap(description: "not the trio") }
    }
  }
}
