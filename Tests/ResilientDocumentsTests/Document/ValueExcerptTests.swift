import Foundation
import ResilientDecoding
import ResilientDocuments
import Testing

@testable import ResilientDecodingTests

/// The excerpt of the payload in an error.
struct ValueExcerptTests {
  static let excerpts: [(payload: String, text: String)] = [
    ("{}", "{}"),
    ("[]", "[]"),
    (
      #"[true, -1, 1.25, 2.0, "é", {"b": [], "a": {}}]"#,
      #"[true, -1, 1.25, 2, "é", {"a": {}, "b": []}]"#
    ),
    (#"{"b": null, "a": {"d": "x", "c": false}}"#, #"{"a": {"c": false, "d": "x"}, "b": null}"#),
    ("[[[[[1]]]], [[[{}]]], [[[5]]]]", "[[[[[…]]]], [[[{…}]]], [[[5]]]]"),
    (#"["123", "true", "1e5"]"#, #"["123", "true", "1e5"]"#),
  ]

  @Test(arguments: excerpts, Source.allCases)
  func `it resembles JSON in one line with sorted keys`(
    row: (payload: String, text: String),
    source: Source
  ) throws {
    #expect(try excerpt(of: row.payload, in: source) == row.text)
  }

  static let odd: [(payload: String, text: String)] = [
    (
      "[12345678901234567890123, 18446744073709551615]",
      "[12345678901234567890123, 18446744073709551615]"
    ),
    (
      "[1.10, 1e100, 1e200, 1e400, 7]",
      "[1.1, 1\(String(repeating: "0", count: 100)), 1e+200, …, 7]"
    ),
    ("1e400", "…"),
  ]

  @Test(arguments: odd, [Source.json])
  func `a number keeps all digits that the decoder provides`(
    row: (payload: String, text: String),
    source: Source
  ) throws {
    #expect(try excerpt(of: row.payload, in: source) == row.text)
  }

  @Test(arguments: ["text", "keys", "elements", "nesting"], Source.allCases)
  func `it ends after two hundred characters`(what: String, source: Source) throws {
    let payload =
      switch what {
      case "text": #""\#(String(repeating: "a", count: 1_000))""#
      case "keys": "{\((10..<99).map { #""k\#($0)": \#($0)"# }.joined(separator: ", "))}"
      case "elements": "[\((100..<300).map { "\($0)" }.joined(separator: ", "))]"
      default: "[\(Array(repeating: "[[[[1]]]]", count: 100).joined(separator: ", "))]"
      }
    let start =
      switch what {
      case "nesting": String(repeating: "[[[[…]]]], ", count: 30)
      default: payload
      }
    let text = try excerpt(of: payload, in: source)
    #expect(
      text == (what == "nesting" ? "[" : "") + start.prefix(what == "nesting" ? 199 : 200) + "…")
  }

  @Test(arguments: [199, 200])
  func `text of exactly two hundred characters is not cut`(length: Int) throws {
    let payload = #""\#(String(repeating: "a", count: length - 2))""#
    #expect(try excerpt(of: payload, in: .json) == payload)
  }

  @Test(arguments: Source.allCases)
  func `a character with a thousand marks is cut too`(source: Source) throws {
    let text = try excerpt(of: #""e\#(String(repeating: "\u{301}", count: 1_000))""#, in: source)
    #expect(text.unicodeScalars.count == 201)
  }

  @Test(arguments: [Source.json, .documentOfJSON])
  func `payload text adds no line breaks and no control characters`(source: Source) throws {
    let payload = #"{"a\nb": "\u0000\u001b[31m\r\n\t\u2028\"\\\u0085"}"#
    let text = try excerpt(of: payload, in: source)
    #expect(text == #"{"a\nb": "\u0000\u001b[31m\r\n\t\u2028\"\\\u0085"}"#)
    let error = outcome {
      try source.read(#"{"a\u2029b": {}}"#) { decoder in
        try decoder => "a\u{2029}b" => "c\nd" as Int
      }
    }
    #expect(error == #"keyNotFound at ["a\u2029b"]: "c\nd" in {}"#)
  }

  @Test(arguments: [Source.json, .documentOfJSON, .binary])
  func `a huge object shows its first keys`(source: Source) throws {
    let members = (0..<20_000).map { #""k\#(99_999 - $0)": {"deep": [[]]}"# }
    let text = try excerpt(of: "{\(members.joined(separator: ", "))}", in: source)
    #expect(
      text == String(
        (80_000...80_010).map { #""k\#($0)": {"deep": [[]]}"# }.joined(separator: ", ")
          .withBrace.prefix(200)
      ) + "…"
    )
  }

  @Test func `only the shown part is read`() throws {
    // Each element is the array itself, without end.
    let decoder = FakeDecoder(Array(repeating: 7, count: 10_000))
    let error = outcome { try decoder => "a" as Int }
    #expect(
      error.hasPrefix("typeMismatch at the root: expected an object, found [[[[[…], […], […]"))
    #expect(decoder.log.superDecoders < 200)
  }

  @Test(.needsLargeStack, arguments: [Source.json, .documentOfJSON])
  func `a value nested five hundred levels deep has an excerpt`(source: Source) throws {
    let payload = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
    #expect(try excerpt(of: payload, in: source) == "[[[[[…]]]]]")
  }

  @Test func `dates and data in a property list are distinguished from text`() throws {
    let object: [String: Any] = [
      "v": ["a": Date(timeIntervalSinceReferenceDate: 0), "b": Data(count: 3)]
    ]
    let data = try PropertyListSerialization.data(
      fromPropertyList: object, format: .xml, options: 0)
    let document = try PropertyListDecoder().decode(DecodableDocument.self, from: data)
    #expect(
      outcome { try document => "v" as Int }
        == "typeMismatch at v: expected Int, found {\"a\": 2001-01-01 00:00:00 +0000, \"b\": 3 bytes}"
    )
  }

  /// The excerpt in the error of a payload, which never decodes to a `Wrong`.
  private func excerpt(of payload: String, in source: Source) throws -> String {
    let error = #expect(throws: DecodingPathError.self) {
      try source.read(#"{"v": \#(payload)}"#) { decoder in try decoder => "v" as Wrong }
    }
    return try #require(error?.found)
  }
}

extension String {
  fileprivate var withBrace: String { "{" + self }
}

private struct Wrong: Decodable {
  init(from decoder: any Decoder) throws {
    throw DecodingError.typeMismatch(
      Self.self,
      DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "always")
    )
  }
}
