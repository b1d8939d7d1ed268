import Foundation
import ResilientDecoding
import Testing

/// The novel values of types with raw values that know nothing of this library.
struct FindingNovelValueTests {
  /// Payloads, each with its only entry.
  static let rows: [(json: String, report: String)] = [
    (#"{"letter": "z"}"#, "letter: unknownNovelValue Letter = z"),
    (#"{"digit": 9}"#, "digit: unknownNovelValue Digit = 9: Int"),
    (#"{"letters": ["a", "z"]}"#, "letters[1]: unknownNovelValue Letter = z"),
    (#"{"maybes": [null, "z"]}"#, "maybes[1]: unknownNovelValue Letter = z"),
    (#"{"rows": [[1], [1, 9]]}"#, "rows[1][1]: unknownNovelValue Digit = 9: Int"),
    (#"{"set": ["z"]}"#, "set[0]: unknownNovelValue Letter = z"),
    (#"{"byName": {"x": "a", "a_b": "z"}}"#, "byName{a_b}: unknownNovelValue Letter = z"),
    (
      #"{"items": [{"letter": "a"}, {"letter": "z"}]}"#,
      "items[1]/letter: unknownNovelValue Letter = z"
    ),
    (
      #"{"items": [{"letter": "a", "maybe": "z"}]}"#, "items[0]/maybe: unknownNovelValue Letter = z"
    ),
    (
      #"{"items": [{"letter": "a", "digits": {"a_b": [1, 9]}}]}"#,
      "items[0]/digits{a_b}[1]: unknownNovelValue Digit = 9: Int"
    ),
    (#"{"code": "abc"}"#, "code: unknownNovelValue Code = abc"),
    (#"{"lossless": "z"}"#, "lossless: unknownNovelValue Letter = z"),
    (#"{"defaulted": "z"}"#, "defaulted: unknownNovelValue Letter = z"),
    (#"{"byLetter": {"z": 1}}"#, "byLetter{z}: unknownNovelValue Letter = z"),
    (#"{"byDigit": {"9": 1}}"#, "byDigit{9}: unknownNovelValue Digit = 9: Int"),
    (#"{"frozen": "z"}"#, "frozen: unknownNovelValue Side = z"),
    (#"{"open": "z"}"#, "open: unknownNovelValue Letter = z"),
    (#"{"kind": "z"}"#, "kind: unknownNovelValue Kind = z"),
  ]

  @Test(arguments: rows, Format.allCases)
  func `a raw value that its type does not have is novel`(
    row: (json: String, report: String), format: Format
  ) throws {
    let (_, digest) = try format.decode(NovelModel.self, from: row.json)
    #expect(digest?.reports == [row.report])
    // Those of types of this library that aren't frozen are hidden.
    let isHidden = row.report.hasPrefix("open") || row.report.hasPrefix("kind")
    #expect(digest?.errors.map(nameOfCase) == (isHidden ? [] : ["dataCorrupted"]))
  }

  // Without a type for the place, there is no raw type to decode.
  @Test(arguments: rows.filter { !$0.report.contains("/") })
  func `another decoder finds it where the wrapper knows the type`(
    row: (json: String, report: String)
  ) throws {
    let (_, digest) = try Format.json.decode(Foreignly<NovelModel>.self, from: row.json)
    #expect(digest?.reports == [row.report])
  }

  @Test(arguments: rows)
  func `a full reporter counts it with its novel value`(
    row: (json: String, report: String)
  ) throws {
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
