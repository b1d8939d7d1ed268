import Foundation
import ResilientDecoding
import Testing

/// The novel values of types with raw values that know nothing of this library.
struct FindingNovelValueTests {
  static let rows: [NovelRow] = [
    NovelRow(#"{"letter": "z"}"#, "letter", novel: "z", of: "String", expecting: "Letter"),
    NovelRow(#"{"digit": 9}"#, "digit", novel: "9", of: "Int", expecting: "Digit"),
    NovelRow(
      #"{"letters": ["a", "z"]}"#, "letters[1]", novel: "z", of: "String", expecting: "Letter"),
    NovelRow(
      #"{"maybes": [null, "z"]}"#, "maybes[1]", novel: "z", of: "String", expecting: "Letter"),
    NovelRow(#"{"rows": [[1], [1, 9]]}"#, "rows[1][1]", novel: "9", of: "Int", expecting: "Digit"),
    NovelRow(#"{"set": ["z"]}"#, "set[0]", novel: "z", of: "String", expecting: "Letter"),
    NovelRow(
      #"{"byName": {"x": "a", "a_b": "z"}}"#, "byName.a_b", novel: "z", of: "String",
      expecting: "Letter"),
    NovelRow(
      #"{"items": [{"letter": "a"}, {"letter": "z"}]}"#, "items[1].letter", at: "items[1]",
      novel: "z", of: "String", expecting: "Letter"),
    NovelRow(
      #"{"items": [{"letter": "a", "maybe": "z"}]}"#, "items[0].maybe", at: "items[0]", novel: "z",
      of: "String", expecting: "Letter"),
    NovelRow(
      #"{"items": [{"letter": "a", "digits": {"a_b": [1, 9]}}]}"#, "items[0].digits.a_b[1]",
      at: "items[0]", novel: "9", of: "Int", expecting: "Digit"),
    NovelRow(#"{"code": "abc"}"#, "code", novel: "abc", of: "String", expecting: "Code"),
    NovelRow(#"{"lossless": "z"}"#, "lossless", novel: "z", of: "String", expecting: "Letter"),
    NovelRow(#"{"defaulted": "z"}"#, "defaulted", novel: "z", of: "String", expecting: "Letter"),
    NovelRow(
      #"{"byLetter": {"z": 1}}"#, "byLetter.z", novel: "z", of: "String", expecting: "Letter"),
    NovelRow(#"{"byDigit": {"9": 1}}"#, "byDigit.9", novel: "9", of: "Int", expecting: "Digit"),
    NovelRow(#"{"frozen": "z"}"#, "frozen", novel: "z", of: "String", expecting: "Side"),
    NovelRow(
      #"{"open": "z"}"#, "open", novel: "z", of: "String", expecting: "Letter", isHidden: true),
    NovelRow(
      #"{"kind": "z"}"#, "kind", novel: "z", of: "String", expecting: "Kind", isHidden: true),
  ]

  @Test(arguments: rows, Format.allCases)
  func `a raw value that its type does not have is novel`(row: NovelRow, format: Format) throws {
    let (_, digest) = try format.decode(NovelModel.self, from: row.json)
    #expect(digest?.entries.map(NovelRow.inWords) == [row.entry])
    #expect(digest?.errors.count == (row.isHidden ? 0 : 1))
    if !row.isHidden {
      let error = try #require(digest?.errors.first)
      guard case DecodingError.dataCorrupted = error else {
        Issue.record(error)
        return
      }
    }
  }

  // Without a type for the place, there is no raw type to decode.
  @Test(arguments: rows.filter { !$0.path.contains("].") })
  func `another decoder finds it where the wrapper knows the type`(row: NovelRow) throws {
    let (_, digest) = try Format.json.decode(Foreignly<NovelModel>.self, from: row.json)
    #expect(digest?.entries.map(NovelRow.inWords) == [row.entry])
  }

  @Test(arguments: rows)
  func `a full reporter counts it with its novel value`(row: NovelRow) throws {
    let reporter = ResilientDecodingErrorReporter(maximumEntries: 1)
    for _ in 0..<3 {
      _ = try Format.json.decode(
        NovelModel.self, from: row.json, userInfo: [.resilientDecodingErrorReporter: reporter])
    }
    let digest = try #require(reporter.flushReportedErrors())
    #expect(digest.entries.map(\.failure) == digest.omissions.map(\.failure))
    #expect(digest.omissions.map(\.count) == [2])
  }

  static let others: [(json: String, kind: ErrorDigest.Kind)] = [
    (#"{"letter": 5}"#, .typeMismatch),
    (#"{"letter": {}}"#, .typeMismatch),
    (#"{"digit": "x"}"#, .typeMismatch),
    (#"{"digit": 99999999999999999999}"#, .dataCorrupted),
    (#"{"letters": [null]}"#, .valueNotFound),
    (#"{"byDigit": {"x": 1}}"#, .dataCorrupted),
    (#"{"picky": "a"}"#, .dataCorrupted),
    (#"{"link": ""}"#, .dataCorrupted),
  ]

  @Test(arguments: others)
  func `any other error keeps its kind`(other: (json: String, kind: ErrorDigest.Kind)) throws {
    let (_, digest) = try Format.json.decode(NovelModel.self, from: other.json)
    #expect(digest?.entries.map(\.kind) == [other.kind])
    #expect(digest?.entries.map(\.novelValue) == [nil])
  }
}

/// A payload, and its only entry.
struct NovelRow: Sendable, CustomTestStringConvertible {
  let json: String
  let path: String
  let entry: String
  let isHidden: Bool

  init(
    _ json: String, _ path: String, at recoveryPath: String? = nil, novel: String, of raw: String,
    expecting type: String, isHidden: Bool = false
  ) {
    self.json = json
    self.path = path
    self.isHidden = isHidden
    entry = "\(path) at \(recoveryPath ?? path): unknownNovelValue \(novel): \(raw) of \(type)"
  }

  var testDescription: String { json }

  static func inWords(_ entry: ErrorDigest.Entry) -> String {
    let type = entry.expectedType?.split(separator: ".").last ?? "?"
    let novel = entry.novelValue.map { "\($0.text): \($0.type)" } ?? "nothing"
    return "\(entry.codingPath) at \(entry.recoveryPath): \(entry.kind) \(novel) of \(type)"
  }
}

private enum Letter: String, Decodable, CodingKeyRepresentable { case a, b }

private enum Digit: Int, Decodable, CodingKeyRepresentable {
  case one = 1
  case two
}

/// A structure whose initializer checks the raw value.
private struct Code: RawRepresentable, Decodable {
  let rawValue: String

  init?(rawValue: String) {
    guard rawValue.count == 2 else { return nil }
    self.rawValue = rawValue
  }
}

/// A type with raw values that refuses one that it has.
private enum Picky: String, Decodable {
  case a

  init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(
      DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "not today"))
  }
}

private enum FirstLetter: DefaultValueProvider { static var defaultValue: Letter { .a } }

private struct Item: Decodable {
  let letter: Letter
  let maybe: Letter?
  let digits: [String: [Digit]]?
}

private struct NovelModel: Decodable {
  @Resilient var letter: Letter?
  @Resilient var digit: Digit?
  @Resilient var letters: [Letter]
  @Resilient var maybes: [Letter?]
  @Resilient var rows: [[Digit]]
  @Resilient var set: Set<Letter>
  @Resilient var byName: [String: Letter]
  @Resilient var items: [Item]
  @Resilient var code: Code?
  @ResilientLossless var lossless: Letter?
  @ResilientDefault<FirstLetter> var defaulted: Letter
  @Resilient var byLetter: [Letter: Int]
  @Resilient var byDigit: [Digit: Int]
  @Resilient var frozen: Side?
  @Resilient var open: Open<Letter>?
  @Resilient var kind: Kind?
  @Resilient var picky: Picky?
  @Resilient var link: URL?
}
