import Foundation
import ResilientDocuments
import Testing

@testable import ResilientDecoding

/// What a body is that isn't JSON, as the found value of its error.
struct BodyTypeTests {
  typealias ValueType = ErrorDigest.FoundValue.ValueType

  private static let texts: [(text: String, type: ValueType?)] = [
    ("", .empty), ("\u{feff}", .empty), (" \r\n\t", .empty),
    ("<!DOCTYPE html><html></html>", .html), ("<!doctype HTML PUBLIC \"-//W3C\">", .html),
    ("\u{feff}<html>", .html), ("\n<HTML lang=en>", .html), ("<h1>502 Bad Gateway</h1>", .html),
    ("<!-- maintenance -->", .html),
    ("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!DOCTYPE html PUBLIC \"-//W3C\">", .html),
    ("<?xml version=\"1.0\"?><Error/>", nil), ("<Error><Code>NoSuchKey</Code></Error>", nil),
    ("<b", .html), ("<", nil), ("<header/>", nil),
    ("Bad Gateway", nil), ("id,name\n1,a", nil), ("callback({})", nil),
    ("'a'", nil), ("{key: 1", nil), ("{\"a\": 1} x", nil), ("{\"a\": 1}\n{\"a\"", nil),
    ("[1]]", nil),
    ("\"a\" \"b", nil), ("{\"a\": NaN", nil), ("{\"a\": None", nil), ("[0x10", nil),
    ("{'a': 1", nil),
    ("// {", nil), ("{/* x", nil), ("{]", nil), ("]", nil), ("[1}", nil), ("[{\"a\": 1]", nil),
    ("tru", nil),
    ("[1, 2,", .truncated), ("{\"a\": \"b\\", .truncated), ("{\"a\": tr", .truncated),
    ("{\"a\": -", .truncated), ("[{\"a\": [", .truncated),
    ("{\"a\": 1", .truncated), ("[", .truncated), ("{\"a\": \"<html>", .truncated),
  ]

  static let bodies: [(body: Data, type: ValueType?)] =
    texts.map { (Data($0.text.utf8), $0.type) } + [
      (Data([0x1f, 0x8b, 8, 0]), .compressed), (Data([0x28, 0xb5, 0x2f, 0xfd, 4]), .compressed),
      (Data([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xe4]), .truncated),
      (Data("bplist00".utf8), nil), (Data([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00]), .utf16),
      ("{\"a\": ".data(using: .utf16LittleEndian)!, .truncated),
      ("<html>".data(using: .utf16BigEndian)!, .html), (" ".data(using: .utf16)!, .empty),
    ]
    + [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32BigEndian].map {
      ("Bad Gateway".data(using: $0)!, .utf16)
    }

  @Test(arguments: bodies)
  func `the found value of a body is what it is`(body: Data, type: ValueType?) throws {
    try expect(type, decoding: Strict.self, from: body)
    try expect(type, decoding: DecodableDocument.self, from: body)
  }

  private func expect<Value: Decodable>(
    _ type: ValueType?, decoding: Value.Type, from body: Data
  ) throws {
    let digest = digestOfThrowing {
      try JSONDecoder().decode(Value.self, from: body, reportResilientDecodingErrors: true)
    }
    let entries = digest?.entries ?? []
    #expect(entries.map(\.foundValue?.type) == [type])
    #expect(entries.map(\.foundValue?.text) == [nil])
    #expect(entries.map(\.failure.body) == [type])
    #expect(entries.map(\.kind) == [.dataCorrupted])
  }

  /// JSON is JSON in each of its encodings.
  @Test(arguments: [
    String.Encoding.utf8, .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian,
  ])
  func `a body of JSON has its own found values`(encoding: String.Encoding) throws {
    let body = try #require(#"{"a": "x"}"#.data(using: encoding))
    let digest = digestOfThrowing {
      try JSONDecoder().decode(Strict.self, from: body, reportResilientDecodingErrors: true)
    }
    let entries = digest?.entries ?? []
    #expect(entries.map(\.foundValue) == [ErrorDigest.FoundValue(type: .string, text: "x")])
    #expect(entries.map(\.failure.body) == [nil])
  }

  @Test(arguments: [
    #"{"a": [1, -2.5e+3, true, null, "\\\"x"], "ü😀": {"b": false}}"#, #"["é", {}]"#, "\"😀\"",
    " [1] ",
  ])
  func `each beginning of a document is truncated, unless it is whole`(document: String) throws {
    let whole = Data(document.utf8)
    for length in 1...whole.count {
      let body = whole.prefix(length)
      let isWhole =
        (try? JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed)) != nil
      let isBlank = body.allSatisfy { $0 == 0x20 }
      #expect(
        ValueType(ofBody: body) == (isWhole ? nil : isBlank ? .empty : .truncated),
        "\(length) bytes")
    }
  }

  @Test func `a body in Latin 1 is not cut`() {
    let body = Data(#"{"a":""#.utf8) + [0xe4] + Data(#""}"#.utf8)
    #expect(ValueType(ofBody: body) == nil)
  }

  @Test func `a body of a million brackets takes no stack`() throws {
    let body = Data(String(repeating: "[", count: 1_000_000).utf8)
    #expect(try withStack(ofKilobytes: 128) { ValueType(ofBody: body) } == .truncated)
  }

  /// Each call that has the body says what it is. Otherwise the message is the decoder's.
  @Test(arguments: bodies)
  func `the message of an error about a body says what the body is`(
    body: Data, type: ValueType?
  ) throws {
    let reporter = ResilientDecodingErrorReporter()
    let error = #expect(throws: DecodingError.self) {
      try reporter.collectErrors {
        try JSONDecoder().decode(Strict.self, from: body, reportResilientDecodingErrors: true)
      }
    }
    let entry = try #require(reporter.flushReportedErrors()?.entries.first)
    let message = try #require(type?.messageOfBody ?? error.map(ErrorClaim.message))
    #expect(entry.message == message)
    #expect(entry.expectedType == "ResilientDecodingTests.Strict")
    #expect(entry.codingPath.components.isEmpty)
  }

  /// An explanation belongs to one error.
  @Test func `an error that was caught explains no other one`() throws {
    let reporter = ResilientDecodingErrorReporter()
    #expect(throws: Mishap.self) {
      try reporter.collectErrors {
        _ = try? JSONDecoder().decodeReporting(Strict.self, #"{"a": 1e400}"#)
        throw Mishap(description: "offline")
      }
    }
    #expect(reporter.flushReportedErrors()?.entries.map(\.message) == ["offline"])
    #expect(throws: DecodingError.self) {
      try reporter.collectErrors {
        _ = try? JSONDecoder().decodeReporting(Strict.self, #"{"a": "x"}"#)
        _ = try JSONDecoder().decodeReporting(Strict.self, "<html>")
      }
    }
    let messages = reporter.flushReportedErrors()?.entries.map(\.message)
    #expect(messages == ["The body is HTML, not JSON."])
    #expect(throws: DecodingError.self) {
      try reporter.collectErrors {
        _ = try? JSONDecoder().decodeReporting(Strict.self, #"{"a": 1e400}"#)
        _ = try JSONDecoder().decode(Strict.self, from: Data(#"{"a": "x"}"#.utf8))
      }
    }
    #expect(reporter.flushReportedErrors()?.entries.map(\.kind) == [.typeMismatch])
  }

  /// Foundation's decoder finds faults that are none of these.
  @Test(arguments: ["{a: 1} x", #"{"a": 01}"#, #"{"a": "\u12"}"#, #"{"a": 1.2.3}"#, #"{"a" 1}"#])
  func `an error about a body has its type`(body: String) throws {
    for allowsJSON5 in [false, true] {
      let decoder = JSONDecoder()
      decoder.allowsJSON5 = allowsJSON5
      let digest = digestOfThrowing {
        try decoder.decodeReporting([Int].self, body)
      }
      #expect(digest?.entries.map(\.expectedType) == ["Array<Int>"])
    }
  }

  /// A full reporter counts errors without their found values.
  @Test func `kinds of bodies are counted apart`() throws {
    let reporter = ResilientDecodingErrorReporter(maximumEntries: 3)
    for body in ["", "<html>", "{", "", "<html>", "Bad Gateway", "Bad Gateway", ""] {
      #expect(throws: DecodingError.self) {
        try reporter.collectErrors {
          try JSONDecoder().decodeReporting(Strict.self, body)
        }
      }
    }
    let digest = try #require(reporter.flushReportedErrors())
    #expect(digest.entries.map(\.failure.body) == [.empty, .html, .truncated])
    #expect(
      digest.omissions.map { [$0.failure.body?.rawValue ?? "-", "\($0.count)"] }
        == [["-", "2"], ["empty", "2"], ["html", "1"]])
    let copy = try JSONDecoder().decode(
      [ErrorDigest.Failure].self, from: JSONEncoder().encode(digest.omissions.map(\.failure)))
    #expect(copy == digest.omissions.map(\.failure))
  }

  @Test func `the type of a value isn't a part of a failure`() {
    let failure = ErrorDigest.Failure(
      codingPath: ErrorDigest.Path(), kind: .typeMismatch, body: .string)
    #expect(failure.body == nil)
  }
}

private struct Strict: Decodable { let a: Int }
