import Foundation
import Testing

@testable import ResilientDecoding

/// Bodies that are not JSON.
struct BodyFaultTests {
  static let bodies: [(body: Data, fault: BodyFault)] =
    [
      ("", .empty), (" \n\t", .blank), ("\u{feff}", .empty), ("<html><body>502</body>", .html),
      ("\n<?xml version=\"1.0\"?>", .markup), ("\u{feff}<!DOCTYPE html>", .html),
      ("Bad Gateway", .text), ("upstream connect error: 7", .text), ("id,name\n1,a", .text),
      ("callback({\"a\": 1})", .text), ("'a'", .text), ("{\"a\": 1", .truncated),
      ("[1, 2", .truncated), ("[1, 2,", .truncated), ("{\"a\": \"b", .truncated),
      ("{\"a\": \"b\\", .truncated), ("{\"a\": tr", .truncated), ("{\"a\": -", .truncated),
      ("[{\"a\": [", .truncated),
      ("{\"a\": 1}\n{\"a\": 2}\n", .followed), ("{\"a\": 1}<!-- 3 ms -->", .followed),
      ("[1]]", .followed), ("\"a\" \"b\"", .followed), ("{\"a\": -nan}", .literal),
      ("{\"a\": NaN}", .literal), ("[Infinity]", .literal), ("[undefined]", .literal),
      ("{\"a\": None}", .literal), ("{\"a\": True}", .literal), ("NaN", .literal),
      ("[.5]", .literal), ("[0x10]", .literal), ("{'a': 1}", .json5), ("{a: 1}", .json5),
      ("{\"a\": 'b'}", .json5), ("// x\n{}", .text), ("{/* x */}", .json5), ("{]", .unbalanced),
      ("]", .unbalanced), ("[1}", .unbalanced),
    ].map { (Data(($0 as String).utf8), $1) } + [
      (Data([0x1f, 0x8b, 8, 0]), .compressed), (Data([0x28, 0xb5, 0x2f, 0xfd, 4]), .compressed),
      (Data("bplist00".utf8), .propertyList), (Data([0x7b, 0x22, 0xe4, 0x22]), .encoding),
      (Data([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00]), .encoding),
      ("{\"a\":".data(using: .utf16)!, .truncated),
      ("<p>".data(using: .utf16LittleEndian)!, .html),
      ("[1".data(using: .utf32BigEndian)!, .truncated),
    ]

  @Test(arguments: bodies)
  func `the first fault of a body is found by its bytes`(body: Data, fault: BodyFault) {
    #expect(BodyFault(of: body) == fault)
  }

  @Test(arguments: [
    "{}", "[]", "null", "0", "-1.5e+3", "\"\"", " [true, false, null] ", #"{"a": ["\"", "\\"]}"#,
    "\u{feff}{}", "{\"a\": \"<html>\"}",
  ])
  func `JSON has no fault`(json: String) {
    #expect(BodyFault(of: Data(json.utf8)) == nil)
    #expect(BodyFault(of: json.data(using: .utf16)!) == nil)
  }

  @Test func `a body of a million brackets takes no stack`() throws {
    let body = Data(String(repeating: "[", count: 1_000_000).utf8)
    #expect(try withStack(ofKilobytes: 128) { BodyFault(of: body) } == .truncated)
  }

  /// Each call that has the body reports its fault.
  @Test(arguments: bodies)
  func `the fault is the message of the error that is thrown`(body: Data, fault: BodyFault) throws {
    let reporter = ResilientDecodingErrorReporter()
    #expect(throws: DecodingError.self) {
      try reporter.collectErrors {
        try JSONDecoder().decode(Strict.self, from: body, reportResilientDecodingErrors: true)
      }
    }
    let entry = try #require(reporter.flushReportedErrors()?.entries.first)
    #expect(entry.message == fault.rawValue || entry.kind != .dataCorrupted)
    #expect(entry.expectedType == "ResilientDecodingTests.Strict" || entry.kind != .dataCorrupted)
    #expect(entry.codingPath.components.isEmpty || entry.kind != .dataCorrupted)
  }
}

extension BodyFaultTests {
  @Test func `what JSON5 allows is no fault of a body for its decoder`() throws {
    let reporter = ResilientDecodingErrorReporter()
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    #expect(throws: DecodingError.self) {
      try reporter.collectErrors {
        try decoder.decode(
          Strict.self, from: Data("{a: 1} x".utf8), reportResilientDecodingErrors: true)
      }
    }
    let messages = reporter.flushReportedErrors()?.entries.map(\.message) ?? []
    #expect(messages.count == 1)
    #expect(!messages.contains(BodyFault.json5.rawValue))
  }

  /// An explanation belongs to one error.
  @Test func `an error that was caught explains no other one`() throws {
    let reporter = ResilientDecodingErrorReporter()
    #expect(throws: Mishap.self) {
      try reporter.collectErrors {
        _ = try? JSONDecoder().decode(
          Strict.self, from: Data(#"{"a": 1e400}"#.utf8), reportResilientDecodingErrors: true)
        throw Mishap(description: "offline")
      }
    }
    #expect(reporter.flushReportedErrors()?.entries.map(\.message) == ["offline"])
    #expect(throws: DecodingError.self) {
      try reporter.collectErrors {
        _ = try? JSONDecoder().decode(
          Strict.self, from: Data(#"{"a": "x"}"#.utf8), reportResilientDecodingErrors: true)
        _ = try JSONDecoder().decode(
          Strict.self, from: Data("<html>".utf8), reportResilientDecodingErrors: true)
      }
    }
    let messages = reporter.flushReportedErrors()?.entries.map(\.message)
    #expect(messages == [BodyFault.html.rawValue])
    #expect(throws: DecodingError.self) {
      try reporter.collectErrors {
        _ = try? JSONDecoder().decode(
          Strict.self, from: Data(#"{"a": 1e400}"#.utf8), reportResilientDecodingErrors: true)
        _ = try JSONDecoder().decode(Strict.self, from: Data(#"{"a": "x"}"#.utf8))
      }
    }
    #expect(reporter.flushReportedErrors()?.entries.map(\.kind) == [.typeMismatch])
  }

  /// Foundation's decoder may find a fault that has no words here.
  @Test(arguments: ["{a: 1} x", #"{"a": 01}"#, #"{"a": "\u12"}"#, #"{"a": 1.2.3}"#, #"{"a" 1}"#])
  func `an error about a body has its type`(body: String) throws {
    for allowsJSON5 in [false, true] {
      let reporter = ResilientDecodingErrorReporter()
      let decoder = JSONDecoder()
      decoder.allowsJSON5 = allowsJSON5
      #expect(throws: DecodingError.self) {
        try reporter.collectErrors {
          try decoder.decode(
            [Int].self, from: Data(body.utf8), reportResilientDecodingErrors: true)
        }
      }
      #expect(reporter.flushReportedErrors()?.entries.map(\.expectedType) == ["Array<Int>"])
    }
  }
}

private struct Strict: Decodable { let a: Int }
