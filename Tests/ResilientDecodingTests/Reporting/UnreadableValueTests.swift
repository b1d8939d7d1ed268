import Foundation
import ResilientDecoding
import Testing

/// Texts that are not Unicode: `JSONDecoder` parses them, and then cannot make a string.
struct UnreadableValueTests {
  /// JSON strings.
  static let texts: [Text] = [
    Text(#""a\ud83d""#),
    Text(#""\uD800\u0041""#),
    Text(#""\udc00""#),
    Text([0x22, 0x61, 0xC3, 0x28, 0x22]),
    Text([0x22, 0xE2, 0x82, 0x22]),
    Text([0x22, 0xED, 0xA0, 0x80, 0x22]),
  ]

  @Test(arguments: texts)
  func `a value that is not Unicode is a string without a text`(text: Text) throws {
    let payload = text.payload(
      #"""
      {"text": $, "texts": ["a", $], "byName": {"b": $, "c": "d"}, "number": $,
        "items": [{"name": $}, {"name": "e"}], "lossless": $}
      """#)
    let (model, digest) = try JSONDecoder().decode(
      Texts.self, from: payload, reportResilientDecodingErrors: true)
    #expect(
      model
        == Texts(
          text: nil, texts: ["a"], byName: ["c": "d"], number: nil, items: [Item(name: "e")],
          lossless: nil))
    #expect(
      digest?.entries.map(\.inWords) == [
        "text: dataCorrupted, string", "texts[1]: dataCorrupted, string",
        "byName.b: dataCorrupted, string", "number: typeMismatch, string",
        "items[0].name: dataCorrupted, string", "lossless: typeMismatch, string",
      ])
  }

  @Test(arguments: texts)
  func `a raw value that is not Unicode is not a novel value`(text: Text) throws {
    let payload = text.payload(
      #"{"kind": $, "kinds": [$, "flat"], "mood": $, "side": $, "open": $}"#)
    let (model, digest) = try JSONDecoder().decode(
      RawValues.self, from: payload, reportResilientDecodingErrors: true)
    #expect(model == RawValues(kind: nil, kinds: [.flat], mood: .unknown, side: nil, open: nil))
    #expect(
      digest?.entries.map(\.inWords) == [
        "kind: dataCorrupted, string", "kinds[0]: dataCorrupted, string",
        "mood: dataCorrupted, string", "side: dataCorrupted, string", "open: dataCorrupted, string",
      ])
  }

  @Test(arguments: texts)
  func `an object with a key that is not Unicode is an object`(text: Text) throws {
    let payload = text.payload(
      #"{"byName": {$: 1}, "point": {"x": 1, $: 2}, "byNumber": {$: 1}, "list": [{$: 1}]}"#)
    let (model, digest) = try JSONDecoder().decode(
      Objects.self, from: payload, reportResilientDecodingErrors: true)
    #expect(model == Objects(byName: [:], point: nil, byNumber: [:], list: []))
    #expect(
      digest?.entries.map(\.inWords) == [
        "byName: dataCorrupted, object", "point: dataCorrupted, object",
        "byNumber: dataCorrupted, object", "list[0]: typeMismatch, object",
      ])
  }

  @Test(arguments: texts)
  func `a key of the document that is not Unicode is an error of the document`(text: Text) throws {
    let digest = digestOfThrowing {
      try JSONDecoder().decode(Objects.self, from: text.payload(#"{"byName": {}, $: 1}"#))
    }
    #expect(
      digest?.entries.map(\.inWords) == [": dataCorrupted, nothing"])
  }
}

/// Bytes that replace `$` in a payload.
struct Text: Sendable, CustomTestStringConvertible {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }
  init(_ text: String) { bytes = Array(text.utf8) }

  var testDescription: String { String(decoding: bytes, as: UTF8.self) }

  func payload(_ template: String) -> Data {
    Data(
      template.utf8.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
        .joined(separator: bytes))
  }
}

extension ErrorDigest.Entry {
  /// The place, the kind and the found value.
  fileprivate var inWords: String {
    "\(codingPath): \(kind), \(foundValue?.inWords ?? "nothing")"
      + (novelValue.map { ", novel \($0.text)" } ?? "")
  }
}

private struct Item: Decodable, Equatable {
  let name: String
}

private struct Texts: Decodable, Equatable {
  @Resilient var text: String?
  @Resilient var texts: [String]
  @Resilient var byName: [String: String]
  @Resilient var number: Int?
  @Resilient var items: [Item]
  @ResilientLossless var lossless: Int?
}

private struct RawValues: Decodable, Equatable {
  @Resilient var kind: Kind?
  @Resilient var kinds: [Kind]
  @Resilient var mood: Mood
  @Resilient var side: Side?
  @Resilient var open: Open<Kind>?
}

private struct Objects: Decodable, Equatable {
  @Resilient var byName: [String: Int]
  @Resilient var point: Point?
  @Resilient var byNumber: [Int: Int]
  @Resilient var list: [Int]
}
